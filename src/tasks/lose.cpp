// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/lose.hpp"

#include <chrono>

#include "analysis/rates/bottleneck.hpp"
#include "core/error.hpp"
#include "routing/repair/carried_tables.hpp"
#include "routing/repair/changes.hpp"
#include "routing/tables/path_source.hpp"
#include "tasks/repair.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

// `all_pairs`: that had a route before the loss.
LossFigures figures_of(const Model& model, const Routing& routing, std::uint64_t all_pairs,
                       int threads) {
  const auto paths = path_source(model, routing);
  const BottleneckRates rates = bottleneck_rates(model, *paths, ports_of_all(model), threads);
  const double usual = model.speeds().usual_gigabits();
  LossFigures figures;
  figures.pairs_lost = all_pairs - std::min(all_pairs, rates.pairs);
  figures.worst_gbps = rates.worst.value() * usual;
  figures.p1_gbps = rates.p1.value() * usual;
  figures.p10_gbps = rates.p10.value() * usual;
  figures.median_gbps = rates.median.value() * usual;
  figures.port_gbps = rates.port.value() * usual;
  return figures;
}

std::uint64_t routed_pairs(const Model& model, const Routing& routing, int threads) {
  return bottleneck_rates(model, *path_source(model, routing), ports_of_all(model), threads).pairs;
}

// Lids of new end ports, which a loss does not bring, are those given out.
Lids complete(Lids lids, const Fabric& fabric) {
  const Lids given = assign_lids(fabric, lids.lmc);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (lids.terminal[t] == kNoLid) lids.terminal[t] = given.terminal[t];
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (lids.switches[s] == kNoLid) lids.switches[s] = given.switches[s];
  }
  return lids;
}

}  // namespace

LossResult lose(const Model& model, const Routing& routing, const Lids& lids, const Faults& faults,
                const LossOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  if (routing.tables.num_targets() == 0 || !routing.sets.empty()) {
    throw InputError("a loss is computed for plain forwarding tables, not for adaptive ones");
  }
  LossResult result;
  const std::uint64_t pairs = routed_pairs(model, routing, options.threads);
  result.before = figures_of(model, routing, pairs, options.threads);
  result.after = std::make_unique<Model>(with_faults(model.fabric(), faults), ModelHints{});
  const Model& after = *result.after;
  CarriedTables carried = carry_tables(model.fabric(), routing.tables, lids, after.fabric());
  result.lids = complete(std::move(carried.lids), after.fabric());
  Routing old;
  old.engine = routing.engine;
  old.tables = std::move(carried.tables);
  result.unrepaired = figures_of(after, old, pairs, options.threads);

  RepairedTables repaired = repair_tables(after, old, result.lids, {.threads = options.threads});
  result.repaired = figures_of(after, repaired.routing, pairs, options.threads);
  const TableChanges changes =
      table_changes(after, old.tables, repaired.routing.tables, result.lids, options.threads);
  result.entries_changed = changes.entries;
  result.blocks_changed = changes.blocks;
  result.transition = repaired.transition.safety;
  result.deadlock_free = repaired.deadlock_free;
  result.repaired_routing = std::move(repaired.routing);

  if (options.engine != nullptr) {
    try {
      const Routing again = route(*options.engine, after, options.route);
      result.rerouted = figures_of(after, again, pairs, options.threads);
    } catch (const PromiseError& error) {
      result.not_rerouted = error.what();
    }
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace fatwood
