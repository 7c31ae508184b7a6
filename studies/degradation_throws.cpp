// SPDX-License-Identifier: BSD-3-Clause
#include "studies/degradation_throws.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/bounds/cuts.hpp"
#include "analysis/bounds/evenness.hpp"
#include "analysis/bounds/oload.hpp"
#include "analysis/load/channel_use.hpp"
#include "analysis/permutations/permutation_study.hpp"
#include "analysis/rates/bottleneck.hpp"
#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "studies/lexicographic.hpp"
#include "topology/change/faults.hpp"
#include "topology/levels/tree_cuts.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kEven = "even";

double max_load(const Model& model, const Routing& routing) {
  return spread_of_flows(model, find_channel_use(model, routing)).largest.value();
}

std::vector<const Engine*> evaluated_engines() {
  std::vector<const Engine*> list;
  for (const Engine& engine : engines()) {
    if (!engine.has(Engine::kAdaptive) && engine.pairs != Pairs::kPerPair) list.push_back(&engine);
  }
  return list;
}

double evenness_of(const Model& model, const BottleneckRates& rates, Splitting splitting) {
  return find_evenness(model, rates.loads, ports_of_all(model), splitting).mean;
}

struct Figures {
  double all_to_all, permutations, shifts, evenness, p1, median;
};
// PromiseError when the engine refuses, or has no route for a pair of hosts.
Figures evaluate_engine(const Engine& engine, const Model& model, const DegradationSize& size,
                        const StudyContext& context) {
  RouteOptions options{.seed = context.seed, .threads = context.threads};
  options.max_lanes = 15;
  Routing routing = route(engine, model, options);
  const BottleneckRates rates = bottleneck_rates(model, routing, context.threads);
  Figures figures{.all_to_all = max_load(model, routing),
                  .permutations = 0,
                  .shifts = 0,
                  .evenness = evenness_of(model, rates, Splitting::kBundles),
                  .p1 = rates.p1.value(),
                  .median = rates.median.value()};
  const auto paths = path_source(model, std::move(routing));
  const auto kernel = permutation_load(model, *paths);
  const std::size_t hosts = model.adapters().size();
  const PermutationOptions drawn{.seed = context.seed,
                                 .first_samples = size.permutations,
                                 .width = 1,
                                 .threads = context.threads};
  figures.permutations = permutation_study(*kernel, hosts, drawn).mean;
  figures.shifts = shift_study(*kernel, hosts, context.threads).mean;
  return figures;
}

// The least that the most loaded channel between switches can carry, all to all.
struct Least {
  Fraction any;     // whatever the routing
  Fraction tables;  // with tables of one port per entry
};
Least least_of(const Model& model, double found) {
  const Traffic traffic = all_to_all(model.adapters().size());
  // A host's own channel carries as much anyway.
  const Fraction of_hosts(static_cast<std::int64_t>(model.adapters().size()) - 1);
  Least least{all_to_all_bound(model), tables_bound(model, traffic)};
  if (found > std::max(least.tables, of_hosts).value()) {
    if (const Oload best = oload(model, traffic); best.value > of_hosts) {
      least.any = std::max(least.any, best.value);
      least.tables = tables_bound(model, traffic, 1, best.value);
    }
  }
  if (least.tables <= of_hosts) least.tables = least.any;
  return least;
}

// Of each engine that routes it; others are left out.
void evaluate_throw(const Model& model, double whole, unsigned number, const DegradationSize& size,
                    const StudyContext& context, StudyPoint& point) {
  for (const Engine* engine : evaluated_engines()) {
    try {
      const Figures figures = evaluate_engine(*engine, model, size, context);
      if (engine->name == kEven) {
        const Least least = least_of(model, figures.all_to_all);
        point.numbers[degradation_key("bound", "alltoall", number)] = whole / least.any.value();
        point.numbers[degradation_key("tables", "alltoall", number)] = whole / least.tables.value();
      }
      point.numbers[degradation_key(engine->name, "alltoall", number)] = whole / figures.all_to_all;
      point.numbers[degradation_key(engine->name, "permutations", number)] = figures.permutations;
      point.numbers[degradation_key(engine->name, "shifts", number)] = figures.shifts;
      point.numbers[degradation_key(engine->name, "evenness", number)] = figures.evenness;
      point.numbers[degradation_key(engine->name, "p1", number)] = figures.p1;
      point.numbers[degradation_key(engine->name, "median", number)] = figures.median;
    } catch (const PromiseError&) {
      continue;
    }
  }
}

}  // namespace

DegradationSize degradation_size(const StudyContext& context) {
  if (context.quick()) return {"ft(6,3)", {5, 10}, 3, 3, 20, 2000, {5}, 1};
  return {"ft(8,3)", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 100, 50, 50, 20000, {0, 1, 2, 5, 10}, 3};
}

const char* name_of(Lost lost) { return lost == Lost::kCables ? "cables" : "spines and cores"; }

// Percent 0 is the complete tree.
Fabric thrown(const std::string& tree, Lost lost, unsigned percent, std::uint64_t seed) {
  const Fabric whole = make_fabric(tree);
  if (percent == 0) return whole;
  std::vector<FaultRequest> orders;
  if (lost == Lost::kCables) {
    orders.push_back({FaultKind::kCut, fmt::format("{}%", percent), {}});
  } else {
    orders.push_back({FaultKind::kRemove, fmt::format("{}%@2", percent), {}});
    orders.push_back({FaultKind::kRemove, fmt::format("{}%@3", percent), {}});
  }
  const FaultOptions options{.seed = seed, .connection = Connection::kKept};
  return with_faults(whole, find_faults(whole, orders, options));
}

std::string degradation_key(std::string_view engine, std::string_view what, unsigned number) {
  return fmt::format("{} {} {}", engine, what, number);
}

StudyPoint evaluate_throws(Lost lost, unsigned percent, unsigned first, unsigned count,
                           const DegradationSize& size, const StudyContext& context) {
  const Model whole(make_fabric(size.tree));
  const double least = max_load(whole, route(find_engine("sftree"), whole));
  StudyPoint point;
  for (unsigned i = first; i < first + count; ++i) {
    const Model model(thrown(size.tree, lost, percent, context.seed + i));
    evaluate_throw(model, least, i, size, context, point);
  }
  return point;
}

StudyPoint compare_with_optimum(Lost lost, unsigned percent, const DegradationSize& size,
                                const StudyContext& context) {
  StudyPoint point;
  for (unsigned i = 0; i < size.optimised; ++i) {
    const Model model(thrown(size.tree, lost, percent, context.seed + i));
    const auto optimum = lexicographic_optimum(model);
    if (!optimum) continue;
    const Routing routing =
        route(find_engine(kEven), model, {.seed = context.seed, .threads = context.threads});
    const BottleneckRates rates = bottleneck_rates(model, routing, context.threads);
    point.numbers[fmt::format("even {}", i)] = evenness_of(model, rates, Splitting::kAnything);
    point.numbers[fmt::format("optimum {}", i)] = optimum->mean;
  }
  return point;
}

StudyPoint simulate_throw(unsigned percent, const DegradationSize& size,
                          const StudyContext& context) {
  StudyPoint point;
  for (const char* const engine : {"even", "sftree", "updn+", "dfsssp"}) {
    RouteOptions options{.seed = context.seed, .threads = context.threads};
    const auto bench = bench_engine(thrown(size.tree, Lost::kCables, percent, context.seed), engine,
                                    sim::Model{}, 0, options);
    sim::OpenTraffic open;
    open.cycles = size.cycles;
    point.numbers[engine] = sim::run_load(bench->setup(), open, 1.0).terminals.accepted.mean;
  }
  return point;
}

}  // namespace fatwood
