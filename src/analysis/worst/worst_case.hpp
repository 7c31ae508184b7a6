// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The exact worst traffic for a routing of a complete tree. The result is the oblivious performance
// ratio, the maximum over all traffic TM of MLOAD(TM)/OLOAD(TM), as a fraction; and the channel and
// traffic that attain it.
//
// Method. OLOAD(TM) <= 1 means that no sub-tree of height k sends or receives more than its C(k)
// cables carry ([Mahapatra12], Theorem 1; with parallel cables C(k) = W(k)w(k+1)p(k+1)). Take a
// channel on a cable between levels l and l+1, out of sub-tree T. Its pairs have one end inside T
// and one outside. So the constraints are two laminar families:
//   - every sub-tree of height k inside T: C(k);
//   - every sub-tree of height k that contains the outer end but not T: C(k);
//   - the traffic that leaves the ancestor A(k) of T of height k: C(k).
// This is a flow network: a tree over the inner ends, an arc for each pair on the channel with its
// share as weight, and a tree over the outer ends that ends in the chain A(h-1), .., A(l). The flow
// of largest weight is the worst traffic, and its weight is the load of the channel. Capacities are
// integers, so the optimum is too, and the ratio is exact. Channels into T are symmetric.
//
// Permutations are limited only at their ends: capacity 1 per terminal. The maximum is the weighted
// form of `mds` in [Yuan07], the most pairs of a channel with different ends.
//
// Cost: one flow per channel with up to M(l)(N-M(l)) pair arcs. A channel that has fewer ends than
// the best load so far cannot exceed it and is skipped. No symmetry is assumed. Papers: [Yuan07],
// sections 3 and 4; [Mahapatra12], Theorem 1.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/fraction.hpp"
#include "core/progress.hpp"
#include "core/work_share.hpp"
#include "routing/algebraic/algebraic.hpp"
#include "routing/tables/path_source.hpp"
#include "topology/fabric.hpp"
#include "topology/recognise/complete_tree.hpp"

namespace fatwood {

enum class Direction : std::uint8_t { kUp, kDown };

// The cables that the paths of a pair use: a routing of a complete tree, as this analysis needs it.
struct CableUse {
  PathSpace space;
  // The number of equal shares of a pair that meets at level k.
  std::function<std::uint32_t(unsigned k)> shares;
  // Appends, for each share of (s, d), the offset of its cable between levels l and l+1: out of the
  // sub-tree of the source (kUp), or into that of the destination (kDown). Appends nothing if the
  // pair has no route, or one that is not a shortest path up and down the tree.
  // REQUIRES that s and d meet above level l.
  std::function<void(std::uint32_t s, std::uint32_t d, unsigned l, Direction,
                     std::vector<std::uint32_t>& offsets)>
      offsets;
};
CableUse cable_use(const AlgebraicRouting& routing);
// For tables of a complete tree, in canonical numbers. The arguments must outlive the result.
CableUse cable_use(const Model& model, const PathSource& paths);

enum class TrafficClass {
  kAny,          // everything that the network could carry with a load of 1
  kPermutation,  // each node sends at most 1 to one other, and receives at most 1
};

struct Demand {
  std::uint32_t source;
  std::uint32_t destination;
  std::int64_t amount;
};

struct WorstCase {
  Fraction load;  // of the channel, with the traffic; for TrafficClass::kAny this is the ratio
  unsigned level = 0;
  Direction direction = Direction::kUp;
  std::uint32_t cable = 0;  // between level and level+1, as numbered by PathSpace
  Channel channel = kNone<Channel>;
  std::vector<Demand> traffic;
  std::uint64_t flows_solved = 0;
  std::uint64_t channels = 0;
  // A pair without a shortest path, in canonical numbers. Then nothing else is known.
  std::optional<Demand> stray;
};

struct WorstOptions {
  TrafficClass traffic = TrafficClass::kAny;
  // worst_bounds.hpp solves at most this many channels, the most promising first.
  std::uint64_t most_solved = 256;
  int threads = 0;
  Progress progress = {};
  WorkShare share = {};  // of the channels, for the exact method
};

WorstCase worst_case(const CableUse& use, const WorstOptions& options = {});

// The square of the lower bound for all single-path routings of FT(m,n) ([Yuan07], Lemmas 10 to
// 12): m/2 for n = 2, (m/2)^2 for n = 3, (m/2)^(2 floor((n-1)/3)) above. 0 if the tree is no
// FT(m,n).
std::uint64_t single_path_bound_squared(const TreeShape& shape);

}  // namespace fatwood
