// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Makes up*/down* tables from a rank for each switch, 0 at the top. Shared by updn.cpp and
// dnup.cpp.

#include "routing/engine.hpp"
#include "routing/graph/turn_order.hpp"
#include "topology/graph/port_graph.hpp"

namespace fatwood {

// The order of switches that updn uses: up is towards an earlier switch.
Position updn_order(const Model& model, const RouteOptions& options);

ForwardingTables route_up_down(const Model& model, const Table<Switch, std::uint32_t>& rank,
                               const RouteOptions& options);

}  // namespace fatwood
