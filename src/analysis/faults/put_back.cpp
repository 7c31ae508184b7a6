// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/faults/put_back.hpp"

#include <algorithm>
#include <tuple>

#include "analysis/load/all_to_all.hpp"
#include "analysis/permutations/standing_permutations.hpp"
#include "core/share_out.hpp"
#include "routing/tables/target_tree.hpp"

namespace fatwood {

namespace {

std::uint64_t lost_pairs(const Model& model, const ForwardingTables& tables) {
  const Fabric& fabric = model.fabric();
  std::vector<std::uint64_t> on(fabric.num_switches());
  std::uint64_t all = 0;
  for (const Terminal t : model.adapters().all_terminals()) {
    if (fabric.leaf(t) == kNone<Switch>) continue;
    ++on[index(fabric.leaf(t))];
    ++all;
  }
  TargetTree tree(fabric, model.hop_map());
  std::uint64_t lost = 0;
  for (const Terminal t : model.adapters().all_terminals()) {
    if (fabric.leaf(t) == kNone<Switch>) continue;
    tree.follow(tables, tables.target(t));
    std::uint64_t reached = 0;
    for (const std::uint32_t s : tree.reached()) reached += on[s];
    lost += all - std::max<std::uint64_t>(reached, 1);
  }
  return lost;
}

Fraction most_loaded_at(const Model& model, const StandingFlows& flows, const NewCable& cable) {
  const Fabric& fabric = model.fabric();
  const MostLoaded most(model, flows.units_in_one());
  Fraction largest = 0;
  for (const Switch s : {cable.below, cable.above}) {
    for (const Channel c : fabric.channels(fabric.node(s))) {
      if (!flows.between_switches(c)) continue;
      const Channel back = fabric.peer(c);
      largest =
          std::max({largest, most.load(c, flows.flows()[c]), most.load(back, flows.flows()[back])});
    }
  }
  return largest;
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
  const AllToAllLoad load = all_to_all_load(model, flows.flows(), flows.units_in_one());
  result.mload = load.mload;
  result.gigabits = load.gigabits;
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
    return {cable, standing(with, then.tables, flows_then), most_loaded_at(model, flows, cable),
            most_loaded_at(with, flows_then, cable)};
  };
  std::size_t done = 0;
  // The engine has threads of its own.
  result.cables = share_out(share, missing.size(), 1, [&](std::size_t i, int) {
    PutBack found = put_back(missing[i]);
    report(progress, static_cast<double>(++done) / static_cast<double>(missing.size() + 1),
           "cables put back");
    return found;
  });
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
