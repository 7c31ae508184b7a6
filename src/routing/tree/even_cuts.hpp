// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cuts that `even` evens out: the target load of each link, and how far above it cuts are.
//
// All to all: the cuts of the tree (topology/levels/tree_cuts.hpp). Links in no cut lie within a
// level and get the largest share of all. For given demands one bound is that of all links. Cost:
// O(links of all cuts).

#include <algorithm>
#include <cstdint>
#include <vector>

#include "routing/tree/even_net.hpp"

namespace fatwood {

// No cut shall have more overload than this part of its target load.
constexpr double kMostOverload = 0.05;

class EvenCuts {
 public:
  EvenCuts() = default;
  // REQUIRES loads that are counted.
  EvenCuts(const Model& model, const UpDownOrder& up_down, const EvenNet& net);

  // Limits of links: so much above their target loads, the largest of the cuts they belong to. A
  // link is urgent above kMostOverload, or above four times that overload.
  void set_limits(double overload, EvenNet& net) const;

  // Of the most loaded link of each cut, as a part of the least that tables can have: the mean over
  // cuts, weighted by what crosses them, and the largest.
  struct Overload {
    double mean = 0, worst = 0;
  };
  Overload overload(const EvenNet& net) const;

 private:
  // The links of a cut in one direction.
  struct Cut {
    double fair, tables;  // for a capacity of 1: what no routing, no tables can be below
    double flows;         // that cross
    std::vector<std::uint32_t> slots;

    double least() const { return std::max(fair, tables); }
  };
  void find_tree_cuts(const Model& model, const EvenNet& net);
  static double overload_of(const Cut& cut, const EvenNet& net);

  std::vector<Cut> cuts_;
};

}  // namespace fatwood
