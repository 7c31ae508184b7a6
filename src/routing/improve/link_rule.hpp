// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which equally long links may a switch use instead, without breaking the rule that keeps an
// engine's routes free of deadlock?
//
// The rule is a rank for each link: ranks never decrease along a route. In up*/down*, up links have
// rank 0 and down links rank 1. In BFOT, the rank is the layer. A link is allowed only if every
// combination of allowed links at all switches obeys the rule ([Chiu02], section 6.4).
// Method, for one destination:
// 1. From the destination outwards: allow a link one hop nearer if the next switch has an allowed
//    link of the same or a higher rank.
// 2. From the farthest switch inwards: remove the links of a switch whose rank is below that of an
//    allowed link into it. The link of highest rank is never removed, so each switch keeps one.
// This is the final state of the route-info and route-constrain messages of section 4.4.
// Cost: O(links) per destination.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "routing/engine.hpp"
#include "topology/graph/link_graph.hpp"

namespace fatwood {

using LinkRanks = Table<Link, std::uint8_t>;

// updn+: 0 up, 1 down; bfot and bfot+: the layer. InputError for any other engine.
LinkRanks rule_of(const Model& model, std::string_view engine, const RouteOptions& options = {});

// Whether the rule allows each link. `hops` belong to routes that obey the rule: 0 at the
// destination's own switch, 0xffff where there is no route.
Table<Link, bool> links_by_rule(const LinkGraph& links, const LinkRanks& ranks,
                                std::span<const std::uint16_t> hops);

}  // namespace fatwood
