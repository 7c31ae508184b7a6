// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The most that a channel can carry under traffic that some routing carries with no channel above
// its speed: what the worst case of one channel is, as a linear program.
//
//   columns  g[s][d] >= 0, what s sends to d, for pairs whose routes take the channel;
//            f[path] >= 0, over any paths between the switches of such pairs
//   rows     what a host sends, and what it gets, is within its cable's speed;
//            what all paths put on a channel between switches is within its speed;
//            paths between two switches carry what their hosts send
//   maximise the sum of share * g
// Method: paths are made when they are wanted, as in path_program.hpp; the prices of a round prove
// an upper bound, once they are made large enough for every pair. It ends where both meet, or where
// the upper one says that there is no use in going on.
// Cost: some dozen rounds of O(destinations * channels * log) and of the solver.

#include <optional>
#include <vector>

#include "analysis/worst/worst_flows.hpp"

namespace fatwood {

struct ChannelWorst {
  double at_least = 0;  // of a usual channel; by the traffic
  double at_most = 0;
  Traffic traffic;  // any routing that is good enough carries it with OLOAD 1
};
// `units_in_one`: of the arcs' weights. `enough`: no need to go on when it can't be more than that.
// nullopt where a host of a pair has several ports or no switch, or the solver gives up.
std::optional<ChannelWorst> worst_program(const Model& model, const std::vector<PairArc>& arcs,
                                          std::int64_t units_in_one, double enough);

}  // namespace fatwood
