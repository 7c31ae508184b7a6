// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The tables of sssp, which dfsssp assigns to lanes.

#include "routing/engine.hpp"
#include "routing/graph/link_graph.hpp"

namespace fatwood {

// hops: hop_counts() of the same graph.
ForwardingTables sssp_tables(const Model& model, const LinkGraph& links,
                             const std::vector<std::uint16_t>& hops, const RouteOptions& options);

}  // namespace fatwood
