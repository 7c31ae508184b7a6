// SPDX-License-Identifier: BSD-3-Clause
#include "cli/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/fabric/spec.hpp"
#include "routing/algebraic/algebraic.hpp"
#include "routing/engine.hpp"
#include "studies/study.hpp"
#include "topology/hosts/hosts.hpp"
#include "traffic/collectives/collective_list.hpp"
#include "traffic/traffic.hpp"

namespace fatwood::cli {

namespace {

struct Candidate {
  std::string word;
  std::string what;
};
struct Candidates {
  std::vector<Candidate> words;
  bool files = false;

  void add(std::string_view word, std::string_view what = "") {
    words.push_back({std::string(word), std::string(what)});
  }
};

constexpr std::size_t kMostNames = 2000;

// The fixed beginning: "hotspot:" of "hotspot:T", "ft(" of "ft(m,n)".
std::string_view beginning(std::string_view usage) {
  const std::size_t open = usage.find_first_of(":([");
  if (open == usage.npos) return usage;
  return usage.substr(0, usage[open] == '[' ? open : open + 1);
}

void add_engines(Candidates& found) {
  for (const Engine& engine : engines()) found.add(engine.name, engine.summary);
}
void add_routings(Candidates& found) {
  add_engines(found);
  for (const AlgebraicKind& kind : algebraic_kinds()) {
    found.add(beginning(kind.usage), kind.usage);
  }
  found.add("live", "the tables in the switches");
  found.files = true;
}
// A family that is named already shows its parameters.
void add_fabrics(Candidates& found, std::string_view current) {
  for (const Family& family : families()) {
    const bool named =
        current.starts_with(beginning(family.usage)) && current.find_first_of("([") != current.npos;
    found.add(named ? family.usage : beginning(family.usage),
              fmt::format("{}: {}", family.usage, family.summary));
  }
  found.add("live", "the fabric that this machine is attached to");
  found.files = true;
}
void add_patterns(Candidates& found) {
  for (const Pattern& pattern : patterns()) found.add(beginning(pattern.usage), pattern.summary);
}

void add_names(Candidates& found, const std::string& fabric_name) {
  if (fabric_name.empty() || fabric_name == "-") return;
  const LoadedFabric loaded = load_fabric(fabric_name);
  const Fabric& fabric = loaded.fabric;
  for (const Switch s : ids<Switch>(std::min(fabric.num_switches(), kMostNames))) {
    found.add(unique_name(fabric, s), "switch");
  }
  const Hosts hosts = named_hosts(fabric);
  for (const Host host : ids<Host>(std::min(hosts.size(), kMostNames))) {
    found.add(unique_name(fabric, hosts, host), "host");
  }
}

// The words of an option or argument, by its name.
void add_values(Candidates& found, std::string_view verb, const OptionView& option,
                std::string_view name, const std::string& fabric, std::string_view current) {
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  };
  for (const std::string& word : option.words) found.add(word);
  if (!found.words.empty()) return;
  if (is({"FABRIC", "A", "B", "PLAN", "FOUND"})) return add_fabrics(found, current);
  if (is({"ROUTING", "--routing", "--engine"})) return add_routings(found);
  if (is({"--engines", "--worst"})) return add_engines(found);
  if (is({"--traffic"})) return add_patterns(found);
  if (is({"--for"})) {
    for (const char* const aim : {"alltoall", "permutations", "shifts", "job:", "traffic:"}) {
      found.add(aim);
    }
    return;
  }
  if (is({"--collective"}) && verb == "sim") return add_patterns(found);
  if (is({"--collective"})) {
    for (const CollectiveRow& row : collectives()) found.add(row.name);
    return;
  }
  if (verb == "study" && is({"NAME"})) {
    for (const Study& study : studies()) found.add(study.name, study.claim);
    return;
  }
  if (is({"--hosts", "--free", "--from", "--cut", "--remove", "--lose", "--manager"}) ||
      (verb == "trace" && is({"--to"}))) {
    add_names(found, fabric);
  }
  found.files = true;
}

// The position of the last word: after an option, or as which argument.
struct Place {
  const OptionView* option = nullptr;  // whose value it is
  std::string name;
  std::string fabric;
};

Place place_of(const std::vector<OptionView>& options, std::span<const char* const> words) {
  std::vector<const OptionView*> arguments;
  for (const OptionView& option : options) {
    if (!option.argument.empty()) arguments.push_back(&option);
  }
  Place place;
  std::size_t argument = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i];
    const bool last = i + 1 == words.size();
    const auto named = std::ranges::find_if(options, [&](const OptionView& option) {
      return std::ranges::find(option.names, word) != option.names.end();
    });
    if (!last && named != options.end()) {
      if (i + named->values >= words.size() - 1 && named->values > 0)
        return {&*named, word, place.fabric};
      i += named->values;
      continue;
    }
    if (argument == arguments.size()) continue;
    const OptionView* const now = arguments[argument];
    if (last) return {now, now->argument, place.fabric};
    if (now->argument == "FABRIC") place.fabric = word;
    if (!now->repeated) ++argument;
  }
  return place;
}

std::string lines_of(const Candidates& found, std::string_view current) {
  // Of a list, the last word is being typed.
  const std::size_t comma = current.rfind(',');
  const bool list = comma != current.npos && current.find('(') == current.npos;
  const std::string_view before = list ? current.substr(0, comma + 1) : "";
  const std::string_view rest = current.substr(before.size());
  std::string text;
  for (const auto& [word, what] : found.words) {
    const bool shown = word.starts_with(rest) || (rest.find('(') != rest.npos &&
                                                  word.starts_with(rest.substr(0, rest.find('('))));
    if (shown) text += fmt::format("{}{}\t{}\n", before, word, what);
  }
  return text + (found.files ? "*files*\n" : "");
}

}  // namespace

std::string completions(const CommandLine& app, std::span<const char* const> words) {
  Candidates found;
  const std::string_view current = words.empty() ? "" : words.back();
  const bool is_help = words.size() == 2 && std::string_view(words[0]) == "help";
  if (words.size() < 2 || is_help) {
    for (const Verb& verb : app.verbs()) found.add(verb.name(), verb.summary());
    found.add("help", "what each verb does");
    if (is_help) {
      found.add("formulas", "formulas of fabrics");
      found.add("engines", "engines and algebraic routings");
    } else {
      found.add("--version", "print the version");
    }
    return lines_of(found, current);
  }
  const std::string_view name = words[0];
  const auto verb = std::ranges::find(app.verbs(), name, &Verb::name);
  if (verb == app.verbs().end()) return "";
  const std::vector<OptionView> options = verb->options();
  const Place place = place_of(options, words.subspan(1));
  const bool is_value = place.option != nullptr && place.option->argument != place.name;
  if (current.starts_with('-') && !is_value) {
    for (const OptionView& option : options) {
      for (const std::string& spelling : option.names) found.add(spelling, option.help);
    }
    return lines_of(found, current);
  }
  if (place.option != nullptr) {
    try {
      add_values(found, name, *place.option, place.name, place.fabric, current);
    } catch (const InputError&) {
      // A fabric that can't be read has no names to offer.
    }
  }
  return lines_of(found, current);
}

}  // namespace fatwood::cli
