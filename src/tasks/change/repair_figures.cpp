// SPDX-License-Identifier: BSD-3-Clause
// The figures of a repair. In a file of its own: the plug-in for OpenSM does without them.

#include <utility>

#include "analysis/load/all_to_all.hpp"
#include "tasks/change/repair.hpp"

namespace fatwood {

RepairResult repair(const Model& model, const Routing& old, const Lids& lids,
                    const RepairOptions& options) {
  RepairedTables made = repair_tables(model, old, lids, options);
  RepairResult result;
  result.changes = table_changes(model, old.tables, made.routing.tables, lids, options.threads);
  result.entries_forced = made.forced.size();
  result.entries_least = made.entries_least;
  result.blocks_forced = blocks_of(made.forced, old.tables, lids);
  result.entries_dropped = made.entries_dropped;
  result.mload = all_to_all_load(model, made.routing, options.threads).mload;
  result.mload_forced = result.mload;
  if (made.unbalanced) {
    Routing forced;
    forced.tables = *std::move(made.unbalanced);
    result.mload_forced = all_to_all_load(model, forced, options.threads).mload;
  }
  result.spare_blocks = made.spare_blocks;
  result.transition = made.transition.safety;
  result.unreachable = made.reach.unreachable;
  result.disconnected = made.reach.disconnected;
  result.loops = made.reach.loops;
  result.deadlock_free = made.deadlock_free;
  result.routes_moved = made.routes_moved;
  result.seconds = made.seconds;
  result.fresh = made.fresh;
  result.routing = std::move(made.routing);
  return result;
}

}  // namespace fatwood
