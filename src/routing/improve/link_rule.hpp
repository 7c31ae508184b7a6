// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The rule that an engine's routes keep, as a rank of each link, and the alternatives it leaves.
//
// Problem: [Chiu02] collects equally long alternatives while a table is built, by the rule that
// makes the table free of deadlock (section 6.4): every mix of them has to keep it. Up*/Down* never
// goes up after down, BFOT never goes back to a lower layer: both are ranks that no route descends.
// Method, for one destination: from it outwards, a link one hop nearer may be used when some link
// of the switch it leads to may be used next, that is has a rank as high. Then from the farthest
// switch inwards: what is below a rank by which a switch is entered is left alone. The highest of a
// switch always stays, so that each keeps one. (These are the route-info and route-constrain
// messages of section 4.4 at their end.) Cost: O(links) per destination.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "routing/engine.hpp"
#include "routing/graph/link_graph.hpp"

namespace fatwood {

using LinkRanks = Table<Link, std::uint8_t>;

// Of updn: 0 up, 1 down; of bfot and bfot+: the layer. InputError for any other engine.
LinkRanks rule_of(const Model& model, std::string_view engine, const RouteOptions& options = {});

// Whether the rule leaves each link. `hops` are those of routes that keep the rule: 0 at the
// destination's own switch, 0xffff where there is no route.
Table<Link, bool> links_by_rule(const LinkGraph& links, const LinkRanks& ranks,
                                std::span<const std::uint16_t> hops);

}  // namespace fatwood
