// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The rule by which an engine's routes avoid deadlock, as a rank of each link, and the alternative
// links that the rule allows.
//
// [Chiu02] (section 6.4) collects equally long alternatives while a table is built. Every mixture
// of them must obey the rule of the table. Up*/down* never goes up after down, BFOT never returns
// to a lower layer: in both cases ranks never decrease along a route.
// Method, for one destination:
// 1. From the destination outwards: a link one hop nearer is allowed if the switch that it leads to
//    has an allowed link of at least the same rank.
// 2. From the farthest switch inwards: links of a switch below a rank by which packets arrive are
//    ruled out. The highest link of a switch always stays, so each switch keeps one.
// This is the final state of the route-info and route-constrain messages of section 4.4.
// Cost: O(links) per destination.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "routing/engine.hpp"
#include "routing/graph/link_graph.hpp"

namespace fatwood {

using LinkRanks = Table<Link, std::uint8_t>;

// updn: 0 up, 1 down; bfot and bfot+: the layer. InputError for any other engine.
LinkRanks rule_of(const Model& model, std::string_view engine, const RouteOptions& options = {});

// Whether the rule allows each link. `hops` belong to routes that obey the rule: 0 at the
// destination's own switch, 0xffff where there is no route.
Table<Link, bool> links_by_rule(const LinkGraph& links, const LinkRanks& ranks,
                                std::span<const std::uint16_t> hops);

}  // namespace fatwood
