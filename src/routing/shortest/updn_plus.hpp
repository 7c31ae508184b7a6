// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Up*/down* tables, shared by updn+, ar_updn and ar_even.

#include "routing/engine.hpp"
#include "routing/graph/turn_order.hpp"
#include "topology/graph/port_graph.hpp"

namespace fatwood {

// The order of switches that updn+ uses: up is towards an earlier switch.
Position updn_order(const Model& model, const RouteOptions& options);

struct UpDownTables {
  PortGraph graph;                      // its trunks sorted by the order
  std::vector<std::uint16_t> distance;  // legal_distances() with DownPaths::kFromAbove
  ForwardingTables tables;              // balanced
};
UpDownTables up_down_tables(const Model& model, const Position& position,
                            const RouteOptions& options);

}  // namespace fatwood
