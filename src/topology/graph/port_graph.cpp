// SPDX-License-Identifier: BSD-3-Clause
#include "topology/graph/port_graph.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/parallel.hpp"

namespace fatwood {

namespace {

// One trunk: a neighbour and the ports that lead there.
struct Trunk {
  std::uint32_t neighbour;
  std::vector<Port> ports;
};

void push_switch(PortGraph& graph, std::span<const Trunk> trunks) {
  for (const Trunk& trunk : trunks) {
    graph.neighbour.push_back(trunk.neighbour);
    graph.port.insert(graph.port.end(), trunk.ports.begin(), trunk.ports.end());
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
  std::vector<std::uint32_t> trunk_of(fabric.num_switches(), kNew);
  std::vector<Trunk> trunks;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    trunks.clear();
    for (const Channel c : fabric.switch_channels(s)) {
      const std::uint32_t other = index(fabric.next_switch(c));
      if (other == index(s)) continue;
      if (trunk_of[other] == kNew) {
        trunk_of[other] = static_cast<std::uint32_t>(trunks.size());
        trunks.push_back({other, {}});
      }
      trunks[trunk_of[other]].ports.push_back(fabric.port(c));
    }
    for (const Trunk& trunk : trunks) trunk_of[trunk.neighbour] = kNew;
    push_switch(graph, trunks);
    graph.first_up.push_back(graph.first.back());
  }
  return graph;
}

PortGraph order_trunks(const PortGraph& graph, const Table<Switch, std::uint32_t>& position) {
  PortGraph result = empty_graph(graph.switches);
  std::vector<Trunk> trunks;
  for (std::uint32_t s = 0; s < graph.switches; ++s) {
    trunks.clear();
    for (std::uint32_t g = graph.first[s]; g < graph.first[s + 1]; ++g) {
      const auto ports = graph.ports(g);
      trunks.push_back({graph.neighbour[g], {ports.begin(), ports.end()}});
    }
    const auto up = std::stable_partition(trunks.begin(), trunks.end(), [&](const Trunk& trunk) {
      return position[Switch{trunk.neighbour}] > position[Switch{s}];
    });
    result.first_up.push_back(result.first.back() +
                              static_cast<std::uint32_t>(up - trunks.begin()));
    push_switch(result, trunks);
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
