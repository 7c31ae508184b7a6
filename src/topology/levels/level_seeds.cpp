// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <queue>
#include <utility>

#include "topology/levels/level_steps.hpp"

namespace fatwood {
namespace {

std::uint32_t free_ports(const Fabric& fabric, Switch s) {
  return static_cast<std::uint32_t>(std::ranges::count_if(
      fabric.channels(fabric.node(s)), [&](Channel c) { return !fabric.connected(c); }));
}

// Components without terminals: the switches with at least half of the most free ports are leaves.
LevelSeeds seed_empty_components(const Fabric& fabric, const Components& components,
                                 LevelSeeds seeds) {
  std::vector<std::uint8_t> has_terminals(components.count);
  std::vector<std::uint32_t> most(components.count);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (seeds.terminals[s] > 0) has_terminals[components.component[s]] = 1;
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const std::uint32_t component = components.component[s];
    if (has_terminals[component] == 0)
      most[component] = std::max(most[component], free_ports(fabric, s));
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const std::uint32_t component = components.component[s];
    if (has_terminals[component] == 0) seeds.leaf[s] = free_ports(fabric, s) * 2 >= most[component];
  }
  return seeds;
}

// The excess of cables to seeds over terminals: the gain of making it a spine.
std::int64_t gain(const PortGraph& graph, const LevelSeeds& seeds, Switch s) {
  std::int64_t cables = 0;
  for (const Trunk g : graph.trunks(s))
    cables += std::int64_t{seeds.leaf[graph.neighbour(g)]} * graph.width(g);
  return cables - std::int64_t{seeds.terminals[s]};
}

// A switch connected to only one other seed is its twin, not its spine.
LevelSeeds lift_spines_with_terminals(const PortGraph& graph, LevelSeeds seeds) {
  struct Item {
    std::int64_t gain;
    Switch s;
    bool operator<(const Item& other) const {
      return gain != other.gain ? gain < other.gain : index(s) > index(other.s);
    }
  };
  std::priority_queue<Item> queue;
  for (const Switch s : ids<Switch>(graph.size())) {
    if (seeds.leaf[s] == 0 || seeds.terminals[s] == 0) continue;
    if (const std::int64_t g = gain(graph, seeds, s); g > 0) queue.push({g, s});
  }
  while (!queue.empty()) {
    const Item item = queue.top();
    queue.pop();
    const std::int64_t now = gain(graph, seeds, item.s);
    if (now <= 0) continue;
    if (now != item.gain) {
      queue.push({now, item.s});
      continue;
    }
    const auto is_seed = [&](Switch to) { return seeds.leaf[to] != 0; };
    if (std::ranges::count_if(graph.neighbours(item.s), is_seed) < 2) continue;
    seeds.leaf[item.s] = 0;
    seeds.lifted[item.s] = 1;
  }
  return seeds;
}

// The two sides of a component all of whose switches are seeds, if it is bipartite; otherwise
// empty.
using Sides = std::array<std::vector<Switch>, 2>;
Sides two_sides(const PortGraph& graph, const LevelSeeds& seeds, Switch start,
                Table<Switch, std::uint8_t>& colour) {
  Sides sides;
  bool fits = true;
  std::vector<Switch> reached{start};
  colour[start] = 1;
  while (!reached.empty()) {
    const Switch s = reached.back();
    reached.pop_back();
    fits = fits && seeds.leaf[s] != 0;
    sides[colour[s] - 1].push_back(s);
    for (const Switch to : graph.neighbours(s)) {
      if (colour[to] == 0) {
        colour[to] = static_cast<std::uint8_t>(3 - colour[s]);
        reached.push_back(to);
      }
      fits = fits && colour[to] != colour[s];
    }
  }
  if (!fits || sides[0].size() + sides[1].size() < 3) return {};
  return sides;
}

double terminals_per_switch(const LevelSeeds& seeds, const std::vector<Switch>& side) {
  double sum = 0;
  for (const Switch s : side) sum += seeds.terminals[s];
  return sum / static_cast<double>(side.size());
}

// Spines full of terminals: where every switch is a seed still and all cables run between two
// sides, the smaller side is above, if each of its switches reaches every switch of the other.
LevelSeeds lift_smaller_side(const PortGraph& graph, LevelSeeds seeds) {
  Table<Switch, std::uint8_t> colour(graph.size());
  for (const Switch start : ids<Switch>(graph.size())) {
    if (colour[start] != 0) continue;
    Sides sides = two_sides(graph, seeds, start, colour);
    if (sides[0].empty()) continue;
    const std::size_t size[] = {sides[0].size(), sides[1].size()};
    const double dense[] = {terminals_per_switch(seeds, sides[0]),
                            terminals_per_switch(seeds, sides[1])};
    std::size_t up = size[1] < size[0] ? 1 : 0;
    if (size[0] == size[1]) {
      if (dense[0] == dense[1]) continue;
      up = dense[1] < dense[0] ? 1 : 0;
    }
    const bool reach_all = std::ranges::all_of(
        sides[up], [&](Switch s) { return graph.trunks(s).size() == size[1 - up]; });
    if (!reach_all) continue;
    for (const Switch s : sides[up]) {
      seeds.leaf[s] = 0;
      seeds.lifted[s] = 1;
    }
  }
  return seeds;
}

}  // namespace

LevelSeeds level_seeds(const Fabric& fabric, const PortGraph& graph, const Components& components,
                       const Table<Terminal, std::uint8_t>& aggregation) {
  LevelSeeds seeds;
  seeds.terminals.resize(fabric.num_switches());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch> && aggregation[t] == 0) ++seeds.terminals[fabric.leaf(t)];
  }
  seeds.leaf.resize(fabric.num_switches());
  seeds.lifted.resize(fabric.num_switches());
  for (const Switch s : ids<Switch>(fabric.num_switches())) seeds.leaf[s] = seeds.terminals[s] > 0;
  seeds = seed_empty_components(fabric, components, std::move(seeds));
  seeds = lift_spines_with_terminals(graph, std::move(seeds));
  return lift_smaller_side(graph, std::move(seeds));
}

}  // namespace fatwood
