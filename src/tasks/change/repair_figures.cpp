// SPDX-License-Identifier: BSD-3-Clause
// The figures of a repair. In a file of its own: the plug-in for OpenSM does without them.

#include "analysis/load/all_to_all.hpp"
#include "tasks/change/repair.hpp"

namespace fatwood {

RepairResult repair(const Model& model, const Routing& old, const Lids& lids,
                    const RepairOptions& options) {
  RepairResult result{repair_tables(model, old, lids, options)};
  result.changes = table_changes(model, old.tables, result.routing.tables, lids, options.threads);
  result.blocks_forced = blocks_of(result.forced, old.tables, lids);
  result.mload = all_to_all_load(model, result.routing, options.threads).mload;
  result.mload_forced = result.mload;
  if (result.unbalanced) {
    Routing forced;
    forced.tables = *result.unbalanced;
    result.mload_forced = all_to_all_load(model, forced, options.threads).mload;
  }
  return result;
}

}  // namespace fatwood
