// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A small OLOAD from above, exactly: routes for given flows, each on one shortest path, that load
// no channel much.
//
// Method: negotiated congestion ([McMurchie95]). Flows are laid one after the other, each by its
// cheapest shortest path; a channel costs more the more it is above its speed, and more for each
// round in which it was. Round after round each flow is taken up and laid again, until no channel
// is above its speed, or no patience is left. The best round counts. Whole numbers throughout, so
// what is found is a proof: the flows can be carried so.
//
// Cost: O(flows * channels on shortest paths) per round.

#include <optional>
#include <vector>

#include "core/fraction.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

struct NegotiatedLoad {
  Fraction largest;                  // in parts of what a usual channel carries
  std::vector<std::size_t> meeting;  // flows without which no channel would be above its speed
};
// Nothing where hosts have several ports, or are on no switch.
std::optional<NegotiatedLoad> negotiated_load(const Model& model, const Traffic& traffic);

}  // namespace fatwood
