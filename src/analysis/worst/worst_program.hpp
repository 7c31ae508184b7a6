// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The largest load of one channel for traffic that some routing carries without overload, as a
// linear program: the worst case of that channel.
//
//   columns  g[s][d] >= 0, what s sends to d, for pairs whose routes use the channel;
//            f[path] >= 0, over any paths between the switches of such pairs
//   rows     what an adapter sends, and what it gets, is within the speed of its cable;
//            what all paths put on a channel between switches is within its speed;
//            paths between two switches carry what their adapters send
//   maximise the sum of share * g
// Method: column generation, as in path_program.hpp. The prices of a round, scaled so that they
// hold for every pair, prove an upper bound. It ends when both bounds agree, or when the upper
// bound shows that the result cannot exceed `enough`. Cost: some dozen rounds of O(destinations *
// channels * log) and of the solver.

#include <optional>
#include <vector>

#include "analysis/worst/worst_flows.hpp"

namespace fatwood {

struct ChannelWorst {
  double at_least = 0;  // attained by `traffic`; relative to a usual channel
  double at_most = 0;
  Traffic traffic;  // the best routing carries it with a load of 1
};
// `units_in_one`: of the arcs' weights. `enough`: stop once the result cannot exceed it. nullopt if
// an adapter of a pair has several ports or no switch, or if the solver gives up.
std::optional<ChannelWorst> worst_program(const Model& model, const std::vector<PairArc>& arcs,
                                          std::int64_t units_in_one, double enough);

}  // namespace fatwood
