// SPDX-License-Identifier: BSD-3-Clause
// fatwood repair FABRIC OLD: tables for the fabric as it is now that keep what can stay.

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <ostream>

#include "analysis/channel_use.hpp"
#include "cli/tables_choice.hpp"
#include "cli/verb.hpp"
#include "io/lfts.hpp"
#include "io/load_tables.hpp"
#include "io/output.hpp"
#include "report/repair_report.hpp"
#include "verify/deadlock.hpp"
#include "verify/reachability.hpp"

namespace fatwood::cli {

namespace {

struct RepairArguments {
  FabricArgument fabric;
  std::string old;
  std::string output;
};

RepairReport judge(const Model& model, const LoadedTables& old, const Repaired& repaired,
                   int threads) {
  Routing routing;
  routing.engine = "repair";
  routing.tables = repaired.tables;
  std::vector<TableEntry> forced = repaired.forced;
  forced.insert(forced.end(), repaired.dropped.begin(), repaired.dropped.end());
  const Reachability reach = find_reachability(model.fabric(), routing, threads);
  return {
      .changes = table_changes(model, old.tables, repaired.tables, old.lids, threads),
      .entries_forced = forced.size(),
      .blocks_forced = blocks_of(forced, old.tables, old.lids),
      .entries_dropped = repaired.dropped.size(),
      .mload = spread_of_flows(model.fabric(), find_channel_use(model, routing, threads)).largest,
      .transition = find_transition(model, old.tables, repaired.tables, threads).safety,
      .unreachable = reach.unreachable,
      .loops = reach.loops,
      .deadlock_free = find_deadlock(model.fabric(), routing, Sources::kAll, threads).free(),
      .seconds = 0,
      .files = {}};
}

void run(const RepairArguments& arguments, Session& session) {
  const Model model = load(arguments.fabric);
  const LoadedTables old = load_tables(arguments.old, model.fabric());
  require_single_ports(old.sets, arguments.old);
  print_warnings(old.warnings);
  const auto start = std::chrono::steady_clock::now();
  const Repaired repaired = keep_what_can_stay(model, old.tables, session.threads);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  RepairReport report = judge(model, old, repaired, session.threads);
  report.seconds = spent.count();
  if (!arguments.output.empty()) {
    write_output(arguments.output, [&](std::ostream& out) {
      write_lfts(out, model.fabric(), repaired.tables, old.lids);
    });
    report.files.push_back(arguments.output);
  }
  const bool taken = arguments.output == "-";
  fmt::print(taken ? stderr : stdout, "{}",
             session.json ? repair_json(report) : repair_text(report));
  session.status = report.holds() ? 0 : 1;
}

}  // namespace

void add_repair(CommandLine& app, Session& session) {
  Verb* verb =
      app.add_verb("repair", "keep every entry of old tables that can stay, and repair the rest");
  auto arguments = std::make_shared<RepairArguments>();
  add_fabric(*verb, arguments->fabric);
  verb->add_option("OLD", arguments->old, "a file of the tables in the switches")->required();
  verb->add_option("-o,--output", arguments->output,
                   "file: the new tables, as `opensm -R file -U FILE` reads them");
  add_threads(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood repair 'ft(8,3)' --cut S1_0[1] old.lfts -o new.lfts");
  verb->callback([arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
