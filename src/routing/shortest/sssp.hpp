// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The tables of sssp, which dfsssp assigns to lanes.

#include <cstdint>
#include <vector>

#include "routing/engine.hpp"

namespace fatwood {

// hops: hop_counts() of the model's port graph.
ForwardingTables sssp_tables(const Model& model, const std::vector<std::uint16_t>& hops,
                             const RouteOptions& options);

}  // namespace fatwood
