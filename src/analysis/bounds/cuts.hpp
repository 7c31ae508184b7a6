// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The bound of the best cut on a traffic: all that leaves a part of the fabric, or enters it, goes
// over the part's own channels.
//
// Parts: each host; each switch with hosts; for each level of a tree, what is joined by switches
// up to it. Load is weighed by the speed of channels (topology/channel_speeds.hpp).
//
// Any routing: crossing / capacity. A host with several ports may use any, so that its flows cross
// where all of its ports are on one side and none of the other host's is. Tables can't split as
// they like: flows are shared by ports (Adapters::port_pairs), and a switch has one port for an
// address, so all that the terminals of a switch send to an address takes one path from there on.
// It is a chunk. Every channel carries a sum of chunks, so a multiple of the greatest number that
// divides all chunks that cross the cut; and the least that the most loaded channel of the cut can
// carry is found by dealing crossing / divisor out to its channels one by one, each to the channel
// that is then the least full. With channels of one speed that is crossing / channels, rounded up
// to a multiple of the divisor. Where all cables of a switch with hosts lead to one switch, that
// one has one port for each of the terminals, and all that a terminal gets is a chunk. Cost:
// O(channels + pairs of switches with hosts) per level; for chunks O(switches with hosts *
// terminals).

#include <cstdint>
#include <map>
#include <vector>

#include "core/fraction.hpp"
#include "core/table.hpp"
#include "topology/model.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

// A traffic by where hosts are, and its amounts per host.
struct LeafDemand {
  // The switches that the ports of a host are on, ascending: one of them, whichever it likes.
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

// OLOAD is at least that.
Fraction cut_bound(const Model& model, const Traffic& traffic);

// The most loaded channel of any forwarding tables carries at least that, where the traffic to a
// host is spread evenly over that many addresses of it, and any routing gives it `known` or more.
// At least as much as cut_bound() and known; no more than that where hosts are on no switch, or
// with several ports in a fabric of several parts, or where there would be more than kMostChunks.
inline constexpr std::size_t kMostChunks = 1U << 26U;
Fraction tables_bound(const Model& model, const Traffic& traffic, std::uint32_t addresses = 1,
                      Fraction known = 0);

}  // namespace fatwood
