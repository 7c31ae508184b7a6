// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// OpenSM's search for shortest paths under a turn rule (updn, dnup).
//
// The search starts at the destination switch and follows cables backwards, in order of ports. A
// queue holds switches; each has one direction, that of the step by which it entered the queue. A
// step may not turn from `before` to `after`. A step to switch v by some cable sets the distance of
// v over that cable, if it becomes smaller, and puts v into the queue unless it waits there. So a
// switch can enter the queue again, by a longer path and with another direction, and pass on its
// least distance from there: OpenSM's search does not follow the turn rule in every graph. It does
// in trees ranked by level. The distance of a switch is the least over its cables; the cables that
// have it are the alternatives. The distance falls with every hop, so no route loops.
//
// Parallel cables always have equal distances, so the search is over trunks.
// Cost: O(switches * trunks) where each switch enters the queue once for a destination.

#include <cstdint>

#include "routing/shortest/opensm_balance.hpp"
#include "topology/graph/port_graph.hpp"

namespace fatwood {

enum class Turn : std::uint8_t { kUp, kDown, kLevel };

struct TurnRule {
  Turn first;               // the direction at the destination
  Turn before, after;       // the forbidden turn
  Table<Trunk, Turn> turn;  // of a step over this trunk
};

LeadingTrunks search_turns(const PortGraph& graph, const TurnRule& rule, int threads);

// The steps to a lower rank are up, to a higher one down; of equal ranks, as equal(a, b) says.
template <class Equal>
Table<Trunk, Turn> turns_by_rank(const PortGraph& graph, const Table<Switch, std::uint32_t>& rank,
                                 const Equal& equal) {
  Table<Trunk, Turn> turn(graph.num_trunks());
  for (const Switch a : ids<Switch>(graph.size())) {
    for (const Trunk g : graph.trunks(a)) {
      const Switch b = graph.neighbour(g);
      turn[g] = rank[a] < rank[b] ? Turn::kDown : rank[a] > rank[b] ? Turn::kUp : equal(a, b);
    }
  }
  return turn;
}

// Hops to the nearest of these switches; kNone if there is none in the component.
Table<Switch, std::uint32_t> hops_from(const PortGraph& graph, std::span<const Switch> sources);

}  // namespace fatwood
