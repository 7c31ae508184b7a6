// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Routes of a fabric that cables do not join to one: each part is routed by itself.
//
// Method: a part becomes a fabric and a model of its own (topology/graph/part_fabric.hpp), with
// those of the user's hints and options that are of the part. Its tables are written into those of
// the whole; entries from one part to another stay empty. So a part has the ranks, the root, the
// order and the bound that it has alone, and its tables are those of the part alone. An engine for
// connected fabrics need not know of parts: with several roots in one order, ranks, shares of
// channels and goals of all parts would have to be told apart in every step.
// Cost: that of the engine, and O(ports of the whole fabric) for each part.

#include <string_view>

#include "routing/engine.hpp"

namespace fatwood {

// Whether cables join all switches, and every terminal is on one.
bool is_joined(const Model& model);

// The tables of `engine` for each part. REQUIRES an engine that makes tables on one lane.
Routing route_parts(const Model& model, const RouteOptions& options, std::string_view name,
                    Routing (*engine)(const Model&, const RouteOptions&));

}  // namespace fatwood
