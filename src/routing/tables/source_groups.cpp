// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tables/source_groups.hpp"

#include "core/union_find.hpp"

namespace fatwood {

SourceGroups::SourceGroups(const Fabric& fabric, const Components& components) {
  const auto switches = static_cast<std::uint32_t>(fabric.num_switches());
  UnionFind joined(switches);
  // Terminals of an adapter are consecutive.
  std::vector<Switch> earlier;  // the switches of the adapter at hand
  Node adapter = kNone<Node>;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Switch leaf = fabric.leaf(t);
    if (leaf == kNone<Switch>) continue;
    if (fabric.adapter_node(t) != adapter) earlier.clear();
    adapter = fabric.adapter_node(t);
    for (const Switch other : earlier) {
      if (components.component[other] == components.component[leaf]) {
        joined.join(index(other), index(leaf));
      }
    }
    earlier.push_back(leaf);
  }
  std::vector<std::vector<std::uint32_t>> groups;
  group_.resize(switches);
  for (std::uint32_t s = 0; s < switches; ++s) {
    const std::uint32_t lowest = joined.find(s);
    if (lowest == s) {
      group_[s] = static_cast<std::uint32_t>(groups.size());
      groups.emplace_back();
    }
    group_[s] = group_[lowest];
    groups[group_[s]].push_back(s);
  }
  first_.push_back(0);
  for (const auto& group : groups) {
    members_.insert(members_.end(), group.begin(), group.end());
    first_.push_back(static_cast<std::uint32_t>(members_.size()));
  }
}

}  // namespace fatwood
