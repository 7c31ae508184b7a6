// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A slow look at the rules of [Chiu02]: layers as forests, legality of hops, shortest legal
// distances by trying all layers, and waits between channels followed in every route. Shares
// nothing with the engines but the links in their layers.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "routing/ordered/bfot.hpp"
#include "routing/ordered/ordered_links.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood::oracle {

// Empty when every layer is a forest that no further link of a higher layer could join, else what
// is wrong.
std::string fault_of_layers(const OrderedLinks& links);

// Least number of links from s to d that never descend, by a plain search over (switch, layer);
// kNoDistance when there is none.
std::vector<std::uint16_t> legal_distances(const OrderedLinks& links, std::uint32_t source);

// Empty when each usable alternative of each switch is one hop nearer and every usable alternative
// of the neighbour is in the same or a higher layer; each connected switch has one.
std::string fault_of_alternatives(const OrderedLinks& links, const OrderedAlternatives& found,
                                  std::uint32_t destination);

// Whether packets along all these paths (each a list of channels) can wait in a circle.
bool has_cycle(const Fabric& fabric, const std::vector<std::vector<Channel>>& paths);

}  // namespace fatwood::oracle
