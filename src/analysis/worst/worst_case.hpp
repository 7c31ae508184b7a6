// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The worst traffic for a routing of a whole tree, exactly: the oblivious performance ratio
// max over TM of MLOAD(TM)/OLOAD(TM) as a fraction, the channel, and the traffic that attains it.
//
// Method. OLOAD(TM) <= 1 says that no sub-tree of height k sends or receives more than its C(k)
// cables carry ([Mahapatra12], Theorem 1; with parallel cables C(k) = W(k)w(k+1)p(k+1)). Fix a
// channel on a cable between levels l and l+1, out of sub-tree T. Its pairs have one end inside T
// and one outside, so the constraints that bind are two laminar families:
//   - every sub-tree of height k inside T: C(k);
//   - every sub-tree of height k around the outer end and not around T: C(k);
//   - T's ancestor A(k) of height k, left by what ends outside it: C(k).
// That is a flow network: a tree over the inner ends, an arc for each pair on the channel with its
// share as weight, a tree over the outer ends whose last stretch is the chain A(h-1), .., A(l).
// Its flow of largest weight is the worst traffic, and its weight the load of the channel under
// it. Networks of integer capacities have integer optima: the traffic is whole, the ratio exact.
// Channels towards T mirror.
//
// A permutation is bounded by its ends alone: capacity 1 a terminal, none elsewhere. Its maximum is
// the weighted form of `mds` in [Yuan07], the most pairs of a channel with all ends different.
//
// Cost: one flow for each channel with up to M(l)(N-M(l)) pair arcs; channels that can't beat the
// best so far (fewer ends than its load) are passed over. No symmetry is assumed.
// Papers: [Yuan07], sections 3 and 4; [Mahapatra12], Theorem 1.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/fraction.hpp"
#include "core/progress.hpp"
#include "core/share.hpp"
#include "routing/closed/oblivious.hpp"
#include "routing/tables/path_source.hpp"
#include "topology/fabric.hpp"
#include "topology/recognise/whole_tree.hpp"

namespace fatwood {

enum class Direction : std::uint8_t { kUp, kDown };

// The cables that the paths of a pair use: a complete tree's routing in the form this analysis
// needs.
struct CableUse {
  PathSpace space;
  // Into how many equal shares a pair that meets at level k is split.
  std::function<std::uint32_t(unsigned k)> shares;
  // Appends, for each share of (s, d), the offset of the cable between levels l and l+1 that it
  // takes: out of the source's sub-tree (kUp), or into the destination's (kDown). Nothing if the
  // pair has no route, or one that is not a shortest path up and down the tree.
  // REQUIRES s, d to meet above level l.
  std::function<void(std::uint32_t s, std::uint32_t d, unsigned l, Direction,
                     std::vector<std::uint32_t>& offsets)>
      offsets;
};
CableUse cable_use(const ObliviousRouting& routing);
// Of routes in the switches of a whole tree, by canonical numbers. The arguments must outlive it.
CableUse cable_use(const Model& model, const PathSource& paths);

enum class TrafficClass {
  kAny,          // whatever the network could carry with a load of 1
  kPermutation,  // each node sends at most 1 and receives at most 1, to one other
};

struct Demand {
  std::uint32_t source;
  std::uint32_t destination;
  std::int64_t amount;
};

struct WorstCase {
  Fraction load;  // of the channel, under the traffic; the ratio for TrafficClass::kAny
  unsigned level = 0;
  Direction direction = Direction::kUp;
  std::uint32_t cable = 0;  // number between level and level+1, as PathSpace numbers them
  Channel channel = kNone<Channel>;
  std::vector<Demand> traffic;
  std::uint64_t flows_solved = 0;
  std::uint64_t channels = 0;
  // A pair without a shortest path, by canonical numbers: then nothing else here is known.
  std::optional<Demand> stray;
};

struct WorstOptions {
  TrafficClass traffic = TrafficClass::kAny;
  // Bounds (worst_bounds.hpp) solve so many channels at most, the most promising first.
  std::uint64_t most_solved = 256;
  int threads = 0;
  Progress progress = {};
  Share share = {};  // the channels, where it is exact
};

WorstCase worst_case(const CableUse& use, const WorstOptions& options = {});

// The lower bound of all single-path routings of FT(m,n) ([Yuan07], Lemmas 10 to 12), as its
// square: m/2 for n = 2, (m/2)^2 for n = 3, (m/2)^(2 floor((n-1)/3)) beyond. 0 when the tree is no
// FT(m,n).
std::uint64_t single_path_bound_squared(const TreeShape& shape);

}  // namespace fatwood
