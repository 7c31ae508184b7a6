// SPDX-License-Identifier: BSD-3-Clause
#include "io/routes/read_hashes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "io/ethernet/device_files.hpp"
#include "io/ethernet/sonic.hpp"
#include "io/routes/route_names.hpp"
#include "plan/model/device_words.hpp"

namespace fatwood {

namespace {

struct Settings {
  std::string function = {};
  std::vector<std::string> fields = {};  // sorted, in lower case
  std::uint32_t seed = 0, offset = 0;

  friend auto operator<=>(const Settings&, const Settings&) = default;
};

std::vector<std::string> field_words(std::string text) {
  std::ranges::replace(text, ',', ' ');
  std::vector<std::string> words;
  for (const std::string_view word : split_at(text, ' ')) {
    if (!word.empty()) words.push_back(lower_case(word));
  }
  std::ranges::sort(words);
  return words;
}

// Whether two queue pairs of the same hosts can get different hashes.
bool tells_pairs(const std::vector<std::string>& fields) {
  if (fields.empty()) return true;  // not known: the usual five
  constexpr std::string_view kWords[] = {"sport",           "l4_src_port",      "src_port",
                                         "source_port",     "rdma_bth_dest_qp", "qp",
                                         "ipv6_flow_label", "flow_label"};
  return std::ranges::any_of(fields, [&](const std::string& field) {
    return std::ranges::find(kWords, field) != std::end(kWords);
  });
}

std::uint32_t seed_of_role(std::string_view role) {
  if (role.find("ToRRouter") != std::string_view::npos) return 0;
  if (role.find("LeafRouter") != std::string_view::npos) return 10;
  return role.find("SpineRouter") != std::string_view::npos ? 25 : 0;
}

class HashReader {
 public:
  HashReader(const std::string& path, const Fabric& fabric)
      : path_(path),
        fabric_(fabric),
        found_(fabric.num_switches()),
        known_(fabric.num_switches()) {}

  std::vector<SwitchHash> run() {
    const SwitchNames names(fabric_);
    DeviceFiles files(path_);
    files.each([&](Input& input, const std::string& inside) {
      if (looks_like_sonic_db(input.peek())) {
        for (const Tree& value : read_json_values(input)) {
          read_database(value, names, inside);
        }
      } else if (input.peek().starts_with("switch,")) {
        read_list(input);
      }
    });
    if (std::ranges::find(known_, 1) == known_.end()) {
      throw InputError({.file = path_},
                       "has no switch of the fabric: expected lines "
                       "\"switch,function,fields,seed,offset\", or databases of SONiC");
    }
    return streams();
  }

 private:
  void read_list(Input& input) {
    input.next_line();
    while (const auto line = input.next_line()) {
      if (trimmed(*line).empty()) continue;
      const std::vector<std::string_view> words = split_at(*line, ',');
      const auto wrong = [&](std::string_view what) {
        return InputError({input.name(), input.line_number(), 1}, std::string(what));
      };
      if (words.size() != 5) throw wrong("expected switch,function,fields,seed,offset");
      const auto seed = parse_number<std::uint32_t>(trimmed(words[3]));
      const auto offset = parse_number<std::uint32_t>(trimmed(words[4]));
      if (!seed || !offset) throw wrong("expected a number for the seed and for the offset");
      const Settings settings{lower_case(trimmed(words[1])), field_words(std::string(words[2])),
                              *seed, *offset};
      if (set(lower_case(trimmed(words[0])), settings) == 0) {
        throw wrong(fmt::format("no switch is called {}", trimmed(words[0])));
      }
    }
  }
  // "spine*" is all names that begin so. Returns how many there are.
  std::size_t set(std::string_view name, const Settings& settings) {
    std::size_t count = 0;
    const bool start = name.ends_with('*');
    if (start) name.remove_suffix(1);
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      const std::string own = lower_case(unique_name(fabric_, s));
      if (start ? !own.starts_with(name) : own != name) continue;
      found_[s] = settings;
      known_[s] = 1;
      ++count;
    }
    return count;
  }

  void read_database(const Tree& value, const SwitchNames& names, const std::string& inside) {
    Switch s = kNone<Switch>;
    std::string role;
    each_row_of(value, "DEVICE_METADATA", [&](std::string_view, const Tree& row) {
      if (row.has("hostname")) s = names.of_file(std::string(row.text("hostname")));
      role = row.text("type");
    });
    if (s == kNone<Switch>) s = names.of_file(inside);
    if (s == kNone<Switch>) return;
    Settings& settings = found_[s];
    if (!role.empty()) {
      if (known_[s] == 0) settings.seed = seed_of_role(role);
      known_[s] = 1;
    }
    each_row_of(value, "SWITCH_HASH", [&](std::string_view, const Tree& row) {
      std::string words;
      for (const Tree* word : row["ecmp_hash"].list()) words += fmt::format("{} ", word->text());
      settings.fields = field_words(words);
      settings.function = lower_case(row.text("ecmp_hash_algorithm"));
    });
    each_row_of(value, "SWITCH_TABLE", [&](std::string_view, const Tree& row) {
      known_[s] = 1;
      if (const auto seed = parse_number<std::uint32_t>(row.text("ecmp_hash_seed"))) {
        settings.seed = *seed;
      }
      if (const auto offset = parse_number<std::uint32_t>(row.text("ecmp_hash_offset"))) {
        settings.offset = *offset;
      }
    });
  }

  std::vector<SwitchHash> streams() const {
    std::map<Settings, std::uint32_t> number;
    std::vector<SwitchHash> hashes;
    const auto switches = static_cast<std::uint32_t>(fabric_.num_switches());
    for (const Switch s : ids<Switch>(switches)) {
      if (known_[s] == 0) {
        hashes.push_back({index(s), true});
        continue;
      }
      const auto next = static_cast<std::uint32_t>(switches + number.size());
      const std::uint32_t stream = number.try_emplace(found_[s], next).first->second;
      hashes.push_back({stream, tells_pairs(found_[s].fields)});
    }
    return hashes;
  }

  const std::string& path_;
  const Fabric& fabric_;
  Table<Switch, Settings> found_;
  Table<Switch, std::uint8_t> known_;
};

}  // namespace

std::vector<SwitchHash> read_hashes(const std::string& path, const Fabric& fabric) {
  return HashReader(path, fabric).run();
}

}  // namespace fatwood
