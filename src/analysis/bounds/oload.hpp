// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// OLOAD: the least MLOAD that any routing can give a traffic ([Yuan07], section 2.1). Loads are
// weighed by the speed of channels (topology/channel_speeds.hpp).
//
// On whole trees of one speed it is exact: the largest, over sub-trees of each height k < h, of the
// traffic out of or into the sub-tree divided by its number of cables W(k)u(k+1), u = wp. Nothing
// can do better, since all of it must cross those cables; and UMULTI attains it, since it spreads
// every flow that leaves a sub-tree evenly over them. ([Mahapatra12], Theorem 1, for p = 1. With
// parallel links path_space.hpp's paths fix q(l) mod w at the levels below and q(k) wholly: each
// cable is on 1/(W(k)u(k+1)) of them, and the copy taken down is the copy taken up, so the path
// down is even too.)
//
// On other fabrics the best cut (cuts.hpp) is a bound. Where some routes attain it, it is exact.
// Else it is a multi-commodity flow: a linear program, solved up to a stated size. A bound is
// reported as a bound.

#include <cstdint>
#include <optional>
#include <string>

#include "core/fraction.hpp"
#include "topology/model.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

enum class OloadKind {
  kTheorem,        // exact
  kAttained,       // exact: a cut's bound, and routes that carry no more
  kLinearProgram,  // the optimum, to the solver's 1e-9; as the nearest short fraction
  kLowerBound,     // OLOAD is at least this
};

struct Oload {
  Fraction value;
  OloadKind kind;
};

// `attained`: what some routes give the traffic.
Oload oload(const Model& model, const Traffic& traffic,
            std::optional<Fraction> attained = std::nullopt);

// The hosts of the traffic are canonical.
Fraction tree_oload(const TreeShape& shape, const Traffic& traffic);
// Destinations * channels: up to this many are solved.
inline constexpr std::size_t kMostColumns = 20000;
struct LpOload {
  double value;
  Table<Channel, double> length;  // that prove it, as in length_bound.hpp; of channels of switches
};
// `known`: OLOAD is at least that; the search ends when it is met, and the lengths may then prove
// less. nullopt when it is larger than that, when some flow has no path at all, or when a host that
// sends or receives has several ports.
std::optional<LpOload> lp_oload(const Model& model, const Traffic& traffic, Fraction known = 0);

}  // namespace fatwood
