// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Repairs tables after the fabric has changed. As few entries as possible change.
//
// Steps:
// 1. Entries that must change take another up*/down* path (routing/repair/forced.hpp).
// 2. Pairs without an up*/down* path: on one VL they take a fallback route
//    (routing/repair/fallback_routes.hpp). With several VLs they take shortest paths, and unchanged
//    routes keep their VL (routing/repair/kept_lanes.hpp).
// 3. If the result cannot be proved, fresh tables are used.
// 4. Entries in LID blocks that are sent anyway, and in some more, move: to balance the load of
//    all-to-all (routing/improve/rebalance_blocks.hpp), or, if asked for, so that jobs and the
//    slowest pair get back what the fault took (routing/improve/spread_blocks.hpp). This is undone
//    if it costs the proof or a safe order of writing.
// 5. The result is proved: routes, deadlock, and the order in which switches can be rewritten.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/fraction.hpp"
#include "routing/engine.hpp"
#include "routing/improve/row_flows.hpp"
#include "routing/repair/changes.hpp"
#include "routing/repair/forced.hpp"
#include "routing/tables/lids.hpp"
#include "tasks/change/loss_figures.hpp"
#include "verify/reach/reachability.hpp"
#include "verify/transition.hpp"

namespace fatwood {

// Step 4 for jobs.
struct SpreadRequest {
  std::vector<Terminal> host_order = {};  // RouteOptions::host_order
  // The numbers of spare blocks to try, ascending, if this many blocks must be sent.
  std::function<std::vector<std::uint64_t>(std::uint64_t forced)> spare_blocks;
  // Takes one of them: the tables with each number, which are those of step 3 first. Empty: the
  // last.
  std::function<std::size_t(std::span<const ForwardingTables>)> choose = {};
};

struct RepairOptions {
  bool rebalance = true;           // step 4
  std::uint64_t spare_blocks = 0;  // extra blocks of 64 LIDs that may be sent for balance
  // Used instead of `spare_blocks` where possible (spread_blocks.hpp); nullptr: for the load.
  const SpreadRequest* spread = nullptr;
  unsigned max_lanes = 8;  // VLs of the new tables
  // Used unchanged if no repair can be proved; nullptr: tables of sftree.
  const Routing* fresh = nullptr;
  // The tables in the switches, kNoRoute where unknown; nullptr: the old tables.
  const ForwardingTables* in_switches = nullptr;
  // By destination, 1: known to need no repair (settled_rows). Empty: nothing is known.
  std::span<const std::uint8_t> settled = {};
  const KnownTables* known = nullptr;  // of the old tables; nullptr: nothing is known
  const TableFlows* flows = nullptr;   // of the old tables, if known
  int threads = 0;
};

// Pairs without a route in new tables.
struct RepairedPaths {
  PairCounts unreachable;
  PairCounts disconnected;  // unreachable pairs that no cables connect
  std::uint64_t loops = 0;  // of switches, summed over destinations

  PairCounts lost() const { return unreachable - disconnected; }
};

// New tables, and their proof.
struct RepairedTables {
  Routing routing;
  bool fresh = false;                               // step 3
  std::vector<TableEntry> forced;                   // entries that changed before step 4
  std::uint64_t entries_dropped = 0;                // forced entries that have no route now
  std::uint64_t entries_least = 0;                  // that no repair can keep (least_changes)
  std::uint64_t routes_moved = 0;                   // routes (switch, destination) in another VL
  std::optional<ForwardingTables> unbalanced = {};  // before step 4, if that moved entries
  std::uint64_t spare_blocks = 0;                   // blocks that are sent for balance alone
  RepairedPaths reach;
  bool deadlock_free = false;
  Transition transition;
  double seconds = 0;  // of steps 1 to 4
};

// Tables that a repair could take, by the blocks that they change.
struct TradePoint {
  std::uint64_t blocks = 0;
  LossFigures figures = {};
  bool taken = false;
};

// The same, with figures for reports.
struct RepairResult : RepairedTables {
  TableChanges changes = {};
  std::uint64_t blocks_forced = 0;
  Fraction mload = {};         // most loaded link, adapter links included, all to all
  Fraction mload_forced = {};  // before step 4
  Participants who = {};       // of the figures
  std::string host_order = {};
  LossFigures unrepaired = {}, forced_figures = {}, repaired = {};  // old tables; step 3; result
  std::optional<LossFigures> rerouted = {};                         // fresh tables
  std::optional<std::uint64_t> blocks_rerouted = {};  // that these change; tables only
  std::string engine = {}, not_rerouted = {};         // of these; why there are none
  std::vector<TradePoint> trade = {};                 // of step 4 for jobs

  // What every tree engine promises: each pair of terminals has a route, nothing loops or
  // deadlocks.
  bool holds() const {
    return reach.unreachable.terminal_terminal == 0 && reach.loops == 0 && deadlock_free;
  }
};

// `old`: tables of this fabric's size, with the VLs of their routes. PromiseError unless the fabric
// is like a tree. Cost: O(destinations * switches) for facts about the old tables that are not
// known yet; all else, on one VL, only for rows that change.
RepairedTables repair_tables(const Model& model, const Routing& old, const Lids& lids,
                             const RepairOptions& options = {});

// How a repair is compared with fresh tables, and what it may send.
struct TradeOptions {
  std::optional<std::uint64_t> blocks = {};  // to send at most; no value: the recommended number
  const Engine* engine = nullptr;            // of fresh tables; nullptr: none
  RouteOptions route = {};                   // for this engine
  std::optional<Participants> who = {};      // none: default_participants()
  GivenOrder order = {};                     // of hosts in jobs
};

// A repair that is enough: the slowest pair and the jobs have at least this part of what fresh
// tables give them.
inline constexpr double kEnoughWorst = 0.90, kEnoughJobs = 0.95;
// How much of that these figures are: 1 or more is enough.
double part_of_enough(const LossFigures& found, const LossFigures& fresh);
// The first of some repairs, by blocks, that is enough; else the one that is nearest to it.
std::size_t first_enough(std::size_t repairs, const std::function<double(std::size_t)>& part);
// The spare blocks with which 1, 2, 4 and 8 times the forced ones are sent.
std::vector<std::uint64_t> usual_spare_blocks(std::uint64_t forced);
// RouteOptions::host_order.
std::vector<Terminal> terminals_in_order(const Model& model, const GivenOrder& order);

// Steps 1 to 5, with step 4 for jobs. By default it tries 1, 2, 4 and 8 times the blocks that must
// be sent, and takes the first number that is enough, else the one that is nearest to it.
// `options`: without `spread`.
RepairResult repair(const Model& model, const Routing& old, const Lids& lids,
                    const RepairOptions& options = {}, const TradeOptions& trade = {});

}  // namespace fatwood
