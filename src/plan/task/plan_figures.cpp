// SPDX-License-Identifier: BSD-3-Clause
#include "plan/task/plan_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "analysis/rates/bottleneck.hpp"
#include "core/error.hpp"
#include "plan/model/plan_fabric.hpp"
#include "routing/engine.hpp"
#include "routing/tables/path_source.hpp"
#include "tasks/change/lose.hpp"

namespace fatwood {

namespace {

using Ids = std::unordered_set<std::string_view>;  // of nodes

HostRates rates_of(const Model& model, const Routing& routing, const Ids& compute, int threads) {
  const Fabric& fabric = model.fabric();
  Table<Terminal, std::uint8_t> takes_part(fabric.num_terminals(), 0);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    takes_part[t] = compute.contains(fabric.id(fabric.adapter_node(t))) ? 1 : 0;
  }
  const BottleneckRates rates =
      bottleneck_rates(model, *path_source(model, routing), takes_part, threads);
  const double usual = model.speeds().usual_gigabits();
  // Where pairs have lost their routes the others share less traffic, but no port gives more.
  const auto gbps = [&](const Fraction& rate) {
    return std::min(rate.value(), rates.port.value()) * usual;
  };
  return {gbps(rates.worst), gbps(rates.p1), gbps(rates.median), gbps(rates.port), rates.pairs};
}

// The device of a role with most cables.
std::uint32_t most_cabled(const Plan& plan, std::string_view role) {
  std::vector<std::size_t> cables(plan.devices.size(), 0);
  for (const PlanCable& cable : plan.cables) {
    ++cables[cable.a.device];
    ++cables[cable.b.device];
  }
  std::uint32_t best = kNone<std::uint32_t>;
  for (std::uint32_t d = 0; d < plan.devices.size(); ++d) {
    if (plan.devices[d].role != role) continue;
    if (best == kNone<std::uint32_t> || cables[d] > cables[best]) best = d;
  }
  return best;
}

}  // namespace

PlanFigures plan_figures(const Design& design, const FigureOptions& options) {
  const Engine& engine = find_engine(options.engine);
  if (engine.has(Engine::kAdaptive)) {
    throw InputError(fmt::format("{}: expected an engine with plain tables, such as even",
                                 param("engine", options.engine)));
  }
  const Plan plan = make_plan(plane_of(design));
  PlannedFabric planned = planned_fabric(plan);
  const std::vector<std::vector<Node>> nodes = planned.nodes;
  const Model model(std::move(planned.fabric));
  Ids compute;
  for (std::size_t d = 0; d < plan.devices.size(); ++d) {
    if (plan.devices[d].role != "compute") continue;
    for (const Node node : nodes[d]) compute.insert(model.fabric().id(node));
  }
  PlanFigures figures;
  figures.engine = options.engine;
  const Routing routing = route(engine, model, {.threads = options.threads});
  figures.intact = rates_of(model, routing, compute, options.threads);
  const Lids lids = assign_lids(model.fabric(), 0);
  for (const std::string_view role : kSwitchRoles) {
    const std::uint32_t device = most_cabled(plan, role);
    if (device == kNone<std::uint32_t>) continue;
    SwitchLoss loss{std::string(role), plan.devices[device].name, {}, {}, 0, ""};
    ResolvedFaults faults;
    faults.removed = nodes[device];
    try {
      const LossResult lost = lose(model, routing, lids, faults, {.threads = options.threads});
      loss.repaired = rates_of(*lost.after, lost.new_routing, compute, options.threads);
      const Routing again = route(engine, *lost.after, {.threads = options.threads});
      loss.rerouted = rates_of(*lost.after, again, compute, options.threads);
    } catch (const PromiseError& error) {
      loss.fault = error.what();
    }
    loss.pairs_lost = figures.intact.pairs - std::min(figures.intact.pairs, loss.rates().pairs);
    figures.losses.push_back(std::move(loss));
  }
  return figures;
}

}  // namespace fatwood
