// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The exact load of each channel for a traffic and a routing.
//
// The load of a channel is the sum, over flows and their paths through it, of amount * share
// ([Yuan07], section 2.1). A flow on a slow channel has more weight: the usual adapter speed
// divided by that of the channel (topology/channel_speeds.hpp). Amounts are integers: a flow's unit
// has L parts, where L is the least common multiple of the numbers of paths, so nothing is rounded.
// Adaptive tables: even_split.hpp. Cost: the channels of all paths of all flows.

#include <cstdint>
#include <vector>

#include "core/fraction.hpp"
#include "core/table.hpp"
#include "routing/tables/path_source.hpp"
#include "topology/fabric.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

// The weight of a flow: by the speed of the channel, or 1 everywhere.
enum class Weighing : std::uint8_t { kSpeeds, kFlows };

struct LinkLoads {
  std::int64_t units_in_one = 1;       // units of a load of 1
  Table<Channel, std::int64_t> units;  // by channel
  bool exact = true;                   // false only for some adaptive tables (even_split.hpp)

  Fraction load(Channel c) const { return {units[c], units_in_one}; }
};

// PromiseError, with the pair, if the routing has no path for it. std::overflow_error if the units
// do not fit 62 bits.
LinkLoads link_loads(const Model& model, const PathSource& paths, const Traffic& traffic,
                     int threads = 0, Weighing weighing = Weighing::kSpeeds);

// Turns loads that count flows into loads weighted by the speed of channels.
LinkLoads weighed(const Model& model, LinkLoads loads);

Fraction max_load(const LinkLoads& loads);  // MLOAD

struct ChannelLoad {
  Channel channel;
  Fraction load;
};
// The most loaded channels first, then by number; without unloaded ones.
std::vector<ChannelLoad> most_loaded(const LinkLoads& loads, std::size_t count);

// Channels by kind: "up 0-1", "down 3-2", .. by tree level; "from terminals", "between switches",
// "to terminals" on other fabrics (also on damaged trees and those of files).
struct LevelLoad {
  std::string name;
  std::size_t channels = 0;
  Fraction max;
  Fraction sum;
};
std::vector<LevelLoad> loads_by_level(const Fabric& fabric, const LinkLoads& loads);

}  // namespace fatwood
