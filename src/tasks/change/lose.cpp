// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/change/lose.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <string_view>
#include <unordered_set>

#include "analysis/faults/lost_pairs.hpp"
#include "analysis/rates/rates_by_loads.hpp"
#include "core/error.hpp"
#include "routing/repair/carried_tables.hpp"
#include "routing/repair/changes.hpp"
#include "routing/repair/kept_choices.hpp"
#include "tasks/change/repair.hpp"
#include "topology/channel_speeds.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

namespace {

LossFigures figures_of(const Model& model, const Routing& routing, const Participants& who,
                       int threads, MeasureJobs jobs) {
  if (who.adapters.size() < 2) return {};
  const Measured measured(model, who);
  std::optional<JobSummary> of_jobs;
  if (jobs == MeasureJobs::kYes) {
    if (const auto found = measure_jobs(measured, routing, {}, threads)) of_jobs = found->at_once();
  }
  const double usual = model.speeds().usual_gigabits();
  const auto figures = [&](const auto& rates) {
    return LossFigures{.worst_gbps = rates.worst.value() * usual,
                       .p1_gbps = rates.p1.value() * usual,
                       .median_gbps = rates.median.value() * usual,
                       .jobs = of_jobs};
  };
  if (!routing.sets.empty() || !routing.source_routes.empty()) {
    return figures(bottleneck_rates(measured.model(), routing, threads));
  }
  const ChannelUse use = find_channel_use(measured.model(), routing, threads);
  if (const auto rates = rates_by_loads(measured.model(), use)) return figures(*rates);
  return figures(bottleneck_rates(measured.model(), routing, use, threads));
}

// The same adapters after the loss: by id, since adapters are numbered by their cables.
Participants left_of(const Model& before, const Participants& who, const Model& after) {
  std::unordered_set<std::string_view> named;
  for (const Adapter a : who.adapters) {
    named.insert(before.fabric().id(before.adapters().node(before.fabric(), a)));
  }
  Participants left{who.among, {}, who.by_role};
  for (const Adapter a : ids<Adapter>(after.adapters().size())) {
    if (named.contains(after.fabric().id(after.adapters().node(after.fabric(), a)))) {
      left.adapters.push_back(a);
    }
  }
  return left;
}

// By end port before the loss: the same port after it, kNone if it is lost.
Table<Terminal, Terminal> ports_after(const Fabric& before, const Fabric& after) {
  std::map<std::pair<std::string_view, Port>, Terminal> named;
  const auto name = [](const Fabric& fabric, Terminal t) {
    return std::pair(fabric.id(fabric.adapter_node(t)), fabric.port(fabric.terminal_channel(t)));
  };
  for (const Terminal t : ids<Terminal>(after.num_terminals())) named.emplace(name(after, t), t);
  Table<Terminal, Terminal> now(before.num_terminals(), kNone<Terminal>);
  for (const Terminal t : ids<Terminal>(now.size())) {
    const auto found = named.find(name(before, t));
    if (found != named.end()) now[t] = found->second;
  }
  return now;
}

// The change from `old` to result.new_routing.
void count_changes(LossResult& result, const Routing& old, int threads) {
  const TableChanges changes =
      table_changes(*result.after, old.tables, result.new_routing.tables, result.lids, threads);
  result.entries_changed = changes.entries;
  result.blocks_changed = changes.blocks;
}

// Adaptive tables are repaired by leaving choices out, so the proof of the old choices holds for
// the new ones and for every mixture.
void shrink_into(LossResult& result, const Routing& old, const LossOptions& options) {
  KeptChoices kept = keep_choices(*result.after, old, options.threads);
  const auto is_free = [&](const Routing& routing) {
    return find_deadlock(result.after->fabric(), routing, Sources::kAll, options.threads).free();
  };
  const bool old_is_free = is_free(old);
  result.transition = old_is_free ? Safety::kAnyOrder : Safety::kNone;
  result.deadlock_free = old_is_free || is_free(kept.routing);
  result.entries_changed = kept.changed.size();
  result.blocks_changed = blocks_of(kept.changed, old.tables, result.lids);
  result.new_routing = std::move(kept.routing);
}

void repair_into(LossResult& result, const Routing& old, const RepairOptions& options) {
  RepairedTables repaired = repair_tables(*result.after, old, result.lids, options);
  result.transition = repaired.transition.safety;
  result.deadlock_free = repaired.deadlock_free;
  result.new_routing = std::move(repaired.routing);
  count_changes(result, old, options.threads);
}

// What can't be repaired is routed again; so the proofs are of these tables.
void replace_by(LossResult& result, const Routing& old, Routing rerouted,
                const LossOptions& options) {
  result.new_routing = std::move(rerouted);
  const Fabric& fabric = result.after->fabric();
  const Routing& now = result.new_routing;
  result.deadlock_free = find_deadlock(fabric, now, Sources::kAll, options.threads).free();
  result.transition = find_transition(*result.after, old.tables, now.tables, options.threads,
                                      {&old.lanes, &now.lanes})
                          .safety;
  count_changes(result, old, options.threads);
}

// The rows that need no repair after the loss either: where cables alone are cut, and levels and
// places stay, those that use none of these cables.
std::vector<std::uint8_t> still_settled(const Model& model, const ForwardingTables& tables,
                                        const ResolvedFaults& faults, const Model& after,
                                        std::span<const std::uint8_t> settled) {
  const Fabric& fabric = model.fabric();
  const bool cables_alone = faults.removed.empty() && faults.added.empty() &&
                            fabric.num_terminals() == after.fabric().num_terminals() &&
                            fabric.num_switches() == after.fabric().num_switches() &&
                            model.levels().level == after.levels().level;
  if (settled.empty() || !cables_alone) return {};
  std::vector<std::uint8_t> still(settled.begin(), settled.end());
  for (const Channel cut : faults.cut) {
    for (const Channel c : {cut, fabric.peer(cut)}) {
      if (!fabric.is_switch(fabric.owner(c))) continue;
      const Switch s = fabric.as_switch(fabric.owner(c));
      for (const Destination destination : ids<Destination>(still.size())) {
        if (tables.at(destination, s) == fabric.port(c)) still[index(destination)] = 0;
      }
    }
  }
  return still;
}

// What is known of the tables after the loss, from what was known before it.
struct StillKnown {
  std::optional<KnownTables> tables;
  std::optional<TableFlows> flows;

  StillKnown(const PlacedTables& before, const PlacedTables& after, const LossOptions& options) {
    if (options.known == nullptr || !KnownTables::may_change(before.model, after.model)) return;
    const auto rows = rows_led_elsewhere(before.model, after.model, before.tables);
    tables = *options.known;
    tables->change(before, after, rows, options.threads);
    if (options.flows == nullptr) return;
    flows = *options.flows;
    flows->change(before, after, rows, options.threads);
  }
};

void repair_known(LossResult& result, const PlacedTables& before, const Routing& old,
                  std::span<const std::uint8_t> settled, const LossOptions& options) {
  const StillKnown known(before, {*result.after, old.tables}, options);
  repair_into(result, old,
              {.settled = settled,
               .known = known.tables ? &*known.tables : nullptr,
               .flows = known.flows ? &*known.flows : nullptr,
               .threads = options.threads});
}

// Lanes are by destination and switch: after a loss of these their places are others.
bool same_places(const ForwardingTables& a, const ForwardingTables& b) {
  return a.num_terminals() == b.num_terminals() && a.num_switches() == b.num_switches();
}

// The old routes on the fabric after the loss; `result` gets their LIDs.
Routing carried_routing(const Model& model, const Routing& routing, const Lids& lids,
                        LossResult& result) {
  CarriedTables carried =
      carry_tables(model.fabric(), routing.tables, lids, result.after->fabric(), routing.sets);
  result.lids = completed(std::move(carried.lids));
  Routing old;
  old.engine = routing.engine;
  old.tables = std::move(carried.tables);
  old.sets = std::move(carried.sets);
  if (same_places(old.tables, routing.tables)) old.lanes = routing.lanes;
  return old;
}

}  // namespace

LossFigures figures_before(const Model& model, const Routing& routing, const Participants& who,
                           int threads, MeasureJobs jobs) {
  LossFigures figures = figures_of(model, routing, who, threads, jobs);
  const Measured measured(model, who);
  const PortPairs pairs(measured.model());
  figures.pairs_lost = pairs.connected() - pairs.intact(model, routing, threads);
  return figures;
}

LossResult lose(const Model& model, const Routing& routing, const Lids& lids,
                const ResolvedFaults& faults, const LossOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  if (routing.tables.num_destinations() == 0) {
    throw InputError(routing.engine + " routes by pair: there are no tables that lose an entry");
  }
  LossResult result;
  result.who = options.who ? *options.who : default_participants(model);
  result.before = options.before
                      ? *options.before
                      : figures_before(model, routing, result.who, options.threads, options.jobs);
  const Measured measured(model, result.who);
  const PortPairs pairs(measured.model());
  result.after = std::make_unique<Model>(with_faults(model.fabric(), faults), ModelHints{});
  const Model& after = *result.after;
  const Participants left = left_of(model, result.who, after);
  const Table<Terminal, Terminal> now = ports_after(model.fabric(), after.fabric());
  const auto figures = [&](const Routing& then) {
    LossFigures found = figures_of(after, then, left, options.threads, options.jobs);
    found.pairs_lost = pairs.connected() - pairs.intact(after, then, now, options.threads);
    return found;
  };
  const Routing old = carried_routing(model, routing, lids, result);
  result.unrepaired = figures(old);
  const auto report_stage = [&](LossStage stage) {
    result.stage = stage;
    if (options.part) options.part(result);
  };
  report_stage(LossStage::kUnrepaired);

  std::optional<Routing> rerouted;
  try {
    if (old.sets.empty()) {
      const auto settled = still_settled(model, routing.tables, faults, after, options.settled);
      repair_known(result, {model, routing.tables}, old, settled, options);
    } else {
      shrink_into(result, old, options);
    }
    result.repaired = figures(result.new_routing);
  } catch (const PromiseError& error) {
    if (options.engine == nullptr) throw;
    result.not_repaired = error.what();
  }
  if (result.not_repaired.empty()) report_stage(LossStage::kRepaired);
  if (options.engine != nullptr) {
    try {
      rerouted = route(*options.engine, after, options.route);
      result.rerouted = figures(*rerouted);
    } catch (const PromiseError& error) {
      if (!result.not_repaired.empty()) throw;
      result.not_rerouted = error.what();
    }
  }
  if (!result.not_repaired.empty()) replace_by(result, old, *std::move(rerouted), options);
  result.stage = LossStage::kAll;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace fatwood
