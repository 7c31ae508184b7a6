// SPDX-License-Identifier: BSD-3-Clause
// Finds where rails and units are connected: pods, planes, spines (rails.hpp, step 5).

#include <algorithm>
#include <map>
#include <set>

#include "core/union_find.hpp"
#include "topology/graph/port_graph.hpp"
#include "topology/hosts/rail_parts.hpp"

namespace fatwood {
namespace {

std::vector<Switch> rail_leaves(const Fabric& fabric, const Rails& rails) {
  std::vector<Switch> leaves;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (rails.unit_of[s] != kNone<ScalableUnit>) leaves.push_back(s);
  }
  return leaves;
}

// Switches on shortest ways from one leaf: itself is 1, kDisconnected where there is none.
Table<Switch, std::uint32_t> switches_from(const Fabric& fabric, Switch leaf) {
  Table<Switch, std::uint32_t> count(fabric.num_switches(), SwitchesBetween::kDisconnected);
  std::vector<Switch> queue{leaf};
  count[leaf] = 1;
  for (std::size_t at = 0; at < queue.size(); ++at) {
    const std::uint32_t next = count[queue[at]] + 1;
    for (const SwitchLink& link : fabric.links(queue[at])) {
      if (count[link.to] != SwitchesBetween::kDisconnected) continue;
      count[link.to] = next;
      queue.push_back(link.to);
    }
  }
  return count;
}

void widen(SwitchesBetween& between, std::uint32_t switches) {
  between.least = between.least == 0 ? switches : std::min(between.least, switches);
  between.most = std::max(between.most, switches);
}

void find_distances(const Fabric& fabric, Rails& rails) {
  const std::vector<Switch> leaves = rail_leaves(fabric, rails);
  for (const Switch a : leaves) {
    const Table<Switch, std::uint32_t> count = switches_from(fabric, a);
    for (const Switch b : leaves) {
      if (a == b) continue;
      if (rails.unit_of[a] == rails.unit_of[b]) widen(rails.between_rails, count[b]);
      if (rails.rail_of[a] == rails.rail_of[b]) widen(rails.between_units, count[b]);
    }
  }
}

void find_pods(const Fabric& fabric, Rails& rails) {
  UnionFind units(rails.units.size());
  std::map<Switch, std::pair<ScalableUnit, std::set<Rail>>>
      spines;  // one of its units, all its rails
  for (const Switch leaf : rail_leaves(fabric, rails)) {
    for (const SwitchLink& link : fabric.links(leaf)) {
      if (rails.unit_of[link.to] != kNone<ScalableUnit>) continue;
      auto [at, added] = spines.try_emplace(link.to, rails.unit_of[leaf], std::set<Rail>{});
      units.join(index(at->second.first), index(rails.unit_of[leaf]));
      at->second.second.insert(rails.rail_of[leaf]);
    }
  }
  rails.spines = spines.size();
  for (const auto& [spine, serves] : spines) {
    if (serves.second.size() == 1) ++rails.spines_of_one_rail;
  }
  std::map<std::uint32_t, Pod> pods;
  for (const ScalableUnit unit : ids<ScalableUnit>(rails.units.size())) {
    const auto next = static_cast<Pod>(pods.size());
    rails.units[unit].pod = pods.try_emplace(units.find(index(unit)), next).first->second;
  }
  rails.pods = pods.size();
}

void find_planes(const Fabric& fabric, Rails& rails) {
  const Components parts = connected_components(port_graph(fabric));
  std::set<std::uint32_t> planes;
  for (const Switch leaf : rail_leaves(fabric, rails)) planes.insert(parts.component[leaf]);
  rails.planes = planes.size();
}

}  // namespace

Rails with_meetings(const Fabric& fabric, Rails rails) {
  if (!rails.any()) return rails;
  find_pods(fabric, rails);
  find_planes(fabric, rails);
  find_distances(fabric, rails);
  return rails;
}

}  // namespace fatwood
