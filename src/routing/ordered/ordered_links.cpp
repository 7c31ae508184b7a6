// SPDX-License-Identifier: BSD-3-Clause
#include "routing/ordered/ordered_links.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "core/union_find.hpp"

namespace fatwood {

namespace {

struct Cable {
  std::uint32_t a, b;
  Channel channel;  // from a
};

// Cables between different switches as a sweep finds them: breadth-first from the first switch
// (then from the first one not found yet), ports in order.
std::vector<Cable> sweep(const Fabric& fabric) {
  constexpr std::uint32_t kUnknown = 0xffffffffU;
  const auto switches = static_cast<std::uint32_t>(fabric.num_switches());
  std::vector<std::uint32_t> position(switches, kUnknown), found;
  std::vector<Cable> cables;
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
      for (const SwitchLink& link : fabric.links(Switch{s})) {
        find(index(link.to));
        // Others were seen from the other end, or lead to the switch itself.
        if (position[index(link.to)] > next) cables.push_back({s, index(link.to), link.channel});
      }
    }
  }
  return cables;
}

void sort_by_degree(std::vector<Cable>& cables, std::size_t switches) {
  std::vector<std::uint32_t> degree(switches);
  for (const Cable& cable : cables) {
    ++degree[cable.a];
    ++degree[cable.b];
  }
  std::vector<std::uint32_t> order(switches);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater{}, [&](std::uint32_t s) { return degree[s]; });
  std::vector<std::uint32_t> rank(switches);
  for (std::uint32_t i = 1; i < order.size(); ++i) {
    const bool equal = degree[order[i]] == degree[order[i - 1]];
    rank[order[i]] = equal ? rank[order[i - 1]] : i;
  }
  std::ranges::stable_sort(cables, {}, [&](const Cable& c) { return rank[c.a] + rank[c.b]; });
}

// Repeated Kruskal: the cables that a forest leaves are given to the next.
LinkLayers forests(const Fabric& fabric, std::vector<Cable> left) {
  LinkLayers layers(fabric.num_channels(), 0);
  for (std::uint8_t layer = 1; !left.empty(); ++layer) {
    UnionFind forest(fabric.num_switches());
    std::erase_if(left, [&](const Cable& cable) {
      if (!forest.join(cable.a, cable.b)) return false;
      layers[cable.channel] = layers[fabric.peer(cable.channel)] = layer;
      return true;
    });
  }
  return layers;
}

}  // namespace

LinkLayers find_layers(const Fabric& fabric, LinkOrder order) {
  std::vector<Cable> cables = sweep(fabric);
  if (order == LinkOrder::kByDegree) sort_by_degree(cables, fabric.num_switches());
  return forests(fabric, std::move(cables));
}

OrderedLinks order_links(const Fabric& fabric, const LinkLayers& layers) {
  std::vector<Channel> order;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const auto before = static_cast<std::ptrdiff_t>(order.size());
    for (const SwitchLink& link : fabric.links(s)) {
      if (link.to != s) order.push_back(link.channel);
    }
    std::stable_sort(order.begin() + before, order.end(),
                     [&](Channel a, Channel b) { return layers[a] < layers[b]; });
  }
  OrderedLinks result{link_graph(fabric, order), 0, {}};
  for (const Channel c : order) {
    result.layers = std::max<std::uint32_t>(result.layers, layers[c]);
    result.layer.push_back(layers[c]);
  }
  return result;
}

}  // namespace fatwood
