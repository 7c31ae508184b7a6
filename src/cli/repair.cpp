// SPDX-License-Identifier: BSD-3-Clause
// fatwood repair FABRIC OLD: tables for the fabric as it is now that keep what can stay.

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <ostream>

#include "analysis/channel_use.hpp"
#include "analysis/even_repair.hpp"
#include "cli/tables_choice.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/lfts.hpp"
#include "io/load_tables.hpp"
#include "io/output.hpp"
#include "report/repair_report.hpp"
#include "routing/engine.hpp"
#include "verify/deadlock.hpp"
#include "verify/further_routes.hpp"
#include "verify/reachability.hpp"

namespace fatwood::cli {

namespace {

struct RepairArguments {
  FabricArgument fabric;
  std::string old;
  std::string output;
  std::uint64_t spare_blocks = 0;
  bool forced_only = false;
};

std::vector<TableEntry> all_forced(const Repaired& repaired) {
  std::vector<TableEntry> forced = repaired.forced;
  forced.insert(forced.end(), repaired.dropped.begin(), repaired.dropped.end());
  return forced;
}

RepairReport judge(const Model& model, const LoadedTables& old, const Repaired& repaired,
                   const ForwardingTables& tables, int threads) {
  Routing routing;
  routing.engine = "repair";
  routing.tables = tables;
  const std::vector<TableEntry> forced = all_forced(repaired);
  const Reachability reach = find_reachability(model.fabric(), routing, threads);
  RepairReport report;
  report.changes = table_changes(model, old.tables, tables, old.lids, threads);
  report.entries_forced = forced.size();
  report.blocks_forced = blocks_of(forced, old.tables, old.lids);
  report.entries_dropped = repaired.dropped.size();
  report.mload = spread_of_flows(model.fabric(), find_channel_use(model, routing, threads)).largest;
  report.mload_forced = report.mload;
  report.transition = find_transition(model, old.tables, tables, threads).safety;
  report.unreachable = reach.unreachable;
  report.loops = reach.loops;
  report.deadlock_free = find_deadlock(model.fabric(), routing, Sources::kAll, threads).free();
  return report;
}

// Pairs of terminals that no legal route joins get further routes of sftree, where these can be
// proved together with the rest.
Repaired with_further_routes(const Model& model, Repaired repaired, int threads) {
  Routing routing;
  routing.tables = repaired.tables;
  if (find_reachability(model.fabric(), routing, threads).unreachable.terminal_terminal == 0) {
    return repaired;
  }
  try {
    const Routing fresh =
        route(find_engine("sftree"), model, {.lmc = repaired.tables.lmc(), .threads = threads});
    auto tables = take_further_routes(model, repaired.tables, fresh, threads);
    if (!tables) return repaired;
    repaired.tables = *std::move(tables);
  } catch (const PromiseError&) {
    return repaired;  // pairs that no cable joins
  }
  std::vector<TableEntry> dropped;
  for (const TableEntry& entry : repaired.dropped) {
    const bool routed = repaired.tables.at(entry.target, entry.at) != kNoRoute;
    (routed ? repaired.forced : dropped).push_back(entry);
  }
  repaired.dropped = std::move(dropped);
  return repaired;
}

struct Result {
  ForwardingTables tables;
  RepairReport report;
};

// Evened out, unless that would cost a proof that the forced changes alone have.
Result repair(const Model& model, const LoadedTables& old, const RepairArguments& arguments,
              const Session& session) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const Repaired repaired = with_further_routes(
      model, keep_what_can_stay(model, old.tables, session.threads), session.threads);
  const double forced_seconds = seconds();
  const auto forced_alone = [&] {
    Result result{repaired.tables, judge(model, old, repaired, repaired.tables, session.threads)};
    result.report.seconds = forced_seconds;
    return result;
  };
  if (arguments.forced_only) return forced_alone();
  KeptTables kept(model, repaired.tables, session.threads);
  const EvenResult even =
      even_out(kept, old.lids, all_forced(repaired),
               {.spare_blocks = arguments.spare_blocks, .threads = session.threads});
  const double spent = seconds();
  if (even.moves.empty()) return forced_alone();
  Result result{kept.tables(), judge(model, old, repaired, kept.tables(), session.threads)};
  result.report.seconds = spent;
  result.report.mload_forced = even.before;
  result.report.spare_blocks = even.spare_blocks;
  if (result.report.deadlock_free && result.report.transition == Safety::kAnyOrder) return result;
  Result plain = forced_alone();
  const bool worse = (plain.report.deadlock_free && !result.report.deadlock_free) ||
                     plain.report.transition < result.report.transition;
  return worse ? plain : result;
}

void run(const RepairArguments& arguments, Session& session) {
  const Model model = load(arguments.fabric);
  const LoadedTables old = load_tables(arguments.old, model.fabric());
  require_single_ports(old.sets, arguments.old);
  print_warnings(old.warnings);
  Result result = repair(model, old, arguments, session);
  const ForwardingTables& new_tables = result.tables;
  RepairReport& report = result.report;
  if (!arguments.output.empty()) {
    write_output(arguments.output,
                 [&](std::ostream& out) { write_lfts(out, model.fabric(), new_tables, old.lids); });
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
  verb->add_option("--spare-blocks", arguments->spare_blocks,
                   "further blocks of 64 LIDs that may be sent to even out the load");
  verb->add_flag("--forced-only", arguments->forced_only,
                 "change only the entries that must change, even in blocks that are sent anyway");
  add_threads(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood repair 'ft(8,3)' --cut S1_0[1] old.lfts -o new.lfts");
  verb->callback([arguments, verb, &session] {
    if (arguments->forced_only && verb->given("--spare-blocks")) {
      throw InputError("give either --forced-only or --spare-blocks");
    }
    run(*arguments, session);
  });
}

}  // namespace fatwood::cli
