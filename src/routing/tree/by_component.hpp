// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Routes a disconnected fabric component by component, for sftree and even. Their own steps then
// see connected fabrics only; those that ftree shares do not.
//
// Method: each component becomes a fabric and a model of its own
// (topology/graph/component_fabric.hpp), with the user's hints and options that concern it. Its
// tables are copied into those of the whole fabric; entries from one component to another stay
// empty. So a component gets the same levels, root and tables as it would get alone. Cost: that of
// the engine, and O(ports of the whole fabric) per component.

#include "routing/engine.hpp"

namespace fatwood {

// Whether cables connect all switches, and every terminal has a switch.
bool is_joined(const Model& model);

// The tables of `engine` for each component. REQUIRES an engine that makes tables on one lane.
Routing route_components(const Model& model, const RouteOptions& options,
                         Routing (*engine)(const Model&, const RouteOptions&));

}  // namespace fatwood
