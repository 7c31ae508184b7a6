// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tables/multicast.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace fatwood {

namespace {

constexpr std::uint32_t kUnseen = 0xffffffffU;

// For each switch, the members within some hops, one bit each.
class Balls {
 public:
  Balls(const PortGraph& graph, std::span<const Switch> members, const Table<Switch, char>& capable)
      : graph_(graph), capable_(capable), words_((members.size() + 63) / 64) {
    inside_.assign(graph.size() * words_, 0);
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (capable[members[i]] == 0) continue;
      inside_[index(members[i]) * words_ + i / 64] |= std::uint64_t{1} << i % 64;
    }
  }

  // Grows by one hop. False if nothing changes.
  bool grow() {
    std::vector<std::uint64_t> grown = inside_;
    for (std::uint32_t s = 0; s < graph_.size(); ++s) {
      if (capable_[Switch{s}] == 0) continue;
      for (const Switch to : graph_.neighbours(Switch{s})) {
        const std::uint64_t* const there = inside_.data() + index(to) * words_;
        for (std::size_t w = 0; w < words_; ++w) grown[s * words_ + w] |= there[w];
      }
    }
    if (grown == inside_) return false;
    inside_ = std::move(grown);
    return true;
  }

  std::size_t members_at(std::uint32_t s) const {
    std::size_t count = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      count += static_cast<std::size_t>(std::popcount(inside_[s * words_ + w]));
    }
    return count;
  }

 private:
  const PortGraph& graph_;
  const Table<Switch, char>& capable_;
  std::size_t words_;
  std::vector<std::uint64_t> inside_;  // [switch][word]
};

// Switches with the smallest distance to their farthest member. If the members cannot all be
// connected, those that reach the most members.
std::vector<std::uint32_t> centres(const PortGraph& graph, std::span<const Switch> members,
                                   const Table<Switch, char>& capable) {
  Balls balls(graph, members, capable);
  std::vector<std::uint32_t> best;
  std::size_t most = 0;
  do {
    std::vector<std::size_t> count(graph.size());
    for (std::uint32_t s = 0; s < graph.size(); ++s) count[s] = balls.members_at(s);
    const std::size_t now = graph.size() == 0 ? 0 : *std::ranges::max_element(count);
    if (now <= most) continue;
    most = now;
    best.clear();
    for (std::uint32_t s = 0; s < graph.size(); ++s) {
      if (count[s] == most) best.push_back(s);
    }
  } while (most < members.size() && balls.grow());
  return best;
}

struct Distances {
  std::vector<std::uint32_t> hops;   // from the root, by switch
  std::vector<std::uint32_t> order;  // what can be reached, nearest first
};

Distances distances(const PortGraph& graph, std::uint32_t root,
                    const Table<Switch, char>& capable) {
  Distances result{std::vector<std::uint32_t>(graph.size(), kUnseen), {root}};
  result.hops[root] = 0;
  for (std::size_t i = 0; i < result.order.size(); ++i) {
    const std::uint32_t s = result.order[i];
    for (const Switch to : graph.neighbours(Switch{s})) {
      if (capable[to] == 0 || result.hops[index(to)] != kUnseen) continue;
      result.hops[index(to)] = result.hops[s] + 1;
      result.order.push_back(index(to));
    }
  }
  return result;
}

// The trunk to the parent of a switch: a neighbour that is already in the tree if there is
// one, otherwise the neighbours in turn.
Trunk parent_trunk(const PortGraph& graph, const std::vector<std::uint32_t>& hops,
                   const std::vector<char>& in_tree, std::uint32_t s, std::uint32_t turn) {
  std::vector<Trunk> nearer;
  for (const Trunk g : graph.trunks(Switch{s})) {
    const std::uint32_t next = index(graph.neighbour(g));
    if (hops[next] == kUnseen || hops[next] + 1 != hops[s]) continue;
    if (in_tree[next] != 0) return g;
    nearer.push_back(g);
  }
  return nearer[turn % nearer.size()];
}

}  // namespace

MulticastTree multicast_tree(const Fabric& fabric, const PortGraph& graph,
                             std::span<const Switch> members, const Table<Switch, char>& capable,
                             std::uint32_t group) {
  MulticastTree tree;
  const std::vector<std::uint32_t> roots = centres(graph, members, capable);
  if (roots.empty()) {
    tree.left_out.assign(members.begin(), members.end());
    return tree;
  }
  const std::uint32_t root = roots[group % roots.size()];
  tree.root = Switch{root};
  const Distances from_root = distances(graph, root, capable);
  std::vector<char> in_tree(graph.size());
  for (const Switch s : members) {
    if (from_root.hops[index(s)] == kUnseen)
      tree.left_out.push_back(s);
    else
      in_tree[index(s)] = 1;
  }
  for (std::size_t i = from_root.order.size(); i-- > 1;) {
    const std::uint32_t s = from_root.order[i];
    if (in_tree[s] == 0) continue;
    const Trunk g = parent_trunk(graph, from_root.hops, in_tree, s, group);
    const auto ports = graph.ports(g);
    in_tree[index(graph.neighbour(g))] = 1;
    tree.up.push_back(fabric.channel(fabric.node(Switch{s}), ports[group % ports.size()]));
  }
  return tree;
}

}  // namespace fatwood
