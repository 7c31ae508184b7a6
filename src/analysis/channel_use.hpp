#pragma once
// What each channel carries when every terminal sends to every other: how many flows (pairs; with
// LMC one for each address) and how many different destinations.
//
// Method: along each target's tree, from its far ends inwards, the sources behind each channel
// are summed up. Exact integers. Cost: O(targets * switches), in parallel over targets. A source
// whose route does not arrive counts nowhere.

#include <cstdint>

#include "routing/routing.hpp"

namespace fatwood {

struct ChannelUse {
  Table<Channel, std::uint64_t> flows;
  Table<Channel, std::uint32_t> destinations;  // addresses of terminals
};

// REQUIRES a routing of this fabric's size (check_size). Channels of switches, those into terminals
// included; what terminals send themselves is left at 0.
ChannelUse find_channel_use(const Fabric& fabric, const Routing& routing, int threads = 0);

// Over the channels between switches, used or not.
struct UseSpread {
  std::uint64_t largest = 0;
  double mean = 0;
  double deviation = 0;  // square root of the variance
};
UseSpread spread_of_flows(const Fabric& fabric, const ChannelUse& use);
UseSpread spread_of_destinations(const Fabric& fabric, const ChannelUse& use);

}  // namespace fatwood
