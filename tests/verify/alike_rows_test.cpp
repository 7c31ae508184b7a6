// SPDX-License-Identifier: BSD-3-Clause
// Rows of destinations on one switch, alike but for some entries: what is proved for one of them
// and reused for the next, against walks of all pairs.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "oracle/walker.hpp"
#include "verify/reach/reachability.hpp"
#include "verify/reach/turning_routes.hpp"

namespace fatwood {
namespace {

// The port of a switch that leads to another.
Port port_to(const Fabric& fabric, std::uint32_t from, std::uint32_t to) {
  for (const SwitchLink& link : fabric.links(Switch{from})) {
    if (link.to == Switch{to}) return link.port;
  }
  return kNoRoute;
}

// FT(16,2): 16 leaves, then 8 spines. The entries of leaves for a host are all alike. `faults`
// times, a random row gets another entry at one switch, or the same one at eight switches, or a
// detour of one leaf: to a spine that sends it down to another leaf.
Routing alike_rows(const Fabric& fabric, std::uint64_t seed, std::uint32_t faults) {
  Routing routing;
  routing.tables = ForwardingTables(fabric.num_terminals(), fabric.num_switches(), 0);
  ForwardingTables& tables = routing.tables;
  Random random(seed);
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const std::span<Port> row = tables.row(destination);
    const Switch home = home_of(fabric, tables, destination);
    for (std::uint32_t s = 0; s < 24; ++s) {
      const std::uint32_t down = index(home) < 16 ? index(home) : random.below(16);
      const std::uint32_t up = index(home) < 16 ? index(destination) % 8 : index(home) % 8;
      row[s] = port_to(fabric, s, s < 16 ? 16 + up : down);
    }
    row[index(home)] = own_port(fabric, tables, destination);
  }
  for (std::uint32_t i = 0; i < faults; ++i) {
    const auto destination = static_cast<Destination>(
        random.below(static_cast<std::uint32_t>(tables.num_destinations())));
    const auto entry = static_cast<Port>(random.below(18));
    const std::span<Port> row = tables.row(destination);
    const std::uint32_t kind = random.below(3);
    if (kind == 0) {
      row[random.below(24)] = entry;
    } else if (kind == 1) {
      std::ranges::fill(row.subspan(random.below(3) * std::size_t{8}, 8), entry);
    } else {
      const std::uint32_t leaf = random.below(16);
      const std::uint32_t spine = 16 + random.below(8);
      row[leaf] = port_to(fabric, leaf, spine);
      row[spine] = port_to(fabric, spine, random.below(16));
    }
  }
  return routing;
}

// Pairs whose route goes down and later up.
PairCounts walk_turns(const Fabric& fabric, const Routing& routing, const Levels& levels) {
  PairCounts turning;
  const auto count = [&](const Endpoint& source, Destination destination, std::uint64_t& pairs) {
    if (source == endpoint(routing.tables, destination)) return;
    const oracle::PacketWalk walk = oracle::walk_packet(fabric, routing, source, destination);
    bool down = false;
    bool turns = false;
    for (const Channel c : walk.channels) {
      if (!fabric.is_switch(fabric.owner(c)) || !fabric.is_switch(fabric.neighbour(c))) continue;
      const Level from = levels.level[fabric.as_switch(fabric.owner(c))];
      const Level to = levels.level[fabric.as_switch(fabric.neighbour(c))];
      turns = turns || (down && to > from);
      down = down || to < from;
    }
    if (walk.arrives && turns) ++pairs;
  };
  for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
    const bool to_switch = routing.tables.is_switch(destination);
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      count(endpoint(t), destination,
            to_switch ? turning.terminal_switch : turning.terminal_terminal);
    }
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      count(endpoint(s), destination, to_switch ? turning.switch_switch : turning.switch_terminal);
    }
  }
  return turning;
}

TEST(AlikeRows, CountsAreThoseOfWalks) {
  const Fabric fabric = make_fabric("ft(16,2)");
  const Levels levels = find_levels(fabric);
  for (const std::uint32_t faults : {0U, 1U, 3U, 30U}) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const Routing routing = alike_rows(fabric, seed, faults);
      const oracle::Findings walked = oracle::walk_all(fabric, routing);
      const Reachability found = find_reachability(fabric, routing, 1);
      EXPECT_EQ(found.unreachable, walked.unreachable) << faults << ' ' << seed;
      EXPECT_EQ(found.loops, walked.loops) << faults << ' ' << seed;
      const std::vector<std::uint64_t>& hops = found.hops.terminals.pairs;
      for (std::size_t h = 0; h < 30; ++h) {
        const auto at = walked.terminal_hops.find(h);
        EXPECT_EQ(h < hops.size() ? hops[h] : 0, at == walked.terminal_hops.end() ? 0 : at->second)
            << faults << ' ' << seed;
      }
      EXPECT_EQ(find_turns(fabric, routing, levels, 1).turning, walk_turns(fabric, routing, levels))
          << faults << ' ' << seed;
    }
  }
}

}  // namespace
}  // namespace fatwood
