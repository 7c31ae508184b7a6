// SPDX-License-Identifier: BSD-3-Clause
#include "topology/recognise/missing_cables.hpp"

#include <algorithm>
#include <map>

namespace fatwood {
namespace {

void find_in_tree(const PortGraph& graph, const TreeMap& map, std::vector<CableGap>& found) {
  const TreeShape& shape = map.shape;
  for (unsigned l = 1; l < shape.height(); ++l) {
    const std::uint64_t first = shape.first_at(l);
    for (std::uint64_t i = 0; i < shape.nodes_at(l); ++i) {
      const Switch s = map.switch_at[first - shape.terminals() + i];
      if (s == kNone<Switch>) continue;
      const std::uint64_t outer = i / shape.W(l) / shape.m[l];
      for (std::uint32_t b = 0; b < shape.w[l]; ++b) {
        const std::uint64_t x = i % shape.W(l) * shape.w[l] + b;
        const Switch parent =
            map.switch_at[shape.first_at(l + 1) - shape.terminals() + outer * shape.W(l + 1) + x];
        if (parent == kNone<Switch>) continue;
        const std::uint32_t there = cables_between(graph, s, parent);
        if (there < shape.p[l]) found.push_back({s, parent, there, shape.p[l]});
      }
    }
  }
}

void find_in_block(const PortGraph& graph, const TreeBlock& block, const SideParts& side,
                   std::vector<CableGap>& found) {
  for (const Switch s : block.below) {
    if (side.off[s] != 0) continue;
    std::vector<CableGap> mine;
    std::uint32_t total = 0;
    for (const Switch u : block.above) {
      const std::uint32_t there = cables_between(graph, s, u);
      total += there;
      if (there < block.cables) mine.push_back({s, u, there, block.cables});
    }
    if (total < block.cables * block.above.size()) {
      found.insert(found.end(), mine.begin(), mine.end());
    }
  }
}

// Ports of `own` that are free, by how many of the sisters use that number towards `other`.
std::vector<Channel> free_like_sisters(const Fabric& fabric, Switch own,
                                       const std::vector<Switch>& sisters, Switch other,
                                       std::size_t wanted) {
  std::map<Port, std::size_t> votes;
  for (const auto& [c, to, port] : fabric.links(other)) {
    if (std::ranges::binary_search(sisters, to)) ++votes[fabric.port(fabric.peer(c))];
  }
  std::vector<std::pair<std::size_t, Port>> order;
  const Node node = fabric.node(own);
  for (const auto& [port, count] : votes) {
    if (index(port) > fabric.ports(node) || fabric.connected(fabric.channel(node, port))) continue;
    if (count * 2 >= sisters.size() - 1) order.emplace_back(count, port);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Channel> result;
  if (order.size() < wanted) return result;
  for (std::size_t i = 0; i < wanted; ++i) {
    result.push_back(fabric.channel(node, order[i].second));
  }
  return result;
}

}  // namespace

std::vector<CableGap> missing_cables(const PortGraph& graph, const TreeBlocks& blocks,
                                     const SideParts& side, const TreeMap* map) {
  std::vector<CableGap> found;
  if (map != nullptr && map->trees == 1) {
    find_in_tree(graph, *map, found);
  } else {
    for (const TreeBlock& block : blocks.block) {
      if (block.regular()) find_in_block(graph, block, side, found);
    }
  }
  std::sort(found.begin(), found.end(), [](const CableGap& a, const CableGap& b) {
    return std::pair(a.below, a.above) < std::pair(b.below, b.above);
  });
  return found;
}

FreePorts where_missing(const Fabric& fabric, const TreeBlocks& blocks, const CableGap& missing) {
  FreePorts ports;
  const std::uint32_t up = blocks.up[missing.below];
  const std::uint32_t down = blocks.down[missing.above];
  const std::size_t wanted = missing.usual - missing.there;
  if (up == kNoBlock || down != up || wanted == 0) return ports;
  const TreeBlock& block = blocks.block[up];
  ports.below = free_like_sisters(fabric, missing.below, block.below, missing.above, wanted);
  ports.above = free_like_sisters(fabric, missing.above, block.above, missing.below, wanted);
  return ports;
}

}  // namespace fatwood
