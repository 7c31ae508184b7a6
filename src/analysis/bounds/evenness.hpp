// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Evenness: how far the most loaded link of each cut is above the least that any routing of this
// kind could have there, for all-to-all traffic (topology/levels/tree_cuts.hpp).
//
// Evenness of a cut, one for each direction: the load of its most loaded link over its fair share;
// for forwarding tables over the table bound, if that is larger. 1 is the optimum, and nothing is
// below it unless pairs have no route. The worst link of the whole fabric says little: it belongs
// to the cut with the fewest cables, and everything else can be uneven behind it.
// Cost: O(links of all cuts).

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/load/link_load.hpp"
#include "core/table.hpp"
#include "topology/levels/tree_cuts.hpp"

namespace fatwood {

// Forwarding tables keep bundles together; closed forms and adaptive tables can split them.
enum class Splitting : std::uint8_t { kBundles, kAnything };

struct CutLoad {
  CutShare share;
  Channel link = kNone<Channel>;  // the most loaded one, the first such
  Fraction load = 0;              // its load
  Fraction least = 0;             // the fair share, or the table bound

  double evenness() const { return load.value() / least.value(); }
};

struct Evenness {
  std::vector<TreeCut> cuts;
  std::vector<CutLoad> loads;  // in the order of all_to_all_shares
  std::size_t worst = 0;       // in loads; the first such
  double mean = 1;             // weighted by the flows that cross

  std::size_t above(double limit) const;
};

// `loads`: of all-to-all traffic between the terminals that take part, weighed by speed.
Evenness find_evenness(const Model& model, const LinkLoads& loads,
                       const Table<Terminal, std::uint8_t>& takes_part, Splitting splitting,
                       std::uint32_t addresses = 1);

}  // namespace fatwood
