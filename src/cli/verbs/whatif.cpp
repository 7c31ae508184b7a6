// SPDX-License-Identifier: BSD-3-Clause
// fatwood whatif FABRIC [ENGINE]: what each loss costs, and what to put back first.

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "cli/options/tables_choice.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "core/parse_number.hpp"
#include "report/change/whatif_report.hpp"
#include "routing/tables/fingerprint.hpp"

namespace fatwood::cli {

namespace {

constexpr std::size_t kBatch = 512;  // faults between two looks at the clock and the kept file

struct WhatifArguments {
  FabricArgument fabric;
  TablesChoice tables;
  std::string only;
  std::vector<std::string> add;
  std::size_t set_size = 0;
  std::size_t samples = 1000;
  std::size_t permutations = 8;
  std::size_t top = 10;
  std::string keep;
  bool csv = false;
};

std::vector<Fault> faults_asked_for(const Model& model, const WhatifArguments& arguments,
                                    const Session& session) {
  if (arguments.set_size > 0) {
    return random_cables(model, arguments.set_size, arguments.samples, session.seed);
  }
  std::vector<Fault> faults;
  if (arguments.only != "switches") faults = single_cables(model);
  if (arguments.only != "cables") {
    for (Fault& fault : single_switches(model)) faults.push_back(std::move(fault));
  }
  return faults;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The costs of all faults; those of an earlier run are taken from the file that keeps them.
std::vector<FaultCost> costs_of(const FaultCosts& judge, const std::vector<Fault>& faults,
                                const std::string& keep, std::uint64_t key,
                                const Session& session) {
  std::vector<std::optional<FaultCost>> costs(faults.size());
  std::ofstream file;
  if (!keep.empty()) {
    const auto text = [&] { return text_of(keep); };
    costs = read_kept(session.share ? session.share.once(text) : text(), key, faults);
  }
  const bool keeps = !keep.empty() && session.rank == 0;
  if (keeps) {
    // Written anew, so that an unfinished line does not stay.
    file.open(keep, std::ios::binary | std::ios::trunc);
    file << kept_head(key);
    for (std::size_t i = 0; i < faults.size(); ++i) {
      if (costs[i]) file << kept_line(faults[i], *costs[i]);
    }
    if (!file.flush()) throw InputError({.file = keep}, "can't be written");
  }
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (!costs[i]) open.push_back(i);
  }
  const Progress progress = terminal_progress("whatif");
  // Ranks wait for each other after each batch.
  const std::size_t batch_size = kBatch * static_cast<std::size_t>(session.share.processes);
  for (std::size_t first = 0; first < open.size(); first += batch_size) {
    const std::size_t end = std::min(first + batch_size, open.size());
    std::vector<Fault> batch;
    for (std::size_t k = first; k < end; ++k) batch.push_back(faults[open[k]]);
    const std::vector<FaultCost> found = judge.of(batch, {}, session.share);
    for (std::size_t k = first; k < end; ++k) {
      costs[open[k]] = found[k - first];
      if (keeps) file << kept_line(faults[open[k]], found[k - first]);
    }
    if (keeps) file.flush();
    report(progress, static_cast<double>(end) / static_cast<double>(open.size()),
           fmt::format("{} of {} faults", end, open.size()));
  }
  std::vector<FaultCost> all;
  for (const auto& cost : costs) all.push_back(*cost);
  return all;
}

AddedGain gain_of(const Model& model, const std::string& what, const Engine& engine,
                  const RouteOptions& options, std::size_t permutations, std::uint64_t seed) {
  const std::size_t at = what.find('@');
  const std::string kind = what.substr(0, at);
  const std::optional<unsigned> level =
      at == std::string::npos ? std::nullopt : parse_number<unsigned>(what.substr(at + 1));
  if (!level || (kind != "cable" && kind != "switch")) {
    throw InputError({.file = fmt::format("--add {}", what)},
                     "expected cable@LEVEL (one more for each switch) or switch@LEVEL");
  }
  const unsigned height = model.levels().height;
  if (*level == 0 || *level > (kind == "cable" ? height - 1 : height)) {
    throw InputError({.file = fmt::format("--add {}", what)},
                     fmt::format("switches have levels 1 to {}, and cables up leave 1 to {}",
                                 height, height - 1));
  }
  const auto asked = static_cast<Level>(*level);
  std::optional<Extended> extended;
  if (kind == "cable") {
    extended = with_cable_each(model, asked);
  } else {
    extended = with_switch(model, asked);
  }
  if (!extended) throw InputError(fmt::format("no switch has level {}", *level));
  const Model with(std::move(extended->fabric), model.hints());
  return {what, extended->cables, extended->ports_lacking,
          standing_with(with, engine, options, permutations, seed)};
}

void run(const WhatifArguments& arguments, const Session& session) {
  if (arguments.csv && session.json) throw InputError("give either --csv or --json");
  if (arguments.csv && !arguments.add.empty()) {
    throw InputError("--add has no effect here: --csv prints the faults alone");
  }
  const Model model = load(arguments.fabric, session);
  require_tree(model.levels(), "whatif");
  const Routing routing = load_routing(model, arguments.tables, session);
  if (!routing.source_routes.empty()) {
    throw InputError(
        fmt::format("{} routes by pair: there are no tables to repair", routing.engine));
  }
  const auto start = std::chrono::steady_clock::now();
  const Lids lids = assign_lids(model.fabric(), routing.tables.lmc());
  const KeptTables kept(model, routing.tables, session.threads);
  const FaultCosts judge(kept, lids, session.threads, arguments.permutations, session.seed);
  WhatifReport report;
  report.engine = routing.engine;
  report.now = standing(model, routing.tables, judge.flows());
  report.now.permutation_gigabits = judge.permutations().gigabits();
  report.faults = faults_asked_for(model, arguments, session);
  const std::uint64_t key = fingerprint(model.fabric()) ^
                            (3 * fingerprint(model.fabric(), routing)) ^
                            (5 * (arguments.permutations + (session.seed << 32)));
  report.costs = costs_of(judge, report.faults, arguments.keep, key, session);
  report.by_engine = is_engine(routing.engine);
  if (report.by_engine) {
    const Engine& engine = find_engine(routing.engine);
    const RouteOptions options = route_options(model, arguments.tables.route, session);
    report.put_back =
        find_put_back(model, engine, options, terminal_progress("put back"), session.share);
    for (const std::string& what : arguments.add) {
      report.added.push_back(
          gain_of(model, what, engine, options, arguments.permutations, session.seed));
    }
  }
  report.pairs = find_fault_pairs(model, session.threads);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print("{}", session.json    ? whatif_json(model, report)
                   : arguments.csv ? whatif_csv(model, report)
                                   : whatif_text(model, report, arguments.top));
}

}  // namespace

void add_whatif(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("whatif", "show what each loss costs, and what to put back first");
  auto arguments = std::make_shared<WhatifArguments>();
  arguments->tables.tables = "sftree";
  add_fabric(*verb, arguments->fabric);
  add_tables(*verb, arguments->tables, table_engine_names());
  verb->add_option("--only", arguments->only, "cables or switches (default: both)")
      ->one_of({"cables", "switches"});
  verb->add_option("--sets", arguments->set_size,
                   "try random sets of this many cables instead of single losses");
  verb->add_option("--samples", arguments->samples, "how many sets")->show_default();
  verb->add_option("--permutations", arguments->permutations,
                   "how many random permutations tell what the slowest flow gets; 0: none")
      ->range(std::size_t{0}, std::size_t{1000})
      ->show_default();
  verb->add_option("--add", arguments->add,
                   "what cable@LEVEL (one more up from each switch) or switch@LEVEL would give")
      ->one_each();
  verb->add_option("--top", arguments->top, "lines of each table")->show_default();
  verb->add_option("--keep", arguments->keep,
                   "file: results so far; a run that was stopped goes on from it");
  verb->add_flag("--csv", arguments->csv, "print the faults as CSV");
  add_threads(*verb, session);
  add_seed(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood whatif 'ft(8,3)' --cut 3 sftree --add switch@3");
  const auto uses = [arguments, &session] {
    return uses_of(arguments->fabric, session) | uses_of(arguments->tables) |
           (arguments->permutations > 0 ? kSampled : 0) |
           (session.json || arguments->csv ? 0 : kText);
  };
  verb->callback(uses, [arguments, verb, &session] {
    const bool sets = verb->given("--sets");
    if (sets && verb->given("--only")) throw InputError("give either --sets or --only");
    if (sets && arguments->set_size == 0) throw InputError("--sets 0: expected 1 or more");
    run(*arguments, session);
  });
}

}  // namespace fatwood::cli
