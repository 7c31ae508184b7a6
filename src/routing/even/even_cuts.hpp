// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The target load of each link for `even`, and how far the links of each cut are above it.
//
// All-to-all: targets come from the cuts of the tree (topology/levels/tree_cuts.hpp). A link in no
// cut connects switches of one level; its target is the largest of all. Given demands: one bound is
// the target of all links.
// Cost: O(links of all cuts); given demands: O(cables + demands) per level.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "routing/even/even_net.hpp"

namespace fatwood {

// Goal of the engine: no cut is overloaded by more than this fraction of its target load.
constexpr double kMostOverload = 0.05;

class EvenCuts {
 public:
  EvenCuts() = default;
  // REQUIRES that the loads of `net` are counted.
  EvenCuts(const Model& model, const UpDownOrder& up_down, const EvenNet& net);

  // Sets three values of each link, each the largest over its cuts: the target load (fair share, or
  // table bound if larger), the limit (1 + overload) * fair share, but at least the table bound,
  // and EvenChannel::urgent = (1 + urgent) * target load.
  void set_limits(double overload, double urgent, EvenNet& net) const;

  // The overload of a cut is that of its most loaded link, relative to the smallest load that
  // tables can have. Here: the mean over cuts, weighted by the flows that cross them, and the
  // maximum.
  struct Overload {
    double mean = 0, worst = 0;
  };
  Overload overload(const EvenNet& net) const;

 private:
  // The links of a cut in one direction.
  struct Cut {
    double fair, tables;  // per capacity: lower bounds for any routing, and for tables
    double flows;         // that cross the cut
    std::vector<std::uint32_t> slots;

    double least() const { return std::max(fair, tables); }
  };
  void find_tree_cuts(const Model& model, const EvenNet& net);
  static double overload_of(const Cut& cut, const EvenNet& net);

  std::vector<Cut> cuts_;
};

}  // namespace fatwood
