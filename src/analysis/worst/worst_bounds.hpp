// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The worst case of routes on a fabric that is not a whole tree: what can be said without OLOAD in
// closed form.
//
// Upper bound. Traffic with OLOAD <= 1 fits through every cut; used are the cuts that each channel
// sees as two laminar families: a host's own cables, the cables of its leaf switch to other
// switches, and those of what switches up to a level connect (a pod), where all that the channel
// carries crosses them. The flow of largest weight over the pairs of a channel under these is at
// least the channel's load under any such traffic ([Yuan07], Lemma 13, with the leaf cut added).
// Channels are taken by falling count of their ends, and solved until no count is above the best;
// past most_solved channels the count itself is the bound.
//
// Lower bound. The traffic of the flows that weigh most is loaded on the routes: MLOAD. It is also
// spread evenly over all shortest paths, which is a routing, so its largest load is at least
// OLOAD; and routed path by path (negotiated_load.hpp), which is another. MLOAD divided by the
// smaller is a ratio that this traffic shows. Where that is the upper bound, it is exact.
//
// If the two bounds differ, channels whose upper bound is above what was shown have their worst
// case found by a linear program (worst_program.hpp), which has the traffic and a better upper
// bound at once, to a millionth. On fabrics of more than 2,048 hosts other traffic of the same
// channel is tried instead, without flows that have to meet elsewhere.
//
// Capacity is speed (topology/channel_speeds.hpp): hosts and leaves send what their cables carry,
// in parts of what the usual one does, and a flow on a slow channel weighs more.
//
// Permutations need no OLOAD: with the hosts alone as cuts the flow is the largest load that
// any permutation gives, exactly, if all channels that could be above it were solved.
//
// Cost: three passes over the paths of all pairs, and one flow for each channel solved.

#include <cstdint>
#include <vector>

#include "analysis/worst/worst_case.hpp"
#include "routing/tables/path_source.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

struct WorstBounds {
  Fraction at_most;                  // no traffic of the class does worse
  bool exact = false;                // the traffic attains it, by whole numbers
  Channel channel = kNone<Channel>;  // where the traffic below weighs most
  Traffic traffic;
  Fraction load;              // of that channel under it: MLOAD is at least this
  double oload_at_most = 0;   // of the traffic
  double ratio_at_least = 0;  // MLOAD(traffic)/oload_at_most
  std::uint64_t flows_solved = 0;
};

WorstBounds worst_bounds(const Model& model, const PathSource& paths,
                         const WorstOptions& options = {});

}  // namespace fatwood
