// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The fabric as flat arrays, for kernels that follow many flows through forwarding tables. The
// slots of a switch are consecutive. For adapters with one port each. Cost: O(ports).
//
// Question: which slot does a flow load, and which switch or terminal is next? HopMap does not know
// terminals and has no consecutive slots to count in: with it, a permutation takes 1.17 times the
// instructions.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct WalkMap {
  static constexpr std::uint32_t kTerminal = 0x80000000U;
  static constexpr std::uint32_t kNowhere = 0xffffffffU;  // no cable

  std::vector<std::uint32_t> first;  // by switch: slot of port 0
  std::vector<std::uint32_t> next;   // by slot: the next switch, kTerminal + terminal, kNowhere
  std::vector<std::uint32_t> leaf;   // by adapter
  std::vector<Terminal> terminal;    // by adapter
};

std::shared_ptr<const WalkMap> walk_map(const Model& model);

// "on the way to H3[1]", for messages.
std::string walk_goal(const Fabric& fabric, const ForwardingTables& tables,
                      std::uint32_t destination);

// Moves the first `live` walks one hop and calls visit(walk, slot) for each; `slot` is that of the
// channel. Returns the number of walks that are not at their end, and puts these first. All walks
// move together so that their cache misses overlap. A walk has a switch `at` and a `destination`.
// PromiseError if a walk has no route.
template <class Walk, class Visit>
std::size_t advance_walks(const Fabric& fabric, const ForwardingTables& tables, const WalkMap& map,
                          Walk* walks, std::size_t live, const Visit& visit) {
  const Port* rows = tables.row(Destination{0}).data();
  const std::size_t switches = tables.num_switches();
  const std::uint32_t* first = map.first.data();
  const std::uint32_t* next = map.next.data();
  const unsigned lmc = tables.lmc();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < live; ++i) {
    Walk walk = walks[i];
    const Port port = rows[walk.destination * switches + walk.at];
    const std::uint32_t slot = first[walk.at] + index(port);
    const std::uint32_t beyond = next[slot];
    // No cable, or another terminal than the one aimed at: both are no switch.
    if (port == kNoRoute || (beyond >= WalkMap::kTerminal &&
                             beyond != WalkMap::kTerminal + (walk.destination >> lmc))) {
      throw PromiseError("the routing has no path " + walk_goal(fabric, tables, walk.destination));
    }
    visit(walk, slot);
    walk.at = beyond;
    walks[kept] = walk;
    kept += beyond < WalkMap::kTerminal ? 1 : 0;
  }
  return kept;
}

}  // namespace fatwood
