// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lower bounds on the most loaded channel for a given traffic, from cuts: all traffic that leaves
// or enters a part of the fabric crosses the channels of that part. (topology/levels/tree_cuts.hpp
// has the bounds of all-to-all.)
//
// The parts are: each adapter; each switch with adapters; and, for each level of a tree, each
// component of the switches up to that level. Loads are weighted by the speed of channels
// (topology/channel_speeds.hpp).
//
// For any routing: traffic across the cut / capacity. An adapter with several ports may use any of
// them, so its flow crosses the cut only if all its ports are on one side and all ports of the
// other adapter are on the other.
//
// For tables the bound is larger, because they cannot split flows freely. The terminals of a switch
// use one port towards an address, so what they send to it is a bundle that takes one path. Every
// channel carries a multiple of the greatest common divisor of the bundles across the cut. The
// bound deals out pieces of that size, each to the channel that is then least loaded. For channels
// of one speed this is traffic / channels, rounded up to a multiple of the divisor. If all cables
// of a switch with adapters lead to one other switch, that switch has one port per terminal, and
// everything that a terminal receives is one bundle.
// Cost: O(channels + pairs of switches with adapters) per level; for bundles O(switches with
// adapters * terminals).

#include <cstdint>
#include <map>
#include <vector>

#include "core/fraction.hpp"
#include "core/table.hpp"
#include "topology/model.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

// The traffic by place: a place is the set of switches that an adapter is on. Also the sums per
// adapter.
struct LeafDemand {
  // By place: its switches, ascending. An adapter there may use any of them.
  std::vector<std::vector<Switch>> places;
  std::map<std::uint32_t, std::map<std::uint32_t, std::int64_t>> between;  // [to][from], by place
  std::vector<std::int64_t> out, in;                                       // by adapter
};
LeafDemand leaf_demand(const Model& model, const Traffic& traffic);

// The speeds of an adapter's cables, added up.
std::int64_t speed_of_cables(const Model& model, Adapter adapter);
// By switch: its component among the switches up to a level, by the number of one of its switches.
// A switch above that level is alone.
std::vector<std::uint32_t> components_up_to(const Model& model, Level level);

struct BestCut {
  Table<Channel, std::uint32_t> length;  // 1 on the channels of the cut, otherwise 0
  Fraction value = 0;                    // units of traffic over speed
};
BestCut best_cut(const Model& model, const LeafDemand& demand);

// A lower bound of OLOAD.
Fraction cut_bound(const Model& model, const Traffic& traffic);

// A lower bound on the most loaded channel of any forwarding tables that spread the traffic to an
// adapter evenly over `addresses`. `known`: a lower bound for any routing. The result is the
// largest of cut_bound(), `known` and the bound of bundles. The last is left out if an adapter has
// no switch, if adapters with several ports are in a disconnected fabric, or if there are more than
// kMostChunks bundles.
inline constexpr std::size_t kMostChunks = 1U << 26U;
Fraction tables_bound(const Model& model, const Traffic& traffic, std::uint32_t addresses = 1,
                      Fraction known = 0);

}  // namespace fatwood
