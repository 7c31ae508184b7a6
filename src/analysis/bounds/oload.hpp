// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// OLOAD: the smallest MLOAD that any routing can have for a traffic ([Yuan07], section 2.1). Loads
// are weighted by the speed of channels (topology/channel_speeds.hpp).
//
// Complete trees of one speed: exact. OLOAD is the maximum, over sub-trees of each height k < h, of
// the traffic out of or into the sub-tree divided by its number of cables W(k)u(k+1), u = wp. All
// of this traffic must cross these cables, so no routing is better. UMULTI attains it, because it
// spreads every flow that leaves a sub-tree evenly over them. ([Mahapatra12], Theorem 1, for p = 1.
// With parallel cables, the paths of path_space.hpp fix q(l) mod w at the levels below, and q(k):
// each cable is on 1/(W(k)u(k+1)) of them. The parallel cable used down is the one used up, so the
// path down is even too.)
//
// Other fabrics: the best cut (cuts.hpp) is a lower bound. It is exact if some known routes attain
// it. Otherwise OLOAD is a multi-commodity flow: a linear program, solved if it is not too large.
// If it is too large, the result is marked as a bound.

#include <optional>
#include <vector>

#include "core/fraction.hpp"
#include "topology/model.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

enum class OloadKind {
  kTheorem,        // exact
  kAttained,       // exact: the bound of a cut, and routes that attain it
  kLinearProgram,  // the optimum, to 1e-8; as the nearest short fraction
  kLowerBound,     // OLOAD is at least this
};

struct Oload {
  Fraction value;
  OloadKind kind;
};

// `attained`: the MLOAD of some routes for this traffic.
Oload oload(const Model& model, const Traffic& traffic,
            std::optional<Fraction> attained = std::nullopt);

// The hosts of the traffic are canonical.
Fraction tree_oload(const TreeShape& shape, const Traffic& traffic);
// Limit of destination switches * channels between switches for the linear program.
inline constexpr std::size_t kMostColumns = 20000;
struct LpOload {
  double value;
  Table<Channel, double> length;  // proof, as in length_bound.hpp; for channels of switches
};
// `known`: a lower bound of OLOAD. The search ends when it is attained; the lengths may then prove
// less. nullopt if the program is too large, if a flow has no path, or if an adapter that sends or
// receives has several ports.
std::optional<LpOload> lp_oload(const Model& model, const Traffic& traffic, Fraction known = 0);

// Upper bounds: the largest channel load of a routing that was found for the traffic. The first
// splits each flow over its shortest paths (shortest_split.cpp). The second gives each flow one
// path (negotiated_load.cpp); no value if hosts have several ports or no switch.
double shortest_split_load(const Model& model, const Traffic& traffic);
struct NegotiatedLoad {
  Fraction largest;                  // relative to the capacity of a usual channel
  std::vector<std::size_t> meeting;  // flows without which no channel would be overloaded
};
std::optional<NegotiatedLoad> negotiated_load(const Model& model, const Traffic& traffic);

}  // namespace fatwood
