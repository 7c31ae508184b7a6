// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/compare.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "analysis/load/link_load.hpp"
#include "core/error.hpp"
#include "routing/adaptive/destination_classes.hpp"
#include "tasks/recommend.hpp"
#include "verify/adaptive/choices.hpp"
#include "verify/reach/turning_routes.hpp"

namespace fatwood {

namespace {

constexpr double kNearBest = 0.95;  // of the best possible worst pair: no engine gains more than 5%

// Whether what was found is what the engine's row promises.
bool keeps_promise(const Engine& engine, const Model& model, const Routing& routing,
                   const EngineResult& result) {
  if (engine.has(Engine::kDeadlockFree) && !result.deadlock_free) return false;
  if (result.reachability.loops > 0) return false;
  const PairCounts lost = result.reachability.lost();
  switch (engine.pairs) {
    case Pairs::kSome:
      return true;
    case Pairs::kAll:
    case Pairs::kPerPair:
      return lost.total() == 0;
    case Pairs::kTerminalsAndLegal:
      return lost.terminal_terminal == 0 && lost.switch_terminal == 0;
    case Pairs::kLegal:
      return find_legal_but_lost(model.fabric(), routing, model.levels()).total() == 0;
  }
  return false;
}

// Nothing where some pair has no route.
std::optional<double> demanded_load(const Model& model, const Routing& routing,
                                    const RouteOptions& options) try {
  const Fabric& fabric = model.fabric();
  std::map<std::pair<Adapter, Adapter>, std::int64_t> amounts;
  for (const PairDemand& demand : options.demands) {
    const Adapter from = model.adapters().of(demand.source);
    const Adapter to = model.adapters().of(demand.destination);
    amounts[{from, to}] += static_cast<std::int64_t>(demand.amount);
  }
  Traffic traffic{.adapters = model.adapters().size()};
  for (const auto& [pair, amount] : amounts) {
    traffic.flows.push_back({pair.first, pair.second, amount});
  }
  const auto paths = path_source(model, Routing(routing));
  const LinkLoads loads = link_loads(model, *paths, traffic, options.threads);
  std::int64_t switches = 0;
  std::int64_t hosts = 1;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c)) continue;
    const bool inner = fabric.is_switch(fabric.owner(c)) && fabric.is_switch(fabric.neighbour(c));
    (inner ? switches : hosts) = std::max(inner ? switches : hosts, loads.units[c]);
  }
  return static_cast<double>(switches) / static_cast<double>(hosts);
} catch (const PromiseError&) {
  return std::nullopt;
}

// Without the options that only some engines support.
RouteOptions supported_by(const Engine& engine, RouteOptions options) {
  if (!engine.has(Engine::kAims)) {
    options.aim = Aim::kJobs;
    options.demands.clear();
  }
  if (!engine.has(Engine::kAdaptive)) options.choice = EntryState::kFree;
  return options;
}

PairRates pair_rates(const BottleneckRates& rates) {
  return {rates.worst, rates.p1, rates.p10, rates.median, rates.unreachable};
}

// The best that any routing could give the worst pair of all hosts, as far as cuts say; 1 is the
// usual speed of host ports.
double best_worst_pair(const Evenness& evenness, std::size_t hosts) {
  double best = 1;
  for (const CutLoad& cut : evenness.loads) {
    best = std::min(best, static_cast<double>(hosts - 1) / cut.least.value());
  }
  return best;
}

// Plain tables, whatever their lanes: all figures but those of deadlock are the same.
bool has_same_tables(const Routing& a, const Routing& b) {
  const auto is_plain = [](const Routing& routing) {
    return routing.sets.empty() && routing.source_routes.empty() && routing.unknown.empty();
  };
  return is_plain(a) && is_plain(b) && a.tables == b.tables;
}

bool is_slow(const Engine& engine) {
  return std::ranges::find(kSlowEngines, engine.name) != kSlowEngines.end();
}

// Safe tables for every pair whose worst pair gets nearly the best possible.
bool is_near_best(const EngineRow& row) {
  return row.result && row.result->deadlock_free && !row.source_routes && !row.result->adaptive &&
         row.result->reachability.lost().total() == 0 &&
         row.result->all_rates.worst.value() >= kNearBest * row.result->best_worst;
}

}  // namespace

EngineEvaluator::EngineEvaluator(const Model& model, Participants who, CountShifts shifts,
                                 int threads, GivenOrder order)
    : model_(model),
      measured_(model, std::move(who)),
      shifts_(shifts),
      threads_(threads),
      order_(std::move(order)) {}

EvaluatedEngine EngineEvaluator::evaluated(Routing routing, const EvaluatedEngine* other) const {
  EvaluatedEngine result;
  result.deadlock = find_deadlock(model_.fabric(), routing, Sources::kAll, threads_);
  if (other != nullptr && other->routing && has_same_tables(*other->routing, routing)) {
    result.use = other->use;
    result.row.result = other->row.result;
  } else {
    result.use = find_channel_use(model_, routing, threads_);
    result.row.result = measured(routing, result.use);
  }
  result.row.result->deadlock_free = result.deadlock.free();
  result.row.result->lanes = result.deadlock.lanes.size();
  result.routing = std::move(routing);
  return result;
}

EngineResult EngineEvaluator::measured(const Routing& routing, const ChannelUse& use) const {
  const Fabric& fabric = model_.fabric();
  EngineResult found;
  found.adaptive = !routing.sets.empty();
  if (found.adaptive) {
    ChoiceFindings choices =
        find_choices(model_, routing, destination_classes(fabric, routing, threads_), threads_);
    found.reachability = std::move(choices.reachability);
    found.hops = std::move(choices.most);
  } else {
    found.reachability = find_reachability(fabric, routing, threads_);
    found.hops = found.reachability.hops;
    if (shifts_ == CountShifts::kYes) {
      found.shift = count_shift_conflicts(model_, routing, threads_);
    }
  }
  found.load = all_to_all_load(model_, use);
  found.flows = spread_of_flows(model_, use);
  found.destinations = spread_of_destinations(model_, use);
  const BottleneckRates all = bottleneck_rates(model_, routing, use, threads_);
  found.all_rates = pair_rates(all);
  found.rates = &measured_.model() == &model_
                    ? found.all_rates
                    : pair_rates(bottleneck_rates(measured_.model(), routing, threads_));
  found.jobs = measure_jobs(measured_, routing, order_, threads_);
  const Evenness evenness = find_evenness(
      model_, all.loads, ports_of_all(model_),
      found.adaptive || !routing.source_routes.empty() ? Splitting::kAnything : Splitting::kBundles,
      1U << routing.tables.lmc());
  found.evenness_mean = evenness.mean;
  if (!evenness.loads.empty()) {
    found.evenness_worst = evenness.loads[evenness.worst].evenness();
  }
  found.best_worst = best_worst_pair(evenness, model_.adapters().size());
  return found;
}

EvaluatedEngine EngineEvaluator::engine(const Engine& engine, const RouteOptions& options,
                                        const EvaluatedEngine* other) const {
  EvaluatedEngine result;
  try {
    const auto start = std::chrono::steady_clock::now();
    Routing routing = route(engine, model_, supported_by(engine, options));
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    result = evaluated(std::move(routing), other);
    EngineResult& found = *result.row.result;
    if (!options.demands.empty()) found.demanded = demanded_load(model_, *result.routing, options);
    found.seconds = spent.count();
    found.promise_kept = keeps_promise(engine, model_, *result.routing, found);
  } catch (const PromiseError& error) {
    result.row.refused = error.what();
  } catch (const InputError& error) {
    result.row.refused = error.what();
  }
  result.row.name = engine.name;
  result.row.promises_deadlock_free = engine.has(Engine::kDeadlockFree);
  result.row.source_routes = engine.pairs == Pairs::kPerPair;
  result.row.for_trees = engine.has(Engine::kForTrees);
  return result;
}

EvaluatedEngine EngineEvaluator::tables(const std::string& name, Routing routing) const {
  EvaluatedEngine result = evaluated(std::move(routing), nullptr);
  EngineResult& found = *result.row.result;
  found.promise_kept = found.deadlock_free && found.reachability.loops == 0 &&
                       found.reachability.lost().total() == 0;
  result.row.name = name;
  result.row.promises_deadlock_free = true;
  result.row.source_routes = !result.routing->source_routes.empty();
  return result;
}

std::vector<std::string> EngineEvaluator::engines(
    std::span<const Engine> list, const RouteOptions& options, SlowEngines slow,
    const std::function<void(EvaluatedEngine)>& take) const {
  RouteOptions silent = options;
  silent.progress = {};
  const bool all = slow == SlowEngines::kAlways || !model_.levels().is_tree();
  const bool ethernet = slow == SlowEngines::kAlways || is_ethernet(model_.fabric());
  bool near_best = false;
  std::size_t done = 0;
  // Engines of a family are neighbours in the list (sssp and dfsssp, updn and dnup), and often make
  // the same tables.
  std::optional<EvaluatedEngine> last;
  const auto run = [&](const Engine& one) {
    report(options.progress, static_cast<double>(done) / static_cast<double>(list.size()),
           one.name);
    ++done;
    EvaluatedEngine evaluated = engine(one, silent, last ? &*last : nullptr);
    near_best = near_best || is_near_best(evaluated.row);
    if (last) take(std::move(*last));
    last = std::move(evaluated);
  };
  for (const Engine& one : list) {
    if (one.has(Engine::kEthernet) && !ethernet) continue;
    if (all || !is_slow(one)) run(one);
  }
  std::vector<std::string> left_out;
  for (const Engine& one : list) {
    if (all || !is_slow(one)) continue;
    if (!near_best && one.name == kSlowEngines.front()) {
      run(one);
    } else {
      left_out.emplace_back(one.name);
    }
  }
  if (last) take(std::move(*last));
  return left_out;
}

Comparison compare(const Model& model, const CompareOptions& options) {
  const EngineEvaluator evaluate(model, options.who ? *options.who : default_participants(model),
                                 options.shifts, options.route.threads);
  std::vector<EngineRow> rows;
  if (options.current) {
    rows.push_back(evaluate.tables(options.current_name, *options.current).row);
    rows.back().current = true;
  }
  std::vector<std::string> left_out = evaluate.engines(
      options.list, options.route, options.slow,
      [&](EvaluatedEngine evaluated) { rows.push_back(std::move(evaluated.row)); });
  rank_rows(rows);
  Comparison result = compared(evaluate.who(), std::move(rows));
  result.left_out = std::move(left_out);
  return result;
}

Comparison compared(Participants who, std::vector<EngineRow> rows) {
  Comparison result{std::move(who), std::move(rows), {}, {}};
  const auto base = std::ranges::find_if(result.rows, &EngineRow::current);
  if (base != result.rows.end()) {
    result.baseline = base->name;
  } else if (std::ranges::any_of(result.rows, [](const EngineRow& row) {
               return row.name == "minhop" && row.result;
             })) {
    result.baseline = "minhop";
  }
  return result;
}

}  // namespace fatwood
