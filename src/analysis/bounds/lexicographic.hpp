// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The lexicographic optimum of all-to-all traffic on a small tree: no other way to split the flows
// over legal shortest paths lowers the load of any link without raising that of one that is at
// least as loaded, loads being parts of the links' target loads (topology/levels/tree_cuts.hpp).
//
// Method: a sequence of linear programs with a column for each path. Each minimises the largest
// load of the links that are not fixed yet; those with a positive dual value can't be below it, and
// are fixed there; until the rest is at its target loads. Paths are all that go up, then down the
// levels, and are as short as any such path of the pair.
// It is what `even` is held against: tables can't split flows, so they may be above it.
// Cost: a program for each step, with links + pairs of leaves rows; small fabrics only.

#include <optional>

#include "core/table.hpp"
#include "topology/levels/tree_cuts.hpp"

namespace fatwood {

struct LexicographicOptimum {
  Table<Channel, double> most;  // load of the channel at most, by speed; 0 where it is in no cut
  std::size_t steps = 0;        // programs solved
  double first = 1;             // largest load over target load: that of the first program
  // Evenness of cuts, no cut being below 1: the mean, weighted by what crosses, and the largest.
  double mean = 1, worst = 1;
};

// None: the fabric is no tree, has hosts with several ports, has more paths than `most_paths`, or
// the solver fails.
std::optional<LexicographicOptimum> lexicographic_optimum(const Model& model,
                                                          std::size_t most_paths = 20000);

}  // namespace fatwood
