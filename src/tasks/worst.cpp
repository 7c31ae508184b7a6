// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/worst.hpp"

#include <fmt/format.h>

#include "analysis/bounds/oload.hpp"
#include "analysis/load/link_load.hpp"
#include "core/error.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

// The exact worst case, loaded again by other code; or why there is none.
std::string find_exactly(const Model& model, const PathSource& paths, const WorstOptions& options,
                         WorstReport& report) {
  const CompleteTree& tree = *model.complete_tree();
  const AlgebraicRouting* closed = paths.algebraic();
  const CableUse use = closed != nullptr ? cable_use(*closed) : cable_use(model, paths);
  const auto host_at = [&](std::uint32_t place) {
    return tree.generated() ? static_cast<Adapter>(place)
                            : model.adapters().of(tree.terminal_at(place));
  };
  WorstCase worst = worst_case(use, options);
  if (worst.stray) {
    const Adapter from = host_at(worst.stray->source);
    const Adapter to = host_at(worst.stray->destination);
    return paths.paths(from, to).empty()
               ? fmt::format("there is no route from {} to {}", adapter_name(model, from),
                             adapter_name(model, to))
               : fmt::format("the route from {} to {} is not a shortest path up and down the tree",
                             adapter_name(model, from), adapter_name(model, to));
  }
  report.exact = std::move(worst);
  report.exact->channel = tree.channel_at(report.exact->channel);
  Traffic by_place{.adapters = model.adapters().size()};
  report.traffic.adapters = model.adapters().size();
  for (const Demand& demand : report.exact->traffic) {
    by_place.flows.push_back({static_cast<Adapter>(demand.source),
                              static_cast<Adapter>(demand.destination), demand.amount});
    report.traffic.flows.push_back(
        {host_at(demand.source), host_at(demand.destination), demand.amount});
  }
  report.mload =
      max_load(link_loads(model, paths, report.traffic, options.threads, Weighing::kFlows));
  report.oload = tree_oload(tree.shape, by_place);
  report.bound_squared = single_path_bound_squared(tree.shape);
  return {};
}

}  // namespace

WorstReport find_worst(const Model& model, const PathSource& paths, const std::string& routing,
                       const WorstOptions& options) {
  if (model.adapters().size() < 2) {
    throw InputError("the fabric has fewer than two hosts that count");
  }
  WorstReport report;
  report.routing = routing;
  report.traffic_class = options.traffic;
  if (!model.complete_tree()) {
    report.why_bounds = "the fabric is not a complete tree";
  } else if (!model.speeds().uniform()) {
    report.why_bounds = "its cables have different speeds";
  } else {
    report.why_bounds = find_exactly(model, paths, options, report);
    if (report.exact) return report;
  }
  report.bounds = worst_bounds(model, paths, options);
  if (report.bounds->flows_solved >= options.most_solved) {
    report.why_bounds +=
        fmt::format("; only its {} channels with the most ends were searched", options.most_solved);
  }
  report.traffic = report.bounds->traffic;
  return report;
}

}  // namespace fatwood
