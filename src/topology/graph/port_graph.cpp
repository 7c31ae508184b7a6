// SPDX-License-Identifier: BSD-3-Clause
#include "topology/graph/port_graph.hpp"

#include <algorithm>
#include <bit>

#include "core/parallel.hpp"

namespace fatwood {

void PortGraph::push_trunk(Switch to, std::span<const Port> ports) {
  neighbour_.push_back(to);
  port_.insert(port_.end(), ports.begin(), ports.end());
  first_port_.push_back(static_cast<std::uint32_t>(port_.size()));
}

void PortGraph::end_switch(std::uint32_t down) {
  first_up_.push_back(static_cast<Trunk>(index(first_.back()) + down));
  first_.push_back(static_cast<Trunk>(neighbour_.size()));
}

PortGraph port_graph(const Fabric& fabric) {
  PortGraph graph;
  struct Parallel {
    Switch to;
    std::vector<Port> ports;
  };
  std::vector<Parallel> trunks;  // of a switch: the first `used`; the next one reuses the memory
  Table<Switch, std::uint32_t> trunk_of(fabric.num_switches(), kNone<std::uint32_t>);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    std::uint32_t used = 0;
    for (const auto& [channel, to, port] : fabric.links(s)) {
      if (to == s) continue;
      if (trunk_of[to] == kNone<std::uint32_t>) {
        trunk_of[to] = used++;
        if (used > trunks.size()) trunks.emplace_back();
        trunks[used - 1].to = to;
        trunks[used - 1].ports.clear();
      }
      trunks[trunk_of[to]].ports.push_back(port);
    }
    for (const Parallel& trunk : std::span(trunks).first(used)) {
      graph.push_trunk(trunk.to, trunk.ports);
      trunk_of[trunk.to] = kNone<std::uint32_t>;
    }
    graph.end_switch(used);
  }
  return graph;
}

PortGraph order_trunks(const PortGraph& graph, const Table<Switch, std::uint32_t>& position) {
  return graph.arranged([&](Switch s, std::span<Trunk> trunks) {
    const auto up = std::ranges::stable_partition(
        trunks, [&](Trunk g) { return position[graph.neighbour(g)] > position[s]; });
    return trunks.size() - up.size();
  });
}

std::vector<Channel> cables_from(const Fabric& fabric, Switch from, Switch to) {
  std::vector<Channel> found;
  for (const SwitchLink& link : fabric.links(from)) {
    if (link.to == to) found.push_back(link.channel);
  }
  return found;
}

std::uint32_t cables_between(const PortGraph& graph, Switch a, Switch b) {
  const std::span<const Switch> others = graph.neighbours(a);
  const auto found = std::ranges::find(others, b);
  return found == others.end()
             ? 0
             : graph.width(graph.trunks(a)[static_cast<std::uint32_t>(found - others.begin())]);
}

Components connected_components(const PortGraph& graph) {
  Components components{Table<Switch, std::uint32_t>(graph.size(), kNone<std::uint32_t>), 0};
  std::vector<Switch> reached;
  for (const Switch start : ids<Switch>(graph.size())) {
    if (components.component[start] != kNone<std::uint32_t>) continue;
    components.component[start] = components.count;
    reached.push_back(start);
    while (!reached.empty()) {
      const Switch s = reached.back();
      reached.pop_back();
      for (const Switch to : graph.neighbours(s)) {
        if (components.component[to] != kNone<std::uint32_t>) continue;
        components.component[to] = components.count;
        reached.push_back(to);
      }
    }
    ++components.count;
  }
  return components;
}

std::vector<std::uint16_t> hop_counts(const PortGraph& graph, int threads) {
  const std::size_t n = graph.size();
  std::vector<std::uint16_t> hops(n * n, kFar);
  const std::size_t batches = (n + 63) / 64;
  parallel_for(batches, threads, [&](std::size_t batch, int) {
    std::vector<std::uint64_t> seen(n), front(n), next(n);
    // The switches in front, and those with bits in `next`: a long ring has few of n.
    std::vector<std::size_t> active, reached;
    const std::size_t begin = batch * 64;
    for (std::size_t i = begin; i < std::min(n, begin + 64); ++i) {
      front[i] = seen[i] = std::uint64_t{1} << (i - begin);
      hops[i * n + i] = 0;
      active.push_back(i);
    }
    for (std::uint16_t level = 1; !active.empty() && level < kFar; ++level) {
      reached.clear();
      for (const std::size_t s : active) {
        for (const Switch to : graph.neighbours(static_cast<Switch>(s))) {
          if (next[index(to)] == 0) reached.push_back(index(to));
          next[index(to)] |= front[s];
        }
      }
      active.clear();
      for (const std::size_t s : reached) {
        front[s] = next[s] & ~seen[s];
        next[s] = 0;
        if (front[s] == 0) continue;
        active.push_back(s);
        seen[s] |= front[s];
        for (std::uint64_t bits = front[s]; bits != 0; bits &= bits - 1) {
          hops[s * n + begin + static_cast<std::size_t>(std::countr_zero(bits))] = level;
        }
      }
    }
  });
  return hops;
}

}  // namespace fatwood
