// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Bounds on the worst case of a routing, on fabrics that are not complete trees. Question: over all
// traffic that some routing could carry with a load of 1 (OLOAD <= 1), what is the largest load on
// a link with these routes? OLOAD has no formula here, so the answer is an interval.
//
// Upper bound. Traffic with OLOAD <= 1 fits through every cut. For each channel we use cuts that
// form two laminar families: the cables of an adapter; the cables of its leaf to other switches;
// and the cables of a part (a component of the switches up to a level, such as a pod) if everything
// that the channel carries crosses them. The flow of largest weight over the pairs of the channel,
// within these cuts, is at least the channel's load for any such traffic ([Yuan07], Lemma 13, with
// the leaf cut added). A simpler bound is the count of the channel's endpoints. Channels are solved
// in order of falling count, until no count exceeds the best result, or most_solved channels are
// solved. For the remaining channels the count is the bound.
//
// Lower bound. The traffic of the heaviest flow is routed: MLOAD. The same traffic is also spread
// evenly over all shortest paths, and routed path by path (negotiated_load.cpp). Both are routings,
// so their largest loads are upper bounds of OLOAD. MLOAD divided by the smaller one is a ratio
// that this traffic attains. If it equals the upper bound, the result is exact.
//
// If the bounds differ, the channels whose upper bound exceeds the attained ratio are solved by a
// linear program (worst_program.cpp), which gives traffic and a better upper bound, to a millionth.
// On fabrics of more than 2,048 adapters, other traffic of the same channel is tried instead,
// without flows that inevitably share links elsewhere.
//
// Capacity is speed (topology/channel_speeds.hpp): adapters and leaves send what their cables
// carry, relative to the usual cable, and a flow on a slow channel has more weight.
//
// Permutations need no OLOAD. With adapters as the only cuts, the flow is exactly the largest load
// of any permutation, if all channels that could exceed it were solved.
//
// Cost: three passes over the paths of all pairs, and one flow for each channel solved.

#include <cstdint>

#include "analysis/worst/worst_case.hpp"
#include "routing/tables/path_source.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

struct WorstBounds {
  Fraction at_most;                  // upper bound for all traffic of the class
  bool exact = false;                // the traffic attains it, in integers
  Channel channel = kNone<Channel>;  // the channel that `traffic` loads most
  Traffic traffic;
  Fraction load;              // of that channel with `traffic`: a lower bound of its MLOAD
  double oload_at_most = 0;   // of `traffic`
  double ratio_at_least = 0;  // MLOAD(traffic) / oload_at_most
  std::uint64_t flows_solved = 0;
};

WorstBounds worst_bounds(const Model& model, const PathSource& paths,
                         const WorstOptions& options = {});

}  // namespace fatwood
