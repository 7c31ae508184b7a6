// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// BFOT and BFOT+: Bellman-Ford over ordered links ([Chiu02], section 4.4).
//
// Problem: for one destination, a next hop of every switch such that no route goes back to a lower
// layer: a hop is legal only if the neighbour's own next hop is in the same or a higher layer.
// Method: switches talk by messages that pass through one queue, first in, first out:
//   route-info(distance, layer)  "I am so far from the destination, and go there by a link of this
//                                layer": sent to all neighbours when a route is found, and again
//                                when an equally short one in a higher layer is
//   route-constrain(layer)       "you forward for me by a link of that layer": the neighbour then
//                                leaves lower links alone; layer 0 takes it back
// A switch keeps all equally short legal links as alternatives, announces the highest layer of them
// (the least constraining), and marks those below what it is constrained to as unusable.
//
// Why it ends well: links have cost one, so the queue hands out distances in ascending order and a
// switch's first distance is its last. A constraint never exceeds the layer that was announced, so
// the highest alternative is always usable. Layer 1 links are legal towards any neighbour, and span
// the fabric, so every switch gets a route. Constraints go to nearer switches only, so they end.
//
// Encoding: usable alternatives as arcs. Any choice among them at each switch is a legal routing,
// independent of the choices elsewhere. Cost: O(links) messages a destination, about 4 a link.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/ordered/ordered_links.hpp"

namespace fatwood {

inline constexpr std::uint16_t kNoDistance = 0xffff;

struct OrderedAlternatives {
  std::vector<std::uint16_t> distance;  // by switch; kNoDistance: not connected
  std::vector<std::uint32_t> first;     // by switch, and the end
  std::vector<std::uint32_t> arcs;      // usable ones, by layer and port
  std::uint64_t route_infos = 0;        // messages sent
  std::uint64_t route_constrains = 0;

  std::span<const std::uint32_t> of(std::uint32_t s) const {
    return {arcs.data() + first[s], arcs.data() + first[s + 1]};
  }
};

OrderedAlternatives find_ordered_alternatives(const OrderedLinks& links, std::uint32_t destination);

}  // namespace fatwood
