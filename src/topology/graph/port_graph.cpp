// SPDX-License-Identifier: BSD-3-Clause
#include "topology/graph/port_graph.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/parallel.hpp"

namespace fatwood {

namespace {

// One group: a neighbour and the ports that lead there.
struct Group {
  std::uint32_t neighbour;
  std::vector<Port> ports;
};

void push_switch(PortGraph& graph, std::span<const Group> groups) {
  for (const Group& group : groups) {
    graph.neighbour.push_back(group.neighbour);
    graph.port.insert(graph.port.end(), group.ports.begin(), group.ports.end());
    graph.first_port.push_back(static_cast<std::uint32_t>(graph.port.size()));
  }
  graph.first.push_back(static_cast<std::uint32_t>(graph.neighbour.size()));
}

PortGraph empty_graph(std::size_t switches) {
  PortGraph graph;
  graph.switches = switches;
  graph.first.push_back(0);
  graph.first_port.push_back(0);
  return graph;
}

}  // namespace

PortGraph port_graph(const Fabric& fabric) {
  constexpr std::uint32_t kNew = std::numeric_limits<std::uint32_t>::max();
  PortGraph graph = empty_graph(fabric.num_switches());
  std::vector<std::uint32_t> group_of(fabric.num_switches(), kNew);
  std::vector<Group> groups;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    groups.clear();
    for (const Channel c : fabric.switch_channels(s)) {
      const std::uint32_t other = index(fabric.next_switch(c));
      if (other == index(s)) continue;
      if (group_of[other] == kNew) {
        group_of[other] = static_cast<std::uint32_t>(groups.size());
        groups.push_back({other, {}});
      }
      groups[group_of[other]].ports.push_back(fabric.port(c));
    }
    for (const Group& group : groups) group_of[group.neighbour] = kNew;
    push_switch(graph, groups);
    graph.first_up.push_back(graph.first.back());
  }
  return graph;
}

PortGraph order_groups(const PortGraph& graph, const Table<Switch, std::uint32_t>& position) {
  PortGraph result = empty_graph(graph.switches);
  std::vector<Group> groups;
  for (std::uint32_t s = 0; s < graph.switches; ++s) {
    groups.clear();
    for (std::uint32_t g = graph.first[s]; g < graph.first[s + 1]; ++g) {
      const auto ports = graph.ports(g);
      groups.push_back({graph.neighbour[g], {ports.begin(), ports.end()}});
    }
    const auto up = std::stable_partition(groups.begin(), groups.end(), [&](const Group& group) {
      return position[Switch{group.neighbour}] > position[Switch{s}];
    });
    result.first_up.push_back(result.first.back() +
                              static_cast<std::uint32_t>(up - groups.begin()));
    push_switch(result, groups);
  }
  return result;
}

std::vector<std::uint16_t> hop_counts(const PortGraph& graph, int threads) {
  const std::size_t n = graph.switches;
  std::vector<std::uint16_t> hops(n * n, kFar);
  const std::size_t batches = (n + 63) / 64;
  parallel_for(batches, threads, [&](std::size_t batch, int) {
    std::vector<std::uint64_t> seen(n), front(n), next(n);
    const std::size_t begin = batch * 64;
    for (std::size_t i = begin; i < std::min(n, begin + 64); ++i) {
      front[i] = seen[i] = std::uint64_t{1} << (i - begin);
      hops[i * n + i] = 0;
    }
    bool any = true;
    for (std::uint16_t level = 1; any && level < kFar; ++level) {
      any = false;
      std::fill(next.begin(), next.end(), 0);
      for (std::size_t s = 0; s < n; ++s) {
        if (front[s] == 0) continue;
        for (std::uint32_t g = graph.first[s]; g < graph.first[s + 1]; ++g) {
          next[graph.neighbour[g]] |= front[s];
        }
      }
      for (std::size_t s = 0; s < n; ++s) {
        front[s] = next[s] & ~seen[s];
        seen[s] |= front[s];
        for (std::uint64_t bits = front[s]; bits != 0; bits &= bits - 1) {
          hops[s * n + begin + static_cast<std::size_t>(std::countr_zero(bits))] = level;
          any = true;
        }
      }
    }
  });
  return hops;
}

}  // namespace fatwood
