// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/change/stored_costs.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "core/error.hpp"
#include "core/version.hpp"
#include "routing/tables/fingerprint.hpp"

namespace fatwood {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "fatwood-whatif ";

template <class T>
bool take(std::string_view& line, T& value) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string word(line.substr(0, end));
  line.remove_prefix(std::min(end + 1, line.size()));
  if (word.empty()) return false;
  char* rest = nullptr;
  if constexpr (std::is_same_v<T, double>) {
    value = std::strtod(word.c_str(), &rest);
  } else {
    value = static_cast<T>(std::strtoull(word.c_str(), &rest, 10));
  }
  return *rest == '\0';
}

// The switch or the cables of a line.
std::string fault_word(const Fault& fault) {
  if (fault.removed != kNone<Switch>) return fmt::format("s{}", index(fault.removed));
  std::string word = "c";
  for (const Channel c : fault.cut) word += fmt::format("{},", index(c));
  return word;
}

std::optional<FaultCost> parse_cost(std::string_view line) {
  FaultCost cost;
  std::uint64_t above = 0, below = 0;
  std::uint32_t most_loaded = 0, transition = 0;
  if (!take(line, cost.pairs_lost) || !take(line, above) || !take(line, below) ||
      !take(line, most_loaded) || !take(line, cost.gigabits) ||
      !take(line, cost.permutation_gigabits) || !take(line, cost.entries) ||
      !take(line, cost.blocks) || !take(line, transition) || line != "." || below == 0 ||
      transition > 2) {
    return std::nullopt;
  }
  cost.mload = Fraction(static_cast<std::int64_t>(above), static_cast<std::int64_t>(below));
  cost.most_loaded = static_cast<Channel>(most_loaded);
  cost.transition = static_cast<Safety>(transition);
  return cost;
}

}  // namespace

std::uint64_t question_key(const Model& model, const Routing& routing, const Lids& lids,
                           std::size_t permutations, std::uint64_t seed) {
  const Fabric& fabric = model.fabric();
  std::uint64_t key = 0;
  const auto add = [&key](std::uint64_t word) { key = hashed(key, word); };
  for (const char c : version()) add(static_cast<unsigned char>(c));
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    add(fabric.guid(node));
    add(fabric.is_switch(node) ? 1 : 0);
    add(fabric.ports(node));
  }
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c)) continue;
    add(index(c));
    add(index(fabric.peer(c)));
    add(fabric.rate(c).width);
    add(static_cast<std::uint64_t>(fabric.rate(c).speed));
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) add(model.levels().level[s]);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    add(index(model.adapters().of(t)));
  }
  add(routing.tables.lmc());
  for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
    add(index(lids.of(routing.tables, destination)));
  }
  add(fingerprint(fabric, routing));
  add(fingerprint_of_sets(fabric, routing));
  add(permutations);
  add(seed);
  return key;
}

std::string read_stored(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return "";
  if (!fs::is_regular_file(status)) {
    throw InputError({.file = path},
                     "can't keep results: it is not a regular file. Name a new one");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw InputError({.file = path}, std::string("can't be read: ") + std::strerror(errno));
  std::string text(kFormat.size(), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (!kFormat.starts_with(text)) {
    throw InputError({.file = path},
                     "was not written by `fatwood whatif` and stays as it is. Name a new file to "
                     "keep results in");
  }
  if (file) text.append(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  return text;
}

std::string stored_head(std::uint64_t key) { return fmt::format("{}4 {:016x}\n", kFormat, key); }

std::string stored_line(const Fault& fault, const FaultCost& cost) {
  return fmt::format("{} {} {} {} {} {:a} {:a} {} {} {} .\n", fault_word(fault), cost.pairs_lost,
                     cost.mload.num(), cost.mload.den(), index(cost.most_loaded), cost.gigabits,
                     cost.permutation_gigabits, cost.entries, cost.blocks,
                     static_cast<unsigned>(cost.transition));
}

std::vector<std::optional<FaultCost>> stored_costs(std::string_view text, std::uint64_t key,
                                                   const std::vector<Fault>& faults) {
  std::vector<std::optional<FaultCost>> costs(faults.size());
  const std::string head = stored_head(key);
  if (!text.starts_with(head)) return costs;
  text.remove_prefix(head.size());
  std::map<std::string, std::optional<FaultCost>, std::less<>> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;  // not finished
    const std::string_view line = text.substr(0, end);
    const std::size_t space = std::min(line.find(' '), line.size());
    lines[std::string(line.substr(0, space))] =
        parse_cost(line.substr(std::min(space + 1, line.size())));
    text.remove_prefix(end + 1);
  }
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const auto at = lines.find(fault_word(faults[i]));
    if (at != lines.end()) costs[i] = at->second;
  }
  return costs;
}

}  // namespace fatwood
