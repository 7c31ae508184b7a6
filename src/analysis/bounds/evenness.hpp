// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Evenness: how far is the most loaded link of each cut above the best possible, in all-to-all
// traffic (topology/levels/tree_cuts.hpp)?
//
// The evenness of a cut, in each direction, is the load of its most loaded link divided by its fair
// share; for forwarding tables, divided by the table bound if that is larger. 1 is the optimum. A
// value below 1 means that pairs have no route. Every cut has a value of its own because the most
// loaded link of the whole fabric says little: it belongs to the cut with the fewest cables, and
// all other cuts can be uneven.
// Cost: O(links of all cuts).

#include <cstdint>
#include <vector>

#include "analysis/load/link_load.hpp"
#include "core/table.hpp"
#include "topology/levels/tree_cuts.hpp"

namespace fatwood {

// Forwarding tables keep bundles together; algebraic routings and adaptive tables can split them.
enum class Splitting : std::uint8_t { kBundles, kAnything };

struct CutLoad {
  CutShare share;
  Channel link = kNone<Channel>;  // the most loaded one, the first of several
  Fraction load = 0;              // its load
  Fraction least = 0;             // the fair share, or the table bound

  double evenness() const { return load.value() / least.value(); }
};

struct Evenness {
  std::vector<TreeCut> cuts;
  std::vector<CutLoad> loads;  // in the order of all_to_all_shares
  std::size_t worst = 0;       // index in `loads`; the first of several
  double mean = 1;             // weighted by the flows across the cut

  std::size_t above(double limit) const;
};

// `loads`: of all-to-all between the terminals that take part, weighted by speed.
Evenness find_evenness(const Model& model, const LinkLoads& loads,
                       const Table<Terminal, std::uint8_t>& takes_part, Splitting splitting,
                       std::uint32_t addresses = 1);

}  // namespace fatwood
