// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// BFOT and BFOT+: Bellman-Ford over ordered links ([Chiu02], section 4.4).
//
// Problem: for one destination, find the next hop of every switch such that no route returns to a
// lower layer. A hop is legal only if the next hop of the neighbour is in the same or a higher
// layer.
// Method: switches exchange messages through one first-in-first-out queue:
//   route-info(distance, layer)  "My distance to the destination, and the layer of my link": sent
//                                to all neighbours when a route is found, and again when an
//                                equally short one in a higher layer is found
//   route-constrain(layer)       "You forward for me, and I come by a link of this layer": the
//                                neighbour stops using lower links; layer 0 withdraws it
// A switch stores all equally short legal links as alternatives. It announces the highest layer
// among them (the least restrictive), and marks those below its constraint as unusable.
//
// Correctness: links have cost one, so the queue delivers distances in ascending order, and the
// first distance of a switch is final. A constraint never exceeds the announced layer, so the
// highest alternative stays usable. Links of layer 1 are legal towards any neighbour and span the
// fabric, so every switch gets a route. Constraints go only to nearer switches, so the messages
// end.
//
// Result: the usable alternatives as links. Any choice at each switch is a legal routing,
// independently of other switches. Cost: O(links) messages per destination, about 4 per link.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/ordered/ordered_links.hpp"

namespace fatwood {

inline constexpr std::uint16_t kNoDistance = 0xffff;

struct OrderedAlternatives {
  std::vector<std::uint16_t> distance;  // by switch; kNoDistance: disconnected
  std::vector<std::uint32_t> first;     // by switch, and the end
  std::vector<Link> links;              // usable ones, by layer and port

  std::span<const Link> of(std::uint32_t s) const {
    return {links.data() + first[s], links.data() + first[s + 1]};
  }
};

OrderedAlternatives find_ordered_alternatives(const OrderedLinks& links, std::uint32_t destination);

}  // namespace fatwood
