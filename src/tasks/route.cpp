// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/route.hpp"

#include <chrono>

#include "routing/adaptive/destination_classes.hpp"
#include "routing/algebraic/tables.hpp"
#include "verify/adaptive/choices.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {

MadeRoutes route_by_name(const Model& model, std::string_view name, const RouteOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  ResolvedRouting resolved = resolve_routing(model, name, options, Prefer::kTables);
  MadeRoutes made{std::move(resolved.routing), {}, std::move(resolved.note)};
  if (resolved.algebraic) {
    AlgebraicTables tables = make_tables(model, resolved.algebraic, options.threads);
    made.routing = std::move(tables.routing);
    made.choice = std::move(tables.choice);
  }
  made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return made;
}

namespace {

// Where every switch reaches every address on one lane, all entries but those for itself are
// routes: no need to count them.
std::vector<std::uint64_t> lane_routes(const Routing& routing, const Reachability& reachability) {
  const ForwardingTables& tables = routing.tables;
  if (!routing.lanes.single() || !reachability.whole()) return count_lane_routes(routing);
  return {one_less(tables.num_destinations()) * tables.num_switches()};
}

}  // namespace

RouteFigures route_figures(const Model& model, const Routing& routing, int threads) {
  const Fabric& fabric = model.fabric();
  const unsigned lmc = routing.tables.lmc();
  RouteFigures figures{.engine = routing.engine,
                       .lmc = lmc,
                       .terminals = fabric.num_terminals(),
                       .switches = fabric.num_switches(),
                       .destinations = (fabric.num_terminals() << lmc) + fabric.num_switches(),
                       .lanes = routing.lanes.count,
                       .reachability = {},
                       .hops = {},
                       .longer = 0,
                       .longer_by = 0,
                       .lane_routes = {}};
  if (routing.sets.empty()) {
    ReachAndLengths found = find_reach_and_lengths(fabric, routing, threads);
    figures.reachability = std::move(found.reachability);
    figures.hops = figures.reachability.hops.terminals;
    figures.longer = found.minimality.longer.terminal_terminal;
    figures.longer_by = found.minimality.worst_excess;
    figures.lane_routes = lane_routes(routing, figures.reachability);
    return figures;
  }
  figures.lane_routes = count_lane_routes(routing);
  ChoiceFindings choices =
      find_choices(model, routing, destination_classes(fabric, routing, threads), threads);
  figures.reachability = std::move(choices.reachability);
  figures.hops = std::move(choices.most.terminals);
  return figures;
}

}  // namespace fatwood
