// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The all-to-all load of each channel, when every counted host sends 1 to every other: how many
// flows, and how many different destinations. With LMC a flow is shared by the addresses; hosts
// with several ports share it over them (Adapters::port_pairs).
//
// Method: along each destination's tree, from its far ends inwards, the sources behind each channel
// are summed up. Exact. Cost: O(destinations * switches), in parallel over destinations. A source
// whose route does not arrive counts nowhere. Adaptive tables: split evenly (even_split.hpp).

#include <cstdint>

#include "core/fraction.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct ChannelUse {
  std::uint64_t units_in_one = 1;              // a flow
  Table<Channel, std::uint64_t> flows;         // in units, host links included
  Table<Channel, std::uint32_t> destinations;  // addresses of terminals; 0 for hosts' own channels
};

// REQUIRES a routing of this fabric's size (check_size).
ChannelUse find_channel_use(const Model& model, const Routing& routing, int threads = 0);
// Of plain tables, between the terminals that take part.
ChannelUse find_channel_use(const Model& model, const ForwardingTables& tables,
                            const Table<Terminal, std::uint8_t>& takes_part, int threads = 0);

// Over the channels between switches, used or not. Flows are weighed by the speed of channels.
struct UseSpread {
  Fraction largest = 0;
  double mean = 0;
  double deviation = 0;  // square root of the variance
};
UseSpread spread_of_flows(const Model& model, const ChannelUse& use);
UseSpread spread_of_destinations(const Model& model, const ChannelUse& use);

}  // namespace fatwood
