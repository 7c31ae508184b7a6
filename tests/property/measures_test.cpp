// SPDX-License-Identifier: BSD-3-Clause
// Channel use, shift conflicts, minimality and Up*/Down* turns against pair-by-pair counts.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/load/channel_use.hpp"
#include "analysis/permutations/shift_conflicts.hpp"
#include "core/union_find.hpp"
#include "oracle/walker.hpp"
#include "support/fabrics.hpp"
#include "verify/reach/reachability.hpp"
#include "verify/reach/turning_routes.hpp"

namespace fatwood {
namespace {

constexpr int kCasesARun = 15;  // rapidcheck makes 100 runs

bool between_switches(const Fabric& fabric, Channel c) {
  return fabric.is_switch(fabric.owner(c)) && fabric.is_switch(fabric.neighbour(c));
}

Routing some_routing(const Fabric& fabric) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Routing routing;
  routing.engine = "test";
  routing.tables = test::corrupt(test::shortest_tables(fabric, seed, *rc::gen::element(0U, 0U, 1U)),
                                 seed, *rc::gen::element(0.0, 0.0, 0.05, 0.5));
  return routing;
}

// The shortest path of each pair of switches, by its own table walk, as source routes.
Routing as_source_routes(const Fabric& fabric, const Routing& tables) {
  Routing routing;
  SourceRoutes& routes = routing.source_routes;
  routes.switches = fabric.num_switches();
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    for (const Switch d : ids<Switch>(fabric.num_switches())) {
      routes.first.push_back(static_cast<std::uint32_t>(routes.channels.size()));
      const auto walk =
          oracle::walk_packet(fabric, tables, endpoint(s), tables.tables.destination(d));
      if (!walk.arrives) continue;
      routes.channels.insert(routes.channels.end(), walk.channels.begin(), walk.channels.end());
    }
  }
  routes.first.push_back(static_cast<std::uint32_t>(routes.channels.size()));
  return routing;
}

oracle::PacketWalk walk_pair(const Fabric& fabric, const Routing& routing, Terminal s, Terminal d,
                             std::uint32_t offset) {
  if (!routing.source_routes.empty()) {
    return oracle::walk_packet(fabric, routing, endpoint(s), endpoint(d));
  }
  return oracle::walk_packet(fabric, routing, endpoint(s), routing.tables.destination(d, offset));
}

void check_channel_use(const Fabric& fabric, const Routing& routing) {
  std::map<Channel, Fraction> flows;
  std::map<Channel, std::set<std::pair<Terminal, std::uint32_t>>> destinations;
  const std::uint32_t addresses = routing.source_routes.empty() ? 1U << routing.tables.lmc() : 1;
  // Every adapter is a host here. Two of them use their ports in pairs, or each with each, where
  // cables connect them.
  UnionFind components(fabric.num_switches());
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || !between_switches(fabric, c)) continue;
    components.join(index(fabric.as_switch(fabric.owner(c))),
                    index(fabric.as_switch(fabric.neighbour(c))));
  }
  const auto connected = [&](Terminal a, Terminal b) {
    const Switch at = fabric.leaf(a), to = fabric.leaf(b);
    return at != kNone<Switch> && to != kNone<Switch> &&
           components.find(index(at)) == components.find(index(to));
  };
  std::map<Node, std::vector<Terminal>> hosts;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    hosts[fabric.adapter_node(t)].push_back(t);
  }
  const auto add = [&](Terminal s, Terminal d, std::size_t pairs) {
    for (std::uint32_t offset = 0; offset < addresses; ++offset) {
      const auto walk = walk_pair(fabric, routing, s, d, offset);
      if (!walk.arrives) continue;
      for (const Channel c : walk.channels) {
        flows[c] += Fraction(1, static_cast<std::int64_t>(pairs * addresses));
        destinations[c].insert({d, offset});
      }
    }
  };
  for (const auto& [a, from] : hosts) {
    for (const auto& [b, to] : hosts) {
      std::vector<std::pair<Terminal, Terminal>> pairs;
      for (std::size_t p = 0; a != b && p < from.size(); ++p) {
        for (std::size_t q = 0; q < to.size(); ++q) {
          if (from.size() == to.size() && p != q) continue;
          if (connected(from[p], to[q])) pairs.emplace_back(from[p], to[q]);
        }
      }
      for (const auto& [s, d] : pairs) add(s, d, pairs.size());
    }
  }
  const Model model(fabric);
  const ChannelUse use = find_channel_use(model, routing, 1);
  Fraction largest = 0;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c)) continue;
    RC_ASSERT(Fraction(static_cast<std::int64_t>(use.flows[c]),
                       static_cast<std::int64_t>(use.units_in_one)) == flows[c]);
    if (!between_switches(fabric, c)) continue;
    RC_ASSERT(use.destinations[c] == destinations[c].size());
    largest = std::max(largest, flows[c]);
  }
  RC_ASSERT(spread_of_flows(model, use).largest == largest);
}

void check_shift(const Fabric& fabric, const Routing& routing) {
  ShiftConflicts expected;
  // Of several ports the first counts.
  std::vector<Terminal> hosts;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (hosts.empty() || fabric.adapter_node(hosts.back()) != fabric.adapter_node(t))
      hosts.push_back(t);
  }
  const auto n = static_cast<std::uint32_t>(hosts.size());
  std::set<Channel> channels;
  for (std::uint32_t k = 1; k < n; ++k) {
    ++expected.shifts;
    std::map<Channel, std::uint64_t> flows;
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto walk = walk_pair(fabric, routing, hosts[i], hosts[(i + k) % n], 0);
      if (!walk.arrives || walk.switches == 0) {
        ++expected.unrouted;
        continue;
      }
      for (const Channel c : walk.channels) {
        if (between_switches(fabric, c)) ++flows[c];
      }
    }
    bool any = false;
    std::uint64_t max_load = 0;
    for (const auto& [c, count] : flows) {
      max_load = std::max(max_load, count);
      if (count < 2) continue;
      ++expected.conflicts;
      channels.insert(c);
      any = true;
    }
    expected.largest = std::max(expected.largest, max_load);
    expected.all_largest += max_load;
    if (any) ++expected.conflicted;
  }
  const ShiftConflicts found = count_shift_conflicts(Model(fabric), routing, 1);
  RC_ASSERT(found.shifts == expected.shifts);
  RC_ASSERT(found.unrouted == expected.unrouted);
  RC_ASSERT(found.conflicts == expected.conflicts);
  RC_ASSERT(found.conflicted == expected.conflicted);
  RC_ASSERT(found.channels == channels.size());
  RC_ASSERT(found.largest == expected.largest);
  RC_ASSERT(found.all_largest == expected.all_largest);
}

// Hops between all switches by Floyd and Warshall.
std::vector<std::vector<unsigned>> distances(const Fabric& fabric) {
  const std::size_t n = fabric.num_switches();
  std::vector<std::vector<unsigned>> d(n, std::vector<unsigned>(n, 1000000));
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || !between_switches(fabric, c)) continue;
    d[index(fabric.as_switch(fabric.owner(c)))][index(fabric.as_switch(fabric.neighbour(c)))] = 1;
  }
  for (std::size_t i = 0; i < n; ++i) d[i][i] = 0;
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    }
  }
  return d;
}

// How many hops more than it must any route takes, switches' own included.
std::uint32_t worst_excess(const Fabric& fabric, const Routing& routing,
                           const std::vector<std::vector<unsigned>>& least) {
  std::vector<Endpoint> ends;
  for (const Switch s : ids<Switch>(fabric.num_switches())) ends.push_back(endpoint(s));
  if (routing.source_routes.empty()) {
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) ends.push_back(endpoint(t));
  }
  std::uint32_t worst = 0;
  const auto look = [&](const Endpoint& from, const Endpoint& to, const oracle::PacketWalk& walk) {
    if (from == to || !walk.arrives || walk.switches == 0) return;
    const auto hops = static_cast<std::uint32_t>(walk.switches) - 1;
    worst =
        std::max(worst, hops - least[index(switch_of(fabric, from))][index(switch_of(fabric, to))]);
  };
  for (const Endpoint& from : ends) {
    if (!routing.source_routes.empty()) {
      for (const Endpoint& to : ends) {
        look(from, to, oracle::walk_packet(fabric, routing, from, to));
      }
      continue;
    }
    for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
      look(from, endpoint(routing.tables, destination),
           oracle::walk_packet(fabric, routing, from, destination));
    }
  }
  return worst;
}

void check_minimality(const Fabric& fabric, const Routing& routing) {
  const auto least = distances(fabric);
  std::uint64_t longer = 0;
  std::uint64_t hops = 0;
  std::uint64_t least_hops = 0;
  const std::uint32_t addresses = routing.source_routes.empty() ? 1U << routing.tables.lmc() : 1;
  for (const Terminal s : ids<Terminal>(fabric.num_terminals())) {
    for (const Terminal d : ids<Terminal>(fabric.num_terminals())) {
      for (std::uint32_t offset = 0; s != d && offset < addresses; ++offset) {
        const auto walk = walk_pair(fabric, routing, s, d, offset);
        if (!walk.arrives || walk.switches == 0) continue;
        const unsigned fewest = least[index(fabric.leaf(s))][index(fabric.leaf(d))];
        hops += walk.switches - 1;
        least_hops += fewest;
        if (walk.switches - 1 > fewest) ++longer;
      }
    }
  }
  const Minimality found = find_reach_and_lengths(fabric, routing, 1).minimality;
  RC_ASSERT(found.longer.terminal_terminal == longer);
  RC_ASSERT(found.hops == hops);
  RC_ASSERT(found.least_hops == least_hops);
  RC_ASSERT(found.worst_excess == worst_excess(fabric, routing, least));
}

void check_turns(const Fabric& fabric, const Routing& routing) {
  const Levels levels = find_levels(fabric);
  PairCounts turning;
  PairCounts horizontal;
  const auto look = [&](const Endpoint& source, Destination destination, std::uint64_t& turns,
                        std::uint64_t& flat) {
    if (source == endpoint(routing.tables, destination)) return;
    const auto walk = oracle::walk_packet(fabric, routing, source, destination);
    if (!walk.arrives) return;
    bool down = false;
    bool turned = false;
    bool level = false;
    for (const Channel c : walk.channels) {
      if (!between_switches(fabric, c)) continue;
      const int by = step(fabric, levels, c);
      turned = turned || (by > 0 && down);
      down = down || by < 0;
      level = level || by == 0;
    }
    if (turned) ++turns;
    if (level) ++flat;
  };
  for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
    const bool to_switch = routing.tables.is_switch(destination);
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      look(endpoint(t), destination,
           to_switch ? turning.terminal_switch : turning.terminal_terminal,
           to_switch ? horizontal.terminal_switch : horizontal.terminal_terminal);
    }
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      look(endpoint(s), destination, to_switch ? turning.switch_switch : turning.switch_terminal,
           to_switch ? horizontal.switch_switch : horizontal.switch_terminal);
    }
  }
  const UpDown found = find_turns(fabric, routing, levels, 1);
  RC_ASSERT(found.turning == turning);
  RC_ASSERT(found.horizontal == horizontal);
}

TEST(MeasuresProperty, AgreeWithPairByPairCounts) {
  const bool holds = rc::check("random fabrics and tables", [] {
    for (int i = 0; i < kCasesARun; ++i) {
      const Fabric fabric = test::random_fabric(*rc::gen::arbitrary<std::uint64_t>(), 6);
      const Routing routing = some_routing(fabric);
      check_channel_use(fabric, routing);
      check_shift(fabric, routing);
      check_minimality(fabric, routing);
      check_turns(fabric, routing);
      const Routing by_pair = as_source_routes(fabric, routing);
      check_channel_use(fabric, by_pair);
      check_shift(fabric, by_pair);
      check_minimality(fabric, by_pair);
    }
  });
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace fatwood
