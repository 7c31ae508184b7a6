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
#include <optional>
#include <string>
#include <vector>

#include "core/fraction.hpp"
#include "routing/engine.hpp"
#include "routing/repair/changes.hpp"
#include "routing/tables/lids.hpp"
#include "tasks/change/loss_figures.hpp"
#include "verify/reach/reachability.hpp"
#include "verify/transition.hpp"

namespace fatwood {

struct RepairOptions {
  bool rebalance = true;           // step 4
  std::uint64_t spare_blocks = 0;  // extra blocks of 64 LIDs that may be sent for balance
  unsigned max_lanes = 8;          // VLs of the new tables
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

// How a repair is compared with fresh tables, and what it may send.
struct TradeOptions {
  std::optional<std::uint64_t> blocks = {};  // to send at most; no value: the recommended number
  const Engine* engine = nullptr;            // of fresh tables; nullptr: none
  RouteOptions route = {};                   // for this engine
  std::optional<Participants> who = {};      // none: default_participants()
  GivenOrder order = {};                     // of hosts in jobs
};

// Steps 1 to 5, with step 4 for jobs. By default it tries 1, 2, 4 and 8 times the blocks that must
// be sent, and takes the first number that is enough, else the one that is nearest to it.
// Otherwise as repair_tables().
RepairResult repair(const Model& model, const Routing& old, const Lids& lids,
                    const RepairOptions& options = {}, const TradeOptions& trade = {});

}  // namespace fatwood
