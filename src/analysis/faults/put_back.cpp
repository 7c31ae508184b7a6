// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/faults/put_back.hpp"

#include <algorithm>
#include <tuple>

#include "analysis/permutations/standing_permutations.hpp"
#include "core/bytes.hpp"
#include "core/parallel.hpp"
#include "routing/tables/target_tree.hpp"

namespace fatwood {

namespace {

std::uint64_t lost_pairs(const Model& model, const ForwardingTables& tables) {
  const Fabric& fabric = model.fabric();
  std::vector<std::uint64_t> on(fabric.num_switches());
  std::uint64_t all = 0;
  for (const Terminal t : model.hosts().all_terminals()) {
    if (fabric.leaf(t) == kNone<Switch>) continue;
    ++on[index(fabric.leaf(t))];
    ++all;
  }
  TargetTree tree(fabric, model.hop_map());
  std::uint64_t lost = 0;
  for (const Terminal t : model.hosts().all_terminals()) {
    if (fabric.leaf(t) == kNone<Switch>) continue;
    tree.follow(tables, tables.target(t));
    std::uint64_t reached = 0;
    for (const std::uint32_t s : tree.reached()) reached += on[s];
    lost += all - std::max<std::uint64_t>(reached, 1);
  }
  return lost;
}

Fraction fullest_at(const Fabric& fabric, const StandingFlows& flows, const NewCable& cable) {
  std::int64_t most = 0;
  for (const Switch s : {cable.below, cable.above}) {
    const Node node = fabric.node(s);
    for (const Channel c : fabric.channels(node)) {
      if (!flows.between_switches(c)) continue;
      most = std::max({most, flows.flows()[c], flows.flows()[fabric.peer(c)]});
    }
  }
  return {most, static_cast<std::int64_t>(flows.units_in_one())};
}

// The missing cables one by one, with their ports where these are known.
std::vector<NewCable> missing_one_by_one(const Model& model) {
  const Recognition& known = model.recognition();
  std::vector<NewCable> cables;
  for (const MissingCable& gap : known.missing) {
    const FreePorts ports = where_missing(model.fabric(), known.blocks, gap);
    for (std::uint32_t i = gap.there; i < gap.usual; ++i) {
      const std::size_t k = i - gap.there;
      const auto port = [&](const std::vector<Channel>& known_ports) {
        return k < known_ports.size() ? known_ports[k] : kNone<Channel>;
      };
      cables.push_back({gap.below, gap.above, port(ports.below), port(ports.above)});
    }
  }
  return cables;
}

}  // namespace

Standing standing(const Model& model, const ForwardingTables& tables, const StandingFlows& flows) {
  Standing result;
  result.pairs_lost = lost_pairs(model, tables);
  const auto units = static_cast<std::int64_t>(flows.units_in_one());
  double longest = flows.host_time();
  if (!flows.by_flows().empty()) {
    result.mload = Fraction(flows.flows()[flows.by_flows().front()], units);
    const Channel slow = flows.by_time().front();
    longest = std::max(longest, static_cast<double>(flows.flows()[slow]) * flows.unit_time(slow));
    for (const Channel c : flows.by_flows()) result.mean += static_cast<double>(flows.flows()[c]);
    result.mean /= static_cast<double>(flows.by_flows().size()) * static_cast<double>(units);
  }
  const std::size_t hosts = model.hosts().size();
  if (flows.rates_known() && longest > 0 && hosts > 1) {
    result.gigabits = static_cast<double>(hosts - 1) * static_cast<double>(units) / longest;
  }
  return result;
}

Standing standing_with(const Model& model, const Engine& engine, const RouteOptions& options,
                       std::size_t permutations, std::uint64_t seed) {
  const Routing routing = route(engine, model, options);
  const StandingFlows flows(model, routing.tables, options.threads);
  Standing result = standing(model, routing.tables, flows);
  result.permutation_gigabits =
      StandingPermutations(model, routing.tables, flows, permutations, seed).gigabits();
  return result;
}

PutBackOrder find_put_back(const Model& model, const Engine& engine, const RouteOptions& options,
                           const Progress& progress, const Share& share) {
  const Routing routing = route(engine, model, options);
  const StandingFlows flows(model, routing.tables, options.threads);
  PutBackOrder result;
  result.now = standing(model, routing.tables, flows);
  result.all = result.now;
  const std::vector<NewCable> missing = missing_one_by_one(model);
  if (missing.empty()) return result;
  const auto put_back = [&](const NewCable& cable) -> PutBack {
    const Model with(with_cables(model, std::span(&cable, 1)).fabric, model.hints());
    const Routing then = route(engine, with, options);
    const StandingFlows flows_then(with, then.tables, options.threads);
    return {cable, standing(with, then.tables, flows_then),
            fullest_at(model.fabric(), flows, cable), fullest_at(with.fabric(), flows_then, cable)};
  };
  if (share) {
    // The engine has threads of its own.
    const auto found = share.each(
        missing.size(), 1, [&](std::size_t i, int) { return to_bytes(put_back(missing[i])); });
    for (const std::string& bytes : found) result.cables.push_back(from_bytes<PutBack>(bytes));
  } else {
    for (const NewCable& cable : missing) {
      result.cables.push_back(put_back(cable));
      report(progress,
             static_cast<double>(result.cables.size()) / static_cast<double>(missing.size() + 1),
             "cables put back");
    }
  }
  result.all =
      standing_with(Model(with_cables(model, missing).fabric, model.hints()), engine, options);
  std::ranges::stable_sort(result.cables, {}, [](const PutBack& back) {
    const double relief =
        back.ends_before == 0 ? 1 : back.ends_after.value() / back.ends_before.value();
    return std::tuple(back.then.pairs_lost, -back.then.gigabits, back.then.mload.value(), relief);
  });
  return result;
}

}  // namespace fatwood
