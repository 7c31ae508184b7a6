// SPDX-License-Identifier: BSD-3-Clause
#include "routing/ordered/ordered_links.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/union_find.hpp"

namespace fatwood {

namespace {

struct Cable {
  std::uint32_t a, b;
  Port port_a, port_b;
  std::uint8_t layer;
};

// Cables between different switches as a sweep finds them: breadth-first from the first switch
// (then from the first one not found yet), ports in order.
std::vector<Cable> sweep(const Fabric& fabric) {
  constexpr std::uint32_t kUnknown = 0xffffffffU;
  const auto switches = static_cast<std::uint32_t>(fabric.num_switches());
  std::vector<std::uint32_t> position(switches, kUnknown), found;
  std::vector<Cable> links;
  const auto find = [&](std::uint32_t s) {
    if (position[s] != kUnknown) return;
    position[s] = static_cast<std::uint32_t>(found.size());
    found.push_back(s);
  };
  for (std::uint32_t start = 0; start < switches; ++start) {
    std::size_t next = found.size();
    find(start);
    for (; next < found.size(); ++next) {
      const std::uint32_t s = found[next];
      for (const Channel c : fabric.switch_channels(Switch{s})) {
        const std::uint32_t other = index(fabric.next_switch(c));
        find(other);
        if (position[other] <= next) continue;  // seen from the other end, or a cable to itself
        links.push_back({s, other, fabric.port(c), fabric.port(fabric.peer(c)), 0});
      }
    }
  }
  return links;
}

void sort_by_degree(std::vector<Cable>& links, std::size_t switches) {
  std::vector<std::uint32_t> degree(switches);
  for (const Cable& link : links) {
    ++degree[link.a];
    ++degree[link.b];
  }
  std::vector<std::uint32_t> order(switches);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater{}, [&](std::uint32_t s) { return degree[s]; });
  std::vector<std::uint32_t> rank(switches);
  for (std::uint32_t i = 1; i < order.size(); ++i) {
    const bool equal = degree[order[i]] == degree[order[i - 1]];
    rank[order[i]] = equal ? rank[order[i - 1]] : i;
  }
  std::ranges::stable_sort(links, {}, [&](const Cable& l) { return rank[l.a] + rank[l.b]; });
}

// Repeated Kruskal: the links that a forest leaves are given to the next.
void fill_layers(std::vector<Cable>& links, std::uint32_t switches) {
  std::vector<Cable*> left;
  for (Cable& link : links) left.push_back(&link);
  for (std::uint8_t layer = 1; !left.empty(); ++layer) {
    UnionFind forest(switches);
    std::erase_if(left, [&](Cable* link) {
      if (!forest.join(link->a, link->b)) return false;
      link->layer = layer;
      return true;
    });
  }
}

OrderedLinks arcs_of(std::uint32_t switches, const std::vector<Cable>& links) {
  struct Arc {
    std::uint32_t from;
    std::uint8_t layer;
    Port port;
    std::uint32_t to;
    std::uint32_t half;  // link * 2 + direction
  };
  std::vector<Arc> arcs;
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    const Cable& link = links[i];
    arcs.push_back({link.a, link.layer, link.port_a, link.b, 2 * i});
    arcs.push_back({link.b, link.layer, link.port_b, link.a, 2 * i + 1});
  }
  std::ranges::sort(arcs, {},
                    [](const Arc& arc) { return std::tuple(arc.from, arc.layer, arc.port); });
  OrderedLinks result;
  result.switches = switches;
  result.first.assign(switches + 1, 0);
  std::vector<std::uint32_t> place(arcs.size());
  for (std::uint32_t i = 0; i < arcs.size(); ++i) {
    const Arc& arc = arcs[i];
    ++result.first[arc.from + 1];
    result.from.push_back(arc.from);
    result.to.push_back(arc.to);
    result.layer.push_back(arc.layer);
    result.port.push_back(arc.port);
    result.layers = std::max<std::uint32_t>(result.layers, arc.layer);
    place[arc.half] = i;
  }
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  for (const Arc& arc : arcs) result.reverse.push_back(place[arc.half ^ 1U]);
  return result;
}

}  // namespace

OrderedLinks order_links(const Fabric& fabric, LinkOrder order) {
  std::vector<Cable> links = sweep(fabric);
  if (order == LinkOrder::kByDegree) sort_by_degree(links, fabric.num_switches());
  const auto switches = static_cast<std::uint32_t>(fabric.num_switches());
  fill_layers(links, switches);
  return arcs_of(switches, links);
}

OrderedLinks order_links(std::uint32_t switches, std::span<const LayeredLink> links) {
  std::vector<std::uint8_t> used(switches);
  std::vector<Cable> all;
  for (const LayeredLink& link : links) {
    const auto port_a = static_cast<Port>(++used[link.a]);
    const auto port_b = static_cast<Port>(++used[link.b]);
    all.push_back({link.a, link.b, port_a, port_b, link.layer});
  }
  return arcs_of(switches, all);
}

}  // namespace fatwood
