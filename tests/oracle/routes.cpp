// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/routes.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

namespace fatwood::oracle {

namespace {

using Dependencies = std::map<std::uint32_t, std::set<std::uint32_t>>;

bool reaches_itself(const Dependencies& dependencies, std::uint32_t channel,
                    std::map<std::uint32_t, int>& colour) {
  std::vector<std::pair<std::uint32_t, std::set<std::uint32_t>::const_iterator>> stack;
  static const std::set<std::uint32_t> kNothing;
  const auto next_of = [&](std::uint32_t c) -> const std::set<std::uint32_t>& {
    const auto at = dependencies.find(c);
    return at == dependencies.end() ? kNothing : at->second;
  };
  colour[channel] = 1;
  stack.emplace_back(channel, next_of(channel).begin());
  while (!stack.empty()) {
    auto& [c, at] = stack.back();
    if (at == next_of(c).end()) {
      colour[c] = 2;
      stack.pop_back();
      continue;
    }
    const std::uint32_t to = *at++;
    if (colour[to] == 1) return true;
    if (colour[to] == 2) continue;
    colour[to] = 1;
    stack.emplace_back(to, next_of(to).begin());
  }
  return false;
}

bool acyclic(const Dependencies& dependencies) {
  std::map<std::uint32_t, int> colour;
  return std::ranges::none_of(dependencies, [&](const auto& entry) {
    return colour[entry.first] == 0 && reaches_itself(dependencies, entry.first, colour);
  });
}

// Hops from every switch to one, over cables between switches.
std::vector<unsigned> fewest_hops(const Fabric& fabric, Switch to) {
  std::vector<unsigned> hops(fabric.num_switches(), ~0U);
  std::queue<Switch> queue;
  hops[index(to)] = 0;
  queue.push(to);
  for (; !queue.empty(); queue.pop()) {
    const Node node = fabric.node(queue.front());
    for (const Channel c : fabric.channels(node)) {
      if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
      const Switch other = fabric.as_switch(fabric.neighbour(c));
      if (hops[index(other)] != ~0U) continue;
      hops[index(other)] = hops[index(queue.front())] + 1;
      queue.push(other);
    }
  }
  return hops;
}

}  // namespace

Walk walk(const Fabric& fabric, const Routing& routing, Switch source, Destination destination) {
  Walk result;
  const ForwardingTables& tables = routing.tables;
  const Node end = tables.is_switch(destination)
                       ? fabric.node(tables.as_switch(destination))
                       : fabric.adapter_node(tables.terminal(destination));
  Node at = fabric.node(source);
  while (at != end) {
    if (!fabric.is_switch(at)) return result;
    const Port port = tables.at(destination, fabric.as_switch(at));
    if (port == kNoRoute || port == kOwnPort || index(port) > fabric.ports(at)) return result;
    const Channel c = fabric.channel(at, port);
    if (!fabric.connected(c)) return result;
    result.channels.push_back(c);
    if (result.channels.size() > fabric.num_switches() + 1) {
      result.loop = true;
      return result;
    }
    at = fabric.neighbour(c);
  }
  if (!tables.is_switch(destination) && fabric.peer(result.channels.back()) !=
                                            fabric.terminal_channel(tables.terminal(destination))) {
    return result;  // the adapter's other port
  }
  result.ok = !tables.is_switch(destination) ||
              tables.at(destination, tables.as_switch(destination)) == kOwnPort;
  return result;
}

RouteFindings look_at_routes(const Fabric& fabric, const Routing& routing) {
  RouteFindings found;
  std::map<unsigned, Dependencies> dependencies;
  std::map<std::uint32_t, std::vector<unsigned>> hops_to;
  for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
    const bool to_switch = routing.tables.is_switch(destination);
    const Switch last = to_switch ? routing.tables.as_switch(destination)
                                  : fabric.leaf(routing.tables.terminal(destination));
    if (last == kNone<Switch>) continue;
    auto& fewest = hops_to[index(last)];
    if (fewest.empty()) fewest = fewest_hops(fabric, last);
    for (const Switch source : ids<Switch>(fabric.num_switches())) {
      const Walk path = walk(fabric, routing, source, destination);
      found.loops += path.loop ? 1 : 0;
      if (!path.ok) {
        ++(to_switch ? found.missing_switch : found.missing_terminal);
        continue;
      }
      ++found.routes;
      const auto hops = static_cast<unsigned>(path.channels.size() - (to_switch ? 0 : 1));
      found.hops = std::max(found.hops, hops);
      if (hops > fewest[index(source)]) ++found.longer;
      const unsigned lane = routing.lanes.at(destination, source);
      found.lanes = std::max(found.lanes, lane + 1);
      for (std::size_t i = 1; i < path.channels.size(); ++i) {
        dependencies[lane][index(path.channels[i - 1])].insert(index(path.channels[i]));
      }
    }
  }
  found.deadlock_free =
      std::ranges::all_of(dependencies, [](const auto& lane) { return acyclic(lane.second); });
  return found;
}

}  // namespace fatwood::oracle
