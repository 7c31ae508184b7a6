// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Bottleneck rates: what each pair of hosts gets when all send to all.
//
// Definition. N hosts take part, every pair has the same demand. L(c) is the number of flows on
// link c, u(c) its capacity. The bottleneck rate of a pair is the minimum of u(c) / L(c) over the
// links of all its paths, both host ports included. Times the number of peers it is a rate per
// host: N-1, or less where no host has a route to all others (planes, a damaged fabric); at most
// what the ports of the fastest host carry.
//
// - It never exceeds the pair's max-min fair rate: during progressive filling the share of a link
//   is u(c) / L(c) at first and never decreases.
// - The worst pair is what a synchronous all-to-all gets: no schedule on these routes beats its
//   most loaded link, and sending every pair at its bottleneck rate is feasible, since the flows on
//   a link get at most L(c) * u(c) / L(c).
//
// Method. Links are ranked once by u / L, compared as exact fractions; the rate of a pair is the
// lowest rank on its paths. Forwarding tables, hosts with one port: one pass over (destination,
// switch), each switch one minimum after the next hop's. Adaptive tables: L(c) is that of an even
// split over the ports of each entry, and a pair's paths are all that its packets may take;
// pairs whose packets may be lost count as unreachable. Otherwise the paths of each pair are
// listed. Ties: a host port before links between switches, then the lower channel number. All
// host ports with the same u / L are one rank. Percentiles are by nearest rank: the smallest rate
// that at least that share of the pairs does not exceed. Exact, and the same at any number of
// threads. Cost: O(destinations * switches), twice; ft(48,3) takes about a second.

#include <cstdint>
#include <vector>

#include "analysis/bounds/evenness.hpp"
#include "core/fraction.hpp"
#include "routing/tables/path_source.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct LimitingLink {
  Channel link;
  std::uint64_t pairs;  // that get no more because of it
  Fraction rate;
};

// Rates per host, 1 being the usual speed of host ports (ChannelSpeeds::usual).
struct BottleneckRates {
  std::uint64_t adapters = 0;     // that take part
  std::uint64_t pairs = 0;        // with a route; ordered
  std::uint64_t unreachable = 0;  // pairs without one: in no figure
  Fraction peers = 0;             // of the host that has routes to most others
  std::uint64_t at_ports = 0;     // pairs that a host port limits
  Fraction worst = 0, p1 = 0, p10 = 0, median = 0;
  Fraction port = 0;                // all ports of the fastest host
  std::vector<LimitingLink> links;  // between switches, those that limit pairs; slowest first
  LinkLoads loads;                  // of the same traffic, weighed by speed
};

// By terminal: 1 for the ports of these hosts.
Table<Terminal, std::uint8_t> ports_of(const Model& model, std::span<const Adapter> adapters);
Table<Terminal, std::uint8_t> ports_of_all(const Model& model);

// Adaptive tables: REQUIRES that all adapters of the model take part (measured_model()).
BottleneckRates bottleneck_rates(const Model& model, const PathSource& paths,
                                 const Table<Terminal, std::uint8_t>& takes_part, int threads = 0);

// The same for all adapters of the model and any routing.
BottleneckRates bottleneck_rates(const Model& model, const Routing& routing, int threads = 0);

// Limiting links of one cut, taken together.
struct Bottleneck {
  std::uint32_t cut = kNoCut;  // in Evenness::loads: the one with the largest least load
  std::vector<Channel> links;  // slowest first
  std::uint64_t pairs = 0;     // behind them
  Fraction rate = 0;           // of the slowest
  Fraction best_possible = 0;  // of the pairs that cross the cut; 0 where the link is in no cut

  static constexpr std::uint32_t kNoCut = 0xffffffffU;
};
// Slowest first.
std::vector<Bottleneck> bottlenecks(const Model& model, const BottleneckRates& rates,
                                    const Evenness& evenness);

}  // namespace fatwood
