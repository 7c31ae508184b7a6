// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/change/lose.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <string_view>
#include <unordered_set>

#include "analysis/faults/lost_pairs.hpp"
#include "core/error.hpp"
#include "routing/repair/carried_tables.hpp"
#include "routing/repair/changes.hpp"
#include "routing/repair/kept_choices.hpp"
#include "tasks/change/repair_tables.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/hosts/rails.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

namespace {

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

// The same order after the loss, by names.
GivenOrder order_after(const Model& before, const GivenOrder& order, const Model& after) {
  const Hosts& now = after.hosts().hosts;
  std::map<std::string_view, Host> named;
  for (const Host h : ids<Host>(now.size())) named.emplace(now.name(h), h);
  GivenOrder left{order.source, {}};
  for (const Host h : order.first) {
    const auto found = named.find(before.hosts().hosts.name(h));
    if (found != named.end()) left.first.push_back(found->second);
  }
  return left;
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

void repair_into(LossResult& result, const Routing& old, const RepairGiven& given, int threads) {
  RepairedTables repaired =
      repair_tables(*result.after, old, result.lids, {.threads = threads}, given);
  result.transition = repaired.transition.safety;
  result.deadlock_free = repaired.deadlock_free;
  result.new_routing = std::move(repaired.routing);
  count_changes(result, old, threads);
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

  StillKnown(const PlacedTables& before, const PlacedTables& after, const KnownBefore& known,
             int threads) {
    if (known.tables == nullptr || !KnownTables::may_change(before.model, after.model)) return;
    const auto rows = rows_led_elsewhere(before.model, after.model, before.tables);
    tables = *known.tables;
    tables->change(before, after, rows, threads);
    if (known.flows == nullptr) return;
    flows = *known.flows;
    flows->change(before, after, rows, threads);
  }
};

void repair_known(LossResult& result, const PlacedTables& before, const Routing& old,
                  const KnownBefore& known, const SpreadRequest* spread, int threads) {
  const StillKnown still(before, {*result.after, old.tables}, known, threads);
  repair_into(result, old,
              {.spread = spread,
               .known = {.settled = known.settled,
                         .tables = still.tables ? &*still.tables : nullptr,
                         .flows = still.flows ? &*still.flows : nullptr}},
              threads);
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
  old.may_return = routing.may_return;
  if (same_places(old.tables, routing.tables)) old.lanes = routing.lanes;
  return old;
}

class LossRun {
 public:
  LossRun(const Model& model, const Routing& routing, const Lids& lids,
          const ResolvedFaults& faults, const LossOptions& options, const KnownBefore& known)
      : model_(model),
        routing_(routing),
        lids_(lids),
        faults_(faults),
        options_(options),
        known_(known) {}

  LossResult run() {
    const auto start = std::chrono::steady_clock::now();
    result_.who = options_.who ? *options_.who : default_participants(model_);
    result_.host_order = options_.order.source;
    result_.before = options_.before
                         ? *options_.before
                         : figures_before(model_, routing_, result_.who, options_.threads,
                                          options_.jobs, options_.order);
    const Measured measured(model_, result_.who);
    pairs_.emplace(measured.model());
    result_.after = std::make_shared<Model>(with_faults(model_.fabric(), faults_), ModelHints{});
    left_ = left_of(model_, result_.who, *result_.after);
    now_ = ports_after(model_.fabric(), result_.after->fabric());
    order_ = order_after(model_, options_.order, *result_.after);
    const Routing old = carried_routing(model_, routing_, lids_, result_);
    result_.unrepaired = figures(old);
    report_stage(LossStage::kUnrepaired);
    // A repair for jobs is compared with fresh tables.
    if (options_.jobs == MeasureJobs::kYes) reroute();
    repair(old);
    reroute();
    if (!result_.not_repaired.empty()) {
      if (!rerouted_) throw PromiseError(result_.not_rerouted);
      replace_by(result_, old, *std::move(rerouted_), options_);
      rerouted_.reset();
    }
    result_.rerouted_tables = std::move(rerouted_);
    result_.stage = options_.engine == nullptr ? LossStage::kRepaired : LossStage::kAll;
    result_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(result_);
  }

 private:
  LossFigures figures(const Routing& then) const {
    const Model& after = *result_.after;
    LossFigures found = rate_figures(after, then, left_, options_.threads, options_.jobs, order_);
    found.pairs_lost = pairs_->connected() - pairs_->intact(after, then, now_, options_.threads);
    return found;
  }
  void report_stage(LossStage stage) {
    result_.stage = stage;
    if (options_.part) options_.part(result_);
  }

  void reroute() {
    if (options_.engine == nullptr || rerouted_ || !result_.not_rerouted.empty()) return;
    try {
      rerouted_ = route(*options_.engine, *result_.after, options_.route);
      result_.rerouted = figures(*rerouted_);
    } catch (const PromiseError& error) {
      result_.not_rerouted = error.what();
    }
  }

  void repair(const Routing& old) {
    // As few blocks as are nearly as good as fresh tables.
    const SpreadRequest spread{
        .host_order = terminals_in_order(*result_.after, order_),
        .spare_blocks = usual_spare_blocks,
        .choose = [&](std::span<const ForwardingTables> tables) { return choose(tables); }};
    const bool for_jobs = options_.jobs == MeasureJobs::kYes && options_.engine != nullptr;
    try {
      if (old.sets.empty()) {
        const auto settled =
            still_settled(model_, routing_.tables, faults_, *result_.after, known_.settled);
        repair_known(result_, {model_, routing_.tables}, old,
                     {settled, known_.tables, known_.flows}, for_jobs ? &spread : nullptr,
                     options_.threads);
      } else {
        shrink_into(result_, old, options_);
      }
      result_.repaired = figures(result_.new_routing);
    } catch (const PromiseError& error) {
      if (options_.engine == nullptr) throw;
      result_.not_repaired = error.what();
    }
    if (result_.not_repaired.empty()) report_stage(LossStage::kRepaired);
  }
  std::size_t choose(std::span<const ForwardingTables> tables) const {
    return 1 + first_enough(tables.size() - 1, [&](std::size_t i) {
             if (!result_.rerouted) return 1.0;
             Routing now;
             now.tables = tables[i + 1];
             return part_of_enough(figures(now), *result_.rerouted);
           });
  }

  const Model& model_;
  const Routing& routing_;
  const Lids& lids_;
  const ResolvedFaults& faults_;
  const LossOptions& options_;
  const KnownBefore& known_;
  LossResult result_;
  std::optional<PortPairs> pairs_;  // before the loss
  Participants left_;
  Table<Terminal, Terminal> now_;
  GivenOrder order_;
  std::optional<Routing> rerouted_;
};

}  // namespace

LossResult lose(const Model& model, const Routing& routing, const Lids& lids,
                const ResolvedFaults& faults, const LossOptions& options) {
  return lose(model, routing, lids, faults, options, KnownBefore{});
}

LossResult lose(const Model& model, const Routing& routing, const Lids& lids,
                const ResolvedFaults& faults, const LossOptions& options,
                const KnownBefore& known) {
  if (routing.tables.num_destinations() == 0) {
    throw InputError(routing.engine + " routes by pair: there are no tables that lose an entry");
  }
  return LossRun(model, routing, lids, faults, options, known).run();
}

}  // namespace fatwood
