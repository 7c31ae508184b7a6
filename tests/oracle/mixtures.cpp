// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/mixtures.hpp"

#include <algorithm>

#include "core/random.hpp"
#include "oracle/walker.hpp"

namespace fatwood::oracle {

namespace {

// One state of the switches: its tables, with the VLs that packets of old and new routes have.
struct State {
  const Fabric& fabric;
  const Lanes& before;
  const Lanes& after;

  // Packets of one source in one lane; false when they loop.
  bool walk(const ForwardingTables& tables, Destination destination, Switch from,
            Edges& edges) const {
    Switch at = from;
    Channel held = kNone<Channel>;
    for (std::size_t hops = 0; hops <= tables.num_switches(); ++hops) {
      const Port port = tables.at(destination, at);
      const Node node = fabric.node(at);
      if (port == kNoRoute || port == kOwnPort || index(port) > fabric.ports(node)) return true;
      const Channel out = fabric.channel(node, port);
      if (!fabric.connected(out) || !fabric.is_switch(fabric.neighbour(out))) return true;
      if (held != kNone<Channel>) edges.emplace(held, out);
      held = out;
      at = fabric.as_switch(fabric.neighbour(out));
    }
    return false;
  }
  std::string fault(const ForwardingTables& tables) const {
    for (unsigned lane = 0; lane < std::max(before.count, after.count); ++lane) {
      Edges edges;
      for (const Destination destination : ids<Destination>(tables.num_destinations())) {
        for (const Switch s : ids<Switch>(tables.num_switches())) {
          if (before.at(destination, s) != lane && after.at(destination, s) != lane) continue;
          if (!walk(tables, destination, s, edges)) {
            return "a packet from switch " + std::to_string(index(s)) + " loops";
          }
        }
      }
      if (has_cycle(edges)) return "VL " + std::to_string(lane) + " has a cycle";
    }
    return "";
  }
};

std::vector<Switch> changed_switches(const ForwardingTables& a, const ForwardingTables& b) {
  std::vector<Switch> changed;
  for (const Switch s : ids<Switch>(a.num_switches())) {
    for (const Destination destination : ids<Destination>(a.num_destinations())) {
      if (a.at(destination, s) == b.at(destination, s)) continue;
      changed.push_back(s);
      break;
    }
  }
  return changed;
}

void copy_switch(const ForwardingTables& from, Switch s, ForwardingTables& to) {
  for (const Destination destination : ids<Destination>(to.num_destinations())) {
    to.row(destination)[index(s)] = from.at(destination, s);
  }
}

std::string fault_between(const State& state, const ForwardingTables& a, const ForwardingTables& b,
                          std::size_t all, std::uint64_t seed) {
  const std::vector<Switch> changed = changed_switches(a, b);
  const bool every = changed.size() <= all;
  const std::uint64_t count = std::uint64_t{1} << std::min(changed.size(), all);
  Random random(seed, 0);
  for (std::uint64_t mixture = 0; mixture < count; ++mixture) {
    ForwardingTables tables = a;
    for (std::size_t i = 0; i < changed.size(); ++i) {
      const bool is_new = every ? (mixture >> i & 1) != 0 : random.below(2) != 0;
      if (is_new) copy_switch(b, changed[i], tables);
    }
    std::string fault = state.fault(tables);
    if (!fault.empty()) return fault;
  }
  return "";
}

}  // namespace

std::string mixture_fault(const Fabric& fabric, const Routing& old, const Routing& now,
                          std::size_t all, std::uint64_t seed) {
  return fault_between({fabric, old.lanes, now.lanes}, old.tables, now.tables, all, seed);
}

std::string rounds_fault(const Fabric& fabric, const Routing& old, const Routing& now,
                         const std::vector<Round>& rounds, const Table<Switch, Level>& level) {
  const State state{fabric, old.lanes, now.lanes};
  ForwardingTables at = old.tables;
  for (const Round& round : rounds) {
    ForwardingTables after = at;
    for (const auto& [destination, s] : round.write) {
      after.row(destination)[index(s)] = now.tables.at(destination, s);
    }
    for (const auto& [destination, s] : round.clear) after.row(destination)[index(s)] = kNoRoute;
    const Level last =
        round.wait_between_levels ? *std::max_element(level.begin(), level.end()) : Level{0};
    for (Level l = 0; l <= last; ++l) {
      ForwardingTables next = at;
      for (const Switch s : ids<Switch>(at.num_switches())) {
        if (!round.wait_between_levels || level[s] == l) copy_switch(after, s, next);
      }
      std::string fault = fault_between(state, at, next, 8, 1);
      if (!fault.empty()) return fault;
      at = next;
    }
  }
  return at == now.tables ? "" : "the rounds do not end with the new tables";
}

}  // namespace fatwood::oracle
