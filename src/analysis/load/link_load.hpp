// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The load that a traffic puts on each channel under a routing, exactly.
//
// Load of a channel: the sum over flows and their paths through it of amount * share ([Yuan07],
// section 2.1). Counted in whole units: 1/L of a flow's unit, L the least common multiple of the
// numbers of paths met, so that nothing is rounded. Adaptive tables: even_split.hpp. Capacity is
// speed: a flow weighs as much more as the channel is slower than the usual one of an adapter
// (topology/channel_speeds.hpp). Cost: the channels of all paths of all flows.

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
  std::int64_t units_in_one = 1;       // a load of 1 is so many units
  Table<Channel, std::int64_t> units;  // by channel
  bool exact = true;                   // even_split.hpp has the exception

  Fraction load(Channel c) const { return {units[c], units_in_one}; }
};

// PromiseError naming the pair when the routing has no path for one. std::overflow_error when the
// units do not fit 62 bits.
LinkLoads link_loads(const Model& model, const PathSource& paths, const Traffic& traffic,
                     int threads = 0, Weighing weighing = Weighing::kSpeeds);

// Loads that count flows, weighed by the speed of the channels.
LinkLoads weighed(const Model& model, LinkLoads loads);

Fraction max_load(const LinkLoads& loads);  // MLOAD

struct ChannelLoad {
  Channel channel;
  Fraction load;
};
// The most loaded channels, heaviest first, then by number; unloaded ones are left out.
std::vector<ChannelLoad> most_loaded(const LinkLoads& loads, std::size_t count);

// Channels by kind: "up 0-1", "down 3-2", .. by tree level; "from terminals", "between switches",
// "to terminals" on other fabrics.
struct LevelLoad {
  std::string name;
  std::size_t channels = 0;
  Fraction max;
  Fraction sum;
};
std::vector<LevelLoad> loads_by_level(const Fabric& fabric, const LinkLoads& loads);

}  // namespace fatwood
