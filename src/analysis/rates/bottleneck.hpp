// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Bottleneck rates: what each pair of adapters gets in all-to-all.
//
// Definition. N adapters take part, every pair has the same demand. L(c) is the number of flows on
// link c, u(c) its capacity. The bottleneck rate of a pair is the minimum of u(c) / L(c) over the
// links of all its paths, both adapter ports included. Multiplied by the number of peers it is a
// rate per adapter. There are N-1 peers, or fewer if no adapter has a route to all others (planes,
// a damaged fabric). The rate per adapter is at most what the ports of the fastest adapter carry.
//
// Why this figure:
// - It never exceeds the max-min fair rate of the pair: in progressive filling the share of a link
//   starts at u(c) / L(c) and never decreases.
// - A synchronous all-to-all gets the rate of the worst pair. No schedule on these routes is faster
//   than its most loaded link; and every pair can send at its bottleneck rate, because the flows on
//   a link then use at most L(c) * u(c) / L(c).
//
// Method. Links are ranked once by u / L, as exact fractions. The rate of a pair is the lowest rank
// on its paths.
// - Forwarding tables, adapters with one port: one pass over (destination, switch); each switch
//   takes the minimum of its link and its next hop.
// - Adaptive tables: L(c) is that of an even split over the ports of each entry. The paths of a
//   pair are all that its packets may take. Pairs whose packets may be lost count as unreachable.
// - Otherwise the paths of each pair are listed.
//
// Ties: an adapter port comes before links between switches, then the lower channel number. All
// adapter ports with the same u / L have one rank. Percentiles are by nearest rank: the smallest
// rate such that at least that fraction of the pairs have no more.
// Exact, and independent of the number of threads.
// Cost: O(destinations * switches), twice; ft(48,3) takes about a second.

#include <cstdint>
#include <vector>

#include "analysis/bounds/evenness.hpp"
#include "analysis/load/channel_use.hpp"
#include "core/fraction.hpp"
#include "routing/tables/path_source.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct LimitingLink {
  Channel link;
  std::uint64_t pairs;  // that this link limits
  Fraction rate;
};

// Rates per adapter; 1 is the usual speed of adapter ports (ChannelSpeeds::usual).
struct BottleneckRates {
  std::uint64_t adapters = 0;     // that take part
  std::uint64_t pairs = 0;        // ordered, with a route
  std::uint64_t unreachable = 0;  // ordered pairs without a route; not in the figures
  Fraction peers = 0;             // the most peers of any adapter
  std::uint64_t at_ports = 0;     // pairs that an adapter port limits
  Fraction worst = 0, p1 = 0, p10 = 0, median = 0;
  Fraction port = 0;                // what all ports of the fastest adapter carry
  std::vector<LimitingLink> links;  // between switches, that limit pairs; slowest first
  LinkLoads loads;                  // of the same traffic, weighted by speed
};

// By terminal: 1 for the ports of these adapters.
Table<Terminal, std::uint8_t> ports_of(const Model& model, std::span<const Adapter> adapters);
Table<Terminal, std::uint8_t> ports_of_all(const Model& model);

// Adaptive tables: REQUIRES that all adapters of the model take part (measured_model()).
BottleneckRates bottleneck_rates(const Model& model, const PathSource& paths,
                                 const Table<Terminal, std::uint8_t>& takes_part, int threads = 0);

// The same for all adapters of the model and any routing.
BottleneckRates bottleneck_rates(const Model& model, const Routing& routing, int threads = 0);
// The same if loads are known (find_channel_use).
BottleneckRates bottleneck_rates(const Model& model, const Routing& routing, const ChannelUse& use,
                                 int threads = 0);

// The limiting links of one cut.
struct Bottleneck {
  std::uint32_t cut = kNoCut;  // index in Evenness::loads: the one with the largest least load
  std::vector<Channel> links;  // slowest first
  std::uint64_t pairs = 0;     // that these links limit
  Fraction rate = 0;           // of the slowest link
  Fraction best_possible = 0;  // for pairs across the cut; 0 if the link is in no cut

  static constexpr std::uint32_t kNoCut = 0xffffffffU;
};
// Slowest first.
std::vector<Bottleneck> bottlenecks(const Model& model, const BottleneckRates& rates,
                                    const Evenness& evenness);

}  // namespace fatwood
