// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The load of each channel in all-to-all traffic, where every counted adapter sends 1 to every
// other: the number of flows, and of different destinations.
//
// Method: the routes to a destination form a tree. From its leaves to its root, sum up the sources
// behind each channel (routing/improve/row_flows.hpp). A source whose route does not arrive is not
// counted. With LMC > 0 the addresses of a destination share a flow equally, and so do the ports of
// an adapter (Adapters::port_pairs). Adaptive switches split flows evenly (even_split.hpp).
//
// Exact, unless the shares of a flow have no common denominator that fits. Then shares are rounded:
// with many different numbers of ports as flow_sources.hpp says, with many divisions by adaptive
// switches to 2^-20 of a flow, or coarser if the sum would overflow.
// Cost: O(destinations * switches), in parallel over destinations.

#include <cstdint>

#include "core/fraction.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct ChannelUse {
  std::uint64_t units_in_one = 1;       // units per flow, so that shares are whole numbers
  Table<Channel, std::uint64_t> flows;  // in units, links of adapters included
  // Addresses of terminals; 0 on channels from adapters.
  Table<Channel, std::uint32_t> destinations;
};

// REQUIRES a routing of this fabric's size (check_size).
ChannelUse find_channel_use(const Model& model, const Routing& routing, int threads = 0);
// The same for plain tables, with traffic only between the terminals that take part.
ChannelUse find_channel_use(const Model& model, const ForwardingTables& tables,
                            const Table<Terminal, std::uint8_t>& takes_part, int threads = 0);

// Over all channels between switches, used or not. Flows are divided by the speed of the channel.
struct UseSpread {
  Fraction largest = 0;
  double mean = 0;
  double deviation = 0;  // standard deviation
};
UseSpread spread_of_flows(const Model& model, const ChannelUse& use);
UseSpread spread_of_destinations(const Model& model, const ChannelUse& use);

}  // namespace fatwood
