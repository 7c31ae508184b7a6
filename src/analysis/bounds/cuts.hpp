// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lower bounds on the load of a traffic from cuts: all traffic that leaves or enters a part of the
// fabric crosses the channels of that part.
//
// Parts: each host; each switch with hosts; for each level of a tree, each component of the
// switches up to it. Loads are weighted by the speed of channels (topology/channel_speeds.hpp).
//
// Any routing: traffic across the cut / capacity. A host with several ports may use any of them, so
// its flow crosses only if all its ports are on one side and all of the other host's on the other.
//
// Tables: they cannot split flows freely. Ports share flows (Adapters::port_pairs), and a switch
// has one port per address. So what the terminals of a switch send to an address is a bundle that
// takes one path. Every channel carries a multiple of the greatest common divisor of the bundles
// across the cut. The bound gives the pieces (traffic / divisor) to channels one by one, each to
// the channel that is then least loaded. For channels of one speed this is traffic / channels,
// rounded up to a multiple of the divisor. If all cables of a switch with hosts lead to one switch,
// that switch has one port per terminal, and everything that a terminal gets is one bundle. Cost:
// O(channels + pairs of switches with hosts) per level; for bundles O(switches with hosts *
// terminals).

#include <cstdint>
#include <map>
#include <vector>

#include "core/fraction.hpp"
#include "core/table.hpp"
#include "topology/model.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

// A traffic by the places of hosts, and its amounts per host.
struct LeafDemand {
  // The switches of a host's ports, ascending. The host may use any of them.
  std::vector<std::vector<Switch>> places;
  std::map<std::uint32_t, std::map<std::uint32_t, std::int64_t>> between;  // [to][from], by place
  std::vector<std::int64_t> out, in;                                       // by host
};
LeafDemand leaf_demand(const Model& model, const Traffic& traffic);

struct BestCut {
  Table<Channel, std::uint32_t> length;  // 1 on its channels
  Fraction value = 0;                    // units of traffic over speed
};
BestCut best_cut(const Model& model, const LeafDemand& demand);

// A lower bound of OLOAD.
Fraction cut_bound(const Model& model, const Traffic& traffic);

// A lower bound on the most loaded channel of any forwarding tables that spread the traffic to a
// host evenly over `addresses`. `known`: a lower bound for any routing. The result is at least
// cut_bound() and `known`. It is no more than that if hosts have no switch, if hosts with several
// ports are in a disconnected fabric, or if there are more than kMostChunks bundles.
inline constexpr std::size_t kMostChunks = 1U << 26U;
Fraction tables_bound(const Model& model, const Traffic& traffic, std::uint32_t addresses = 1,
                      Fraction known = 0);

}  // namespace fatwood
