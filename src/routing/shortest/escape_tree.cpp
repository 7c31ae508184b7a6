// SPDX-License-Identifier: BSD-3-Clause
#include "routing/shortest/escape_tree.hpp"

#include "core/invariant.hpp"
#include "topology/graph/port_graph.hpp"

namespace fatwood {

EscapeTree::EscapeTree(const LinkGraph& links, std::span<const std::uint16_t> hops,
                       const Heights& heights, std::span<const std::uint64_t> terminals)
    : links_(&links), to_parent_(links.switches, kNone<Link>) {
  const std::size_t n = links.switches;
  struct Place {
    bool high;          // above the leaves of a tree
    std::uint64_t far;  // from terminals, and from switches where these are as far
    auto operator<=>(const Place&) const = default;
  };
  const auto place = [&](std::size_t s) {
    Place at{heights.is_tree && heights.of_switch[s] > 1, 0};
    for (std::size_t t = 0; t < n; ++t) {
      const std::uint16_t h = hops[s * n + t];
      if (h != kFar) at.far += h * (terminals[t] * n + 1);
    }
    return at;
  };
  std::vector<char> seen(n);
  for (std::size_t first = 0; first < n; ++first) {
    if (seen[first] != 0) continue;
    std::size_t root = first;
    Place best = place(first);
    for (std::size_t s = first; s < n; ++s) {
      if (hops[first * n + s] == kFar) continue;
      seen[s] = 1;
      if (const Place at = place(s); at < best) {
        best = at;
        root = s;
      }
    }
    grow(static_cast<std::uint32_t>(root));
  }
}

void EscapeTree::grow(std::uint32_t root) {
  roots_.push_back(root);
  std::vector<std::uint32_t> queue{root};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const Link l : links_->of(queue[i])) {
      const std::uint32_t s = links_->to[l];
      if (s == root || to_parent_[s] != kNone<Link>) continue;
      to_parent_[s] = links_->reverse[l];
      queue.push_back(s);
    }
  }
}

std::vector<Link> EscapeTree::towards(std::uint32_t destination) const {
  std::vector<Link> next = to_parent_;
  for (std::uint32_t s = destination; to_parent_[s] != kNone<Link>;) {
    const std::uint32_t parent = links_->to[to_parent_[s]];
    next[parent] = links_->reverse[to_parent_[s]];
    s = parent;
  }
  next[destination] = kNone<Link>;
  return next;
}

void EscapeTree::add_dependencies(Layer& lane) const {
  Table<Link, char> in_tree(links_->size());
  for (const Link link : to_parent_) {
    if (link != kNone<Link>) in_tree[link] = in_tree[links_->reverse[link]] = 1;
  }
  for (std::uint32_t s = 0; s < links_->switches; ++s) {
    for (const Link a : links_->of(s)) {
      if (in_tree[a] == 0) continue;
      for (const Link b : links_->of(s)) {
        if (in_tree[b] == 0 || a == b) continue;
        invariant(lane.add(links_->reverse[a], b), "the escape tree closes a cycle");
        lane.commit();
      }
    }
  }
}

}  // namespace fatwood
