// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An upper bound of OLOAD: finds routes for given flows, each on one shortest path, with a small
// maximum load.
//
// Method: negotiated congestion ([McMurchie95]). Flows are routed one after the other on their
// cheapest shortest paths. The cost of a channel grows with its overload, and with each round in
// which it was overloaded. In each round every flow is removed and routed again, until no channel
// is overloaded or a limit of rounds is reached. The best round counts. Numbers are integers, so
// the result is a proof that the flows can be carried.
//
// Cost: O(flows * channels on shortest paths) per round.

#include <optional>
#include <vector>

#include "core/fraction.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

struct NegotiatedLoad {
  Fraction largest;                  // relative to the capacity of a usual channel
  std::vector<std::size_t> meeting;  // flows without which no channel would be overloaded
};
// No value if hosts have several ports or no switch.
std::optional<NegotiatedLoad> negotiated_load(const Model& model, const Traffic& traffic);

}  // namespace fatwood
