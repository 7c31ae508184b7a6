// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/legal.hpp"

#include <set>
#include <utility>
#include <vector>

#include "oracle/walker.hpp"

namespace fatwood::oracle {

LegalPairs legal_pairs(const Fabric& fabric, const Table<Switch, Level>& level) {
  LegalPairs found;
  std::vector<std::uint64_t> terminals(fabric.num_switches());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) ++terminals[index(fabric.leaf(t))];
  }
  for (const Switch source : ids<Switch>(fabric.num_switches())) {
    // States: (switch, still going up), searched depth first.
    std::vector<std::pair<Switch, bool>> stack{{source, true}};
    std::vector<char> seen(2 * fabric.num_switches());
    seen[2 * index(source) + 1] = 1;
    while (!stack.empty()) {
      const auto [s, upward] = stack.back();
      stack.pop_back();
      for (const Channel c : fabric.channels(fabric.node(s))) {
        if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
        const Switch next = fabric.as_switch(fabric.neighbour(c));
        const bool up = std::pair(level[next], next) > std::pair(level[s], s);
        if (up && !upward) continue;
        char& mark = seen[std::size_t{2} * index(next) + (up ? 1 : 0)];
        if (mark != 0) continue;
        mark = 1;
        stack.push_back({next, up});
      }
    }
    for (const Switch to : ids<Switch>(fabric.num_switches())) {
      if (seen[std::size_t{2} * index(to)] != 0 || seen[std::size_t{2} * index(to) + 1] != 0)
        continue;
      ++found.missing_switch;
      found.missing_terminal += terminals[index(to)];
    }
  }
  return found;
}

namespace {

// Every switch that a path up and then down leads to, by trying all.
void try_paths(const Fabric& fabric, const Table<Switch, Level>& level, Switch at, bool upward,
               std::set<std::pair<Switch, bool>>& been) {
  if (!been.emplace(at, upward).second) return;
  for (const Channel c : fabric.channels(fabric.node(at))) {
    if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
    const Switch next = fabric.as_switch(fabric.neighbour(c));
    if (level[next] > level[at] && upward) try_paths(fabric, level, next, true, been);
    if (level[next] < level[at]) try_paths(fabric, level, next, false, been);
  }
}

}  // namespace

PairCounts legal_but_lost(const Fabric& fabric, const Routing& routing,
                          const Table<Switch, Level>& level) {
  std::vector<Endpoint> sources;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) sources.push_back(endpoint(t));
  for (const Switch s : ids<Switch>(fabric.num_switches())) sources.push_back(endpoint(s));
  PairCounts lost;
  for (const Endpoint& source : sources) {
    const Switch start = source.is_switch() ? source.sw : fabric.leaf(source.terminal);
    if (start == kNone<Switch>) continue;
    std::set<std::pair<Switch, bool>> been;
    try_paths(fabric, level, start, true, been);
    for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
      const Endpoint to = endpoint(routing.tables, destination);
      const Switch home = to.is_switch() ? to.sw : fabric.leaf(to.terminal);
      if (to == source || home == kNone<Switch>) continue;
      if (!been.contains({home, true}) && !been.contains({home, false})) continue;
      if (walk_packet(fabric, routing, source, destination).arrives) continue;
      ++(source.is_switch() ? (to.is_switch() ? lost.switch_switch : lost.switch_terminal)
                            : (to.is_switch() ? lost.terminal_switch : lost.terminal_terminal));
    }
  }
  return lost;
}

}  // namespace fatwood::oracle
