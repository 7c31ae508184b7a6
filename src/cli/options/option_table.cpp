// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/option_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/invariant.hpp"
#include "routing/engine.hpp"

namespace fatwood::cli {

namespace {

constexpr std::string_view kWithFabric =
    "check-certificate compare convert diff job load optimise order permutations repair report "
    "route show sim trace transition verify whatif worst";
constexpr std::string_view kWithEngines =
    "check-certificate compare optimise report route trace verify whatif";

constexpr OptionRow kRows[] = {
    // How, not what: nobody's result depends on them.
    {"--threads",
     "check-certificate compare diff job load optimise order permutations repair report route sim "
     "study trace transition verify whatif worst",
     kVerb, ""},
    {"--json",
     "check-certificate compare diff job load optimise order permutations repair route show sim "
     "study trace transition verify whatif worst",
     kVerb, ""},
    // A fabric.
    {"--node-name-map --cut --remove --faults", kWithFabric, kVerb, ""},
    {"--fault-seed --keep-connected", kWithFabric, kDrawnFaults, ""},
    // Hints: levels.
    {"--roots --compute", "compare load repair report show transition verify whatif worst", kVerb,
     ""},
    {"--roots --compute", "convert", kLevels, ""},
    {"--roots", "check-certificate job optimise order permutations sim trace", kLevels, ""},
    {"--roots", "route", kLevels, "--out-opensm"},
    {"--compute", "check-certificate job optimise order permutations sim trace", kLevels | kBalance,
     ""},
    {"--compute", "route", kLevels | kBalance, "--out-opensm"},
    // Hints: who counts for balance.
    {"--io --uncounted",
     "check-certificate compare job load optimise order permutations report route sim trace verify "
     "whatif worst",
     kBalance, ""},
    {"--count-aggregation", "compare load order permutations repair report sim whatif worst", kVerb,
     ""},
    {"--count-aggregation", "check-certificate optimise route trace verify", kBalance, ""},
    {"--count-aggregation", "job", kBalance, "--trace"},
    {"--count-flows", "compare job load order permutations repair report show sim whatif worst",
     kVerb, ""},
    // Engines.
    {"--lmc", kWithEngines, kEngine, ""},
    {"--lanes", kWithEngines, kLanes, ""},
    {"--order", kWithEngines, kOrder, ""},
    {"--manager", kWithEngines, kManager, ""},
    {"--choice", "report route", kGroups, ""},
    {"--groups", "check-certificate compare report route verify whatif", kGroups, ""},
    {"--for --effort", kWithEngines, kAim, ""},
    {"--for --effort", "load", kAim, ""},
    // Tables of a file.
    {"--sl --sl2vl --whole-sl", "check-certificate trace verify", kTablesFile, ""},
    // Chance.
    {"--seed", "check-certificate route trace verify worst", kDraws, ""},
    {"--seed", "compare optimise order", kVerb, ""},
    {"--seed", "sim", kDraws, "--load"},
    {"--seed", "job", kDraws, "--hashed --improve"},
    {"--seed", "load", kDraws, "--queue-pairs --at-most"},
    {"--seed", "permutations", kDraws | kSampled, ""},
    {"--seed", "report", kDraws | kGroups, "--tables"},
    {"--seed", "study", kStudies, ""},
    {"--seed", "whatif", kDraws | kSampled, "--sets"},
    // Verbs.
    {"--to --output", "convert", kVerb, ""},
    {"--guids", "convert", kGuids, ""},
    {"--tables", "diff", kVerb, ""},
    {"--traffic --top --bound --check-bound", "load", kVerb, ""},
    {"--queue-pairs --at-most", "load", kPortSets, ""},
    {"--seeds --same-hash", "load", 0, "--queue-pairs --at-most"},
    {"--engine --patience --sample --output --sl", "optimise", kVerb, ""},
    {"--hosts --collective --output", "order", kVerb, ""},
    {"--shifts --rates", "permutations", kVerb, ""},
    {"--bisections", "permutations", 0, "--rates"},
    {"--samples --width", "permutations", kSampled, ""},
    {"--sl --output --spare-blocks --forced-only", "repair", kVerb, ""},
    {"--sl-output --lanes", "repair", 0, "--sl"},
    {"--output --tables --engines --worst --jobs --title", "report", kVerb, ""},
    {"--sl", "report", 0, "--tables"},
    {"--sl2vl", "report", 0, "--sl"},
    {"--engine --output --out-opensm --addresses --sl", "route", kVerb, ""},
    {"--to", "route", 0, "--output"},
    {"--all", "show", kText, ""},
    {"--list", "study", kVerb, ""},
    {"--all --quick --out --fresh", "study", kStudies, ""},
    {"--fabric", "study", kStudyFabrics, ""},
    {"--opensm", "study", kStudyOpensm, ""},
    {"--engine --from --to", "trace", kVerb, ""},
    {"--offset", "trace", kHostTarget, ""},
    {"--sl --new-sl", "transition", kVerb, ""},
    {"--engine --certificate --from --terminals-only", "verify", kVerb, ""},
    {"--from-sl", "verify", 0, "--from"},
    {"--rechoose", "verify", kPortSets, ""},
    {"--only --sets --permutations --keep --csv", "whatif", kVerb, ""},
    {"--samples", "whatif", 0, "--sets"},
    {"--add", "whatif", kEngine, ""},
    {"--top", "whatif", kText, ""},
    {"--permutation --output", "worst", kVerb, ""},
    // The simulator.
    {"--routing --adaptive --load --collective --trace --service-level --csv --svg", "sim", kVerb,
     ""},
    {"--sl", "sim", kTablesFile, ""},
    {"--choice", "sim", kPortSets, ""},
    {"--burst-silence", "sim", kBounded, ""},
    {"--paths", "sim", kManyPaths, ""},
    {"--traffic --switch-load --cycles --series --use --message-flits", "sim", 0, "--load"},
    {"--message-size", "sim", 0, "--load --collective"},
    {"--placement", "sim", 0, "--collective"},
    {"--barrier --stages", "sim", kSeveralStages, ""},
    {"--switch-service-level", "sim", kSwitchMessages, ""},
    {"--switch-to", "sim", 0, "--load --trace"},
    {"--at --order --write-gap", "sim", 0, "--switch-to"},
    {"--drain", "sim", kRounds, ""},
    {"--port0-speed", "sim", kSwitchMessages, "--trace"},
    {"--flit-bytes", "sim", 0, "--mtu --message-size --collective --trace"},
    {"--packet-flits --mtu --buffer-packets --input-flits --output-flits --queueing --receivers "
     "--crossbar --link-latency --switch-latency --link-speed --links --terminal-speed --lanes "
     "--shares --high-limit --sl-to-vl",
     "sim", kVerb, ""},
    // Jobs.
    {"--hosts --trace --rate --beside --flits --hashed --improve --candidates --hostfile "
     "--rankfile --machinefile --slurm-hostfile",
     "job", kVerb, ""},
    {"--collective --message-size", "job", kCollectives, ""},
    {"--ranks-per-host", "job", kRankCount, ""},
    {"--adapters", "job", kAdapters, ""},
    {"--weight", "job", 0, "--beside"},
    {"--queue-pairs", "job", 0, "--hashed"},
    {"--channels", "job", kRingsOrTrees, ""},
    {"--cross-nic", "job", kRings, ""},
    {"--no-pxn", "job", kSendReceive, ""},
    {"--window", "job", kAllToAlls, ""},
    {"--root", "job", kRooted, ""},
    {"--latency", "job", kLatency, ""},
    {"--groups", "job", kCollectives, ""},
    {"--tensor --data --pipeline", "job", kGroupSizes, ""},
    {"--expert", "job", kExpertGroups, ""},
    {"--free", "job", kPlacement, ""},
    {"--tries", "job", 0, "--improve"},
};

// Is the word in the list?
bool has_word(std::string_view list, std::string_view word) {
  for (std::size_t at = list.find(word); at != std::string_view::npos;
       at = list.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    words.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

// "a, b or c"
std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string engines_that(bool Engine::* reads) {
  std::vector<std::string> names;
  for (const Engine& engine : engines()) {
    if (engine.*reads) names.emplace_back(engine.name);
  }
  return "engine " + joined(names);
}

// What a person would have to ask for, so that there is such a use.
std::string text_of(Uses one) {
  switch (one) {
    case kDrawnFaults:
      return "faults that are drawn at random, such as --cut 5%";
    case kDraws:
      return "something that is drawn at random, such as traffic cluster:4, routing random:2 or "
             "engine lash";
    case kText:
      return "text (no --json or --csv: these list everything)";
    case kEngine:
      return "an engine";
    case kLanes:
      return engines_that(&Engine::lanes);
    case kOrder:
      return engines_that(&Engine::order);
    case kManager:
      return engines_that(&Engine::manager);
    case kGroups:
      return engines_that(&Engine::adaptive);
    case kAim:
      return engines_that(&Engine::aims);
    case kLevels:
      return "what goes by levels: " + engines_that(&Engine::levels);
    case kBalance:
      return "what balances: " + engines_that(&Engine::balance);
    case kTablesFile:
      return "a file of tables";
    case kPortSets:
      return "adaptive tables";
    case kBounded:
      return "adaptive tables with bounded entries (--choice bounded)";
    case kManyPaths:
      return "a routing with several paths a pair, such as disjoint:4";
    case kGuids:
      return "--to guids";
    case kHostTarget:
      return "--to with a host";
    case kSampled:
      return "random permutations";
    case kStudies:
      return "studies that are run";
    case kStudyFabrics:
      return "study real-fabrics";
    case kStudyOpensm:
      return "study 003-table4 or degradation";
    case kSeveralStages:
      return "--collective with several stages, such as shifts";
    case kRounds:
      return "--switch-to with --order rounds";
    case kSwitchMessages:
      return "--switch-load";
    case kCollectives:
      return "a collective";
    case kRankCount:
      return "a collective or a trace of ranks";
    case kAdapters:
      return "a job of hosts";
    case kRings:
      return "a collective in rings of NCCL";
    case kRingsOrTrees:
    case kLatency:
      return "a collective in rings or trees of NCCL";
    case kAllToAlls:
      return "an all-to-all of NCCL";
    case kRooted:
      return "a broadcast or reduce of NCCL";
    case kSendReceive:
      return "a send-receive of NCCL";
    case kGroupSizes:
      return "--groups data, tensor, pipeline or expert";
    case kExpertGroups:
      return "--groups expert";
    case kPlacement:
      return "--improve placement or both";
    default:
      return {};
  }
}

}  // namespace

std::span<const OptionRow> option_rows() { return kRows; }

bool has_option(std::string_view verb, std::string_view option) {
  return std::ranges::any_of(kRows, [&](const OptionRow& row) {
    return has_word(row.options, option) && has_word(row.verbs, verb);
  });
}

std::string why_void(std::string_view verb, std::string_view option, Uses uses,
                     const std::function<bool(std::string_view)>& given) {
  std::vector<std::string> readers;
  bool known = false;
  for (const OptionRow& row : kRows) {
    if (!has_word(row.options, option) || !has_word(row.verbs, verb)) continue;
    known = true;
    if ((row.uses & (uses | kVerb)) != 0) return {};
    for (Uses bit = 1; bit != 0; bit <<= 1U) {
      if ((row.uses & bit) != 0) readers.push_back(text_of(bit));
    }
    for (const std::string& other : words_of(row.with)) {
      if (given(other)) return {};
      readers.push_back(other);
    }
  }
  invariant(known, fmt::format("no row of the table of options is for {} {}", verb, option));
  return fmt::format("{} has no effect here: it goes with {}", option, joined(readers));
}

}  // namespace fatwood::cli
