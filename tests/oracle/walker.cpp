// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/walker.hpp"

#include <deque>
#include <functional>

namespace fatwood::oracle {

namespace {

std::vector<Endpoint> all_ends(const Fabric& fabric) {
  std::vector<Endpoint> ends;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) ends.push_back(endpoint(t));
  for (const Switch s : ids<Switch>(fabric.num_switches())) ends.push_back(endpoint(s));
  return ends;
}

std::uint64_t& by_kind(PairCounts& counts, const Endpoint& a, const Endpoint& b) {
  if (!a.is_switch()) return b.is_switch() ? counts.terminal_switch : counts.terminal_terminal;
  return b.is_switch() ? counts.switch_switch : counts.switch_terminal;
}

void record(Findings& findings, const Endpoint& a, const Endpoint& b, unsigned lane,
            const PacketWalk& walked) {
  for (std::size_t i = 0; i + 1 < walked.channels.size(); ++i) {
    const std::pair edge{walked.channels[i], walked.channels[i + 1]};
    findings.dependencies[lane].insert(edge);
    if (!a.is_switch() && !b.is_switch()) findings.terminal_dependencies[lane].insert(edge);
  }
  if (a == b) return;
  if (!walked.arrives) ++by_kind(findings.unreachable, a, b);
  if (walked.arrives && walked.switches > 0 && !a.is_switch() && !b.is_switch()) {
    ++findings.terminal_hops[walked.switches - 1];
  }
}

}  // namespace

PacketWalk walk_packet(const Fabric& fabric, const Routing& routing, const Endpoint& source,
                       Destination destination) {
  const ForwardingTables& tables = routing.tables;
  PacketWalk result;
  std::set<Node> visited;
  Node at;
  if (source.is_switch()) {
    at = fabric.node(source.sw);
  } else {
    const Channel out = fabric.terminal_channel(source.terminal);
    result.channels.push_back(out);
    at = fabric.neighbour(out);
    if (!fabric.is_switch(at)) {
      result.arrives = !tables.is_switch(destination) &&
                       fabric.peer(out) == fabric.terminal_channel(tables.terminal(destination));
      return result;
    }
  }
  while (true) {
    ++result.switches;
    if (!visited.insert(at).second) {
      // Round again: it wants the channel by which it left before.
      result.loops = true;
      result.channels.push_back(fabric.channel(at, tables.at(destination, fabric.as_switch(at))));
      return result;
    }
    const Switch here = fabric.as_switch(at);
    const Port entry = tables.at(destination, here);
    if (entry == kOwnPort) {
      result.arrives = tables.is_switch(destination) && tables.as_switch(destination) == here;
      return result;
    }
    if (index(entry) > fabric.ports(at)) return result;
    const Channel out = fabric.channel(at, entry);
    if (!fabric.connected(out)) return result;
    result.channels.push_back(out);
    at = fabric.neighbour(out);
    if (!fabric.is_switch(at)) {
      result.arrives = !tables.is_switch(destination) &&
                       fabric.peer(out) == fabric.terminal_channel(tables.terminal(destination));
      return result;
    }
  }
}

PacketWalk walk_packet(const Fabric& fabric, const Routing& routing, const Endpoint& source,
                       const Endpoint& destination) {
  PacketWalk result;
  const Switch from = switch_of(fabric, source);
  const Switch to = switch_of(fabric, destination);
  if (!source.is_switch()) result.channels.push_back(fabric.terminal_channel(source.terminal));
  if (from == kNone<Switch>) {
    result.arrives = !destination.is_switch() && fabric.peer(result.channels.front()) ==
                                                     fabric.terminal_channel(destination.terminal);
    return result;
  }
  if (to == kNone<Switch>) return result;
  for (const Channel c : routing.source_routes.at(from, to)) result.channels.push_back(c);
  if (!destination.is_switch()) {
    result.channels.push_back(fabric.peer(fabric.terminal_channel(destination.terminal)));
  }
  result.switches = routing.source_routes.at(from, to).size() + 1;
  for (std::size_t i = 0; i + 1 < result.channels.size(); ++i) {
    if (fabric.neighbour(result.channels[i]) != fabric.owner(result.channels[i + 1])) return result;
  }
  if (from != to && routing.source_routes.at(from, to).empty()) return result;
  result.arrives = true;
  return result;
}

Findings walk_all(const Fabric& fabric, const Routing& routing) {
  Findings findings;
  const unsigned lanes = routing.lanes.lane.empty() ? 1 : routing.lanes.count;
  findings.dependencies.resize(lanes);
  findings.terminal_dependencies.resize(lanes);
  const std::vector<Endpoint> ends = all_ends(fabric);
  if (!routing.source_routes.empty()) {
    for (const Endpoint& a : ends) {
      for (const Endpoint& b : ends) {
        if (a != b) record(findings, a, b, 0, walk_packet(fabric, routing, a, b));
      }
    }
    return findings;
  }
  const ForwardingTables& tables = routing.tables;
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const Endpoint b = endpoint(tables, destination);
    std::set<std::set<Channel>> loops;
    for (const Endpoint& a : ends) {
      if (a == b && !a.is_switch()) continue;
      const PacketWalk walked = walk_packet(fabric, routing, a, destination);
      const Switch from = switch_of(fabric, a);
      record(findings, a, b, from == kNone<Switch> ? 0 : routing.lanes.at(destination, from),
             walked);
      if (!walked.loops) continue;
      // The last channel was taken before: the loop is what came since.
      std::vector<Channel> tail;
      for (std::size_t i = walked.channels.size() - 1; i-- > 0;) {
        tail.push_back(walked.channels[i]);
        if (walked.channels[i] == walked.channels.back()) break;
      }
      loops.insert(std::set<Channel>(tail.begin(), tail.end()));
    }
    findings.loops += loops.size();
  }
  return findings;
}

bool has_cycle(const Edges& edges) {
  std::map<Channel, std::vector<Channel>> next;
  for (const auto& [from, to] : edges) next[from].push_back(to);
  std::map<Channel, int> colour;
  const std::function<bool(Channel)> visit = [&](Channel c) {
    colour[c] = 1;
    for (const Channel to : next[c]) {
      if (colour[to] == 1 || (colour[to] == 0 && visit(to))) return true;
    }
    colour[c] = 2;
    return false;
  };
  for (const auto& [from, to] : edges) {
    if (colour[from] == 0 && visit(from)) return true;
  }
  return false;
}

std::size_t shortest_cycle_length(const Edges& edges) {
  std::map<Channel, std::vector<Channel>> next;
  for (const auto& [from, to] : edges) next[from].push_back(to);
  std::size_t best = 0;
  for (const auto& [root, successors] : next) {
    std::map<Channel, std::size_t> distance{{root, 0}};
    std::deque<Channel> queue{root};
    while (!queue.empty()) {
      const Channel c = queue.front();
      queue.pop_front();
      const auto at = next.find(c);
      if (at == next.end()) continue;
      for (const Channel to : at->second) {
        if (to == root && (best == 0 || distance[c] + 1 < best)) best = distance[c] + 1;
        if (distance.emplace(to, distance[c] + 1).second) queue.push_back(to);
      }
    }
  }
  return best;
}

}  // namespace fatwood::oracle
