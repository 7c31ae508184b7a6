// SPDX-License-Identifier: BSD-3-Clause
// fatwood repair FABRIC OLD: tables for the fabric as it is now that keep what can stay.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <ostream>
#include <utility>

#include "analysis/load/all_to_all.hpp"
#include "cli/options/tables_choice.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/base/output.hpp"
#include "io/tables/lane_file.hpp"
#include "io/tables/lfts.hpp"
#include "io/tables/load_tables.hpp"
#include "report/change/repair_report.hpp"
#include "routing/improve/even_repair.hpp"
#include "routing/repair/kept_lanes.hpp"
#include "verify/deadlock/deadlock.hpp"
#include "verify/fill_in_order.hpp"
#include "verify/further_routes.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood::cli {

namespace {

struct RepairArguments {
  FabricArgument fabric;
  std::string old;
  std::string output;
  std::uint64_t spare_blocks = 0;
  bool forced_only = false;
  std::string sl, sl_output;
  unsigned lanes = 8;
};

std::vector<TableEntry> all_forced(const Repaired& repaired) {
  std::vector<TableEntry> forced = repaired.forced;
  forced.insert(forced.end(), repaired.dropped.begin(), repaired.dropped.end());
  return forced;
}

// What is repaired.
struct Old {
  LoadedTables loaded;
  Routing routing;  // its tables are those that are loaded, with lanes
  unsigned most_lanes = 1;
};

struct Result {
  Routing routing;
  RepairReport report;
};

// With lanes where the old tables have several; all on one where these can't be kept apart.
Result judge(const Model& model, const Old& old, const Repaired& repaired, std::uint64_t least,
             ForwardingTables tables, int threads) {
  Result result;
  Routing& routing = result.routing;
  RepairReport& report = result.report;
  routing.engine = "repair";
  routing.tables = std::move(tables);
  if (!old.routing.lanes.single()) {
    if (auto kept = keep_lanes(model, old.routing, routing.tables, old.most_lanes)) {
      routing.lanes = std::move(kept->lanes);
      report.routes_moved = kept->changed;
    }
  }
  const std::vector<TableEntry> forced = all_forced(repaired);
  const Reachability reach = find_reachability(model.fabric(), routing, threads);
  const ForwardingTables& before = old.routing.tables;
  report.changes = table_changes(model, before, routing.tables, old.loaded.lids, threads);
  report.entries_forced = forced.size();
  report.entries_least = least;
  report.blocks_forced = blocks_of(forced, before, old.loaded.lids);
  report.entries_dropped = repaired.dropped.size();
  report.mload = all_to_all_load(model, routing, threads).mload;
  report.mload_forced = report.mload;
  report.transition =
      find_transition(model, before, routing.tables, threads, {&old.routing.lanes, &routing.lanes})
          .safety;
  report.unreachable = reach.unreachable;
  report.apart = reach.apart;
  report.loops = reach.loops;
  report.lanes = routing.lanes.count;
  report.deadlock_free = find_deadlock(model.fabric(), routing, Sources::kAll, threads).free();
  return result;
}

// Evened out, unless that would cost a proof that the forced changes alone have.
Result repair(const Model& model, const Old& old, const RepairArguments& arguments,
              const Session& session) {
  const int threads = session.threads;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const ForwardingTables& before = old.routing.tables;
  const Repaired by_levels = keep_what_can_stay(model, before, threads);
  const Repaired repaired =
      old.routing.lanes.single()
          ? with_further_routes(model, before, by_levels, threads)
          : with_tables(before, fill_for_lanes(model, before, by_levels.tables));
  const std::uint64_t least = least_changes(model, before, by_levels, repaired);
  const double forced_seconds = seconds();
  const auto forced_alone = [&] {
    Result result = judge(model, old, repaired, least, repaired.tables, threads);
    result.report.seconds = forced_seconds;
    return result;
  };
  if (arguments.forced_only) return forced_alone();
  KeptTables kept(model, repaired.tables, threads);
  const EvenResult even = even_out(kept, old.loaded.lids, all_forced(repaired),
                                   {.spare_blocks = arguments.spare_blocks, .threads = threads});
  const double spent = seconds();
  if (even.moves.empty()) return forced_alone();
  Result result = judge(model, old, repaired, least, kept.tables(), threads);
  result.report.seconds = spent;
  Routing forced;
  forced.tables = repaired.tables;
  result.report.mload_forced = all_to_all_load(model, forced, threads).mload;
  result.report.spare_blocks = even.spare_blocks;
  if (result.report.deadlock_free && result.report.transition == Safety::kAnyOrder) return result;
  Result plain = forced_alone();
  const bool worse = (plain.report.deadlock_free && !result.report.deadlock_free) ||
                     plain.report.transition < result.report.transition;
  return worse ? plain : result;
}

Old load_old(const Model& model, const RepairArguments& arguments) {
  Old old;
  old.loaded = load_tables(arguments.old, model.fabric());
  require_single_ports(old.loaded.sets, arguments.old);
  if (arguments.sl.empty()) {
    print_warnings(old.loaded.warnings);
    old.routing.tables = old.loaded.tables;
  } else {
    old.routing =
        read_tables_file(model.fabric(), arguments.old, {.sl = arguments.sl, .sl2vl = {}});
  }
  old.most_lanes = std::max(arguments.lanes, old.routing.lanes.count);
  return old;
}

void run(const RepairArguments& arguments, Session& session) {
  const Model model = load(arguments.fabric);
  const Old old = load_old(model, arguments);
  Result result = repair(model, old, arguments, session);
  const Lids& lids = old.loaded.lids;
  RepairReport& report = result.report;
  if (!arguments.output.empty()) {
    write_output(arguments.output, [&](std::ostream& out) {
      write_lfts(out, model.fabric(), result.routing.tables, lids);
    });
    report.files.push_back(arguments.output);
  }
  if (!arguments.sl_output.empty()) {
    write_output(arguments.sl_output, [&](std::ostream& out) {
      write_lanes(out, model.fabric(), result.routing, lids);
    });
    report.files.push_back(arguments.sl_output);
  }
  const bool taken = arguments.output == "-" || arguments.sl_output == "-";
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
  verb->add_option("--sl", arguments->sl,
                   "file: the service level of each path of OLD, as ibdmchk -c reads it");
  verb->add_option("--sl-output", arguments->sl_output,
                   "file: the service level of each path of the new tables");
  verb->add_option("--lanes", arguments->lanes, "most lanes that the new tables may need")
      ->range(1, 15)
      ->show_default();
  verb->add_option("-o,--output", arguments->output,
                   "file: the new tables, as `opensm -R file -U FILE` reads them");
  verb->add_option("--spare-blocks", arguments->spare_blocks,
                   "further blocks of 64 LIDs that may be sent to even out the load");
  verb->add_flag("--forced-only", arguments->forced_only,
                 "change only the entries that must change, even in blocks that are sent anyway");
  add_threads(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood repair 'ft(8,3)' --cut S1_0[1] old.lfts -o new.lfts");
  const auto uses = [arguments, &session] { return uses_of(arguments->fabric, session); };
  verb->callback(uses, [arguments, verb, &session] {
    if (arguments->forced_only && verb->given("--spare-blocks")) {
      throw InputError("give either --forced-only or --spare-blocks");
    }
    run(*arguments, session);
  });
}

}  // namespace fatwood::cli
