// SPDX-License-Identifier: BSD-3-Clause
#include "topology/recognise/capacity.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/sort_unique.hpp"

namespace fatwood {
namespace {

bool any_rate(const Fabric& fabric) {
  return std::ranges::any_of(ids<Channel>(fabric.num_channels()), [&](Channel c) {
    return fabric.connected(c) && gigabits(fabric.rate(c)) > 0;
  });
}

std::uint64_t megabits(const Fabric& fabric, Channel c, bool by_rate) {
  return by_rate ? static_cast<std::uint64_t>(std::llround(gigabits(fabric.rate(c)) * 1000)) : 1;
}

void count_switch(const Fabric& fabric, const Levels& levels, Switch s, bool by_rate,
                  LevelCapacity& at) {
  const Node node = fabric.node(s);
  std::vector<Node> adapters;
  ++at.switches;
  for (const Channel c : fabric.channels(node)) {
    if (!fabric.connected(c)) {
      ++at.free;
    } else if (!fabric.is_switch(fabric.neighbour(c))) {
      const Terminal t = fabric.terminal_at(fabric.peer(c));
      if (levels.role[t] == TerminalRole::kAggregation) {
        ++at.internal;
        continue;
      }
      adapters.push_back(fabric.neighbour(c));
      at.megabits_down += megabits(fabric, c, by_rate);
    } else if (const int up = step(fabric, levels, c); up == 0) {
      ++at.side;
    } else {
      ++(up > 0 ? at.up : at.down);
      (up > 0 ? at.megabits_up : at.megabits_down) += megabits(fabric, c, by_rate);
    }
  }
  sort_unique(adapters);
  const auto hosts = static_cast<std::uint32_t>(adapters.size());
  at.hosts += hosts;
  at.least_hosts = std::min(at.least_hosts, hosts);
  at.most_hosts = std::max(at.most_hosts, hosts);
  at.least_ports = std::min(at.least_ports, fabric.ports(node));
  at.most_ports = std::max(at.most_ports, fabric.ports(node));
}

std::optional<Bisection> bisect(const Fabric& fabric, const Levels& levels,
                                const Capacity& capacity) {
  Bisection all;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (levels.role[t] != TerminalRole::kOnLeaf && levels.role[t] != TerminalRole::kUpper) continue;
    ++all.cables;
    all.megabits += megabits(fabric, fabric.terminal_channel(t), capacity.by_rate);
  }
  if (all.cables < 2 || !levels.is_tree()) return std::nullopt;
  all.megabits /= 2;
  all.hosts_megabits = all.megabits;
  Bisection least = all;
  for (const LevelCapacity& at : capacity.levels) {
    if (at.level == levels.height || at.megabits_up / 2 >= least.megabits) continue;
    least = {at.level, at.up, at.megabits_up / 2, all.hosts_megabits};
  }
  return least;
}

}  // namespace

Capacity capacity(const Fabric& fabric, const Levels& levels) {
  Capacity result;
  result.by_rate = any_rate(fabric);
  result.levels.resize(levels.height);
  for (Level l = 1; l <= levels.height; ++l) result.levels[l - 1U].level = l;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    count_switch(fabric, levels, s, result.by_rate, result.levels[levels.level[s] - 1U]);
  }
  result.bisection = bisect(fabric, levels, result);
  return result;
}

}  // namespace fatwood
