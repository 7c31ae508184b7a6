// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cuts that `even` balances: the target load of each link, and the overload of each cut.
//
// All-to-all: the cuts of the tree (topology/levels/tree_cuts.hpp). Links in no cut are within a
// level; their target is the largest of all. Given demands: one bound for all links.
// Cost: O(links of all cuts).

#include <algorithm>
#include <cstdint>
#include <vector>

#include "routing/even/even_net.hpp"

namespace fatwood {

// Target of the engine: the overload of every cut is at most this fraction of its target load.
constexpr double kMostOverload = 0.05;

class EvenCuts {
 public:
  EvenCuts() = default;
  // REQUIRES that the loads of `net` are counted.
  EvenCuts(const Model& model, const UpDownOrder& up_down, const EvenNet& net);

  // Sets the limit of each link to (1 + overload) times its target load, the largest of its cuts,
  // and EvenChannel::urgent likewise.
  void set_limits(double overload, double urgent, EvenNet& net) const;

  // The overload of the most loaded link of each cut, relative to the smallest load that tables can
  // have: the mean over cuts, weighted by the flows that cross them, and the maximum.
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
