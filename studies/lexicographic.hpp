// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The lexicographic optimum of all-to-all traffic on a small tree, to compare `even` with: first
// the most loaded link is as low as possible, then the next, and so on. Flows may be split over all
// legal shortest paths. Tables cannot split flows, so they may be above this optimum. Loads are
// relative to target loads (topology/levels/tree_cuts.hpp).
//
// Method: a sequence of linear programs with a column per path. Each minimises the largest load of
// the links that are not fixed. Links with a positive dual value cannot be lower and are fixed. It
// ends when all other links are at their target loads. The paths of a pair are its shortest
// up*/down* paths.
// Cost: one program per step, with links + pairs of leaves rows; for small fabrics only.

#include <optional>

#include "core/table.hpp"
#include "topology/levels/tree_cuts.hpp"

namespace fatwood {

struct LexicographicOptimum {
  Table<Channel, double> most;  // optimal load, by speed; 0 if the channel is in no cut
  std::size_t steps = 0;        // programs solved
  double first = 1;             // largest load / target load, of the first program
  // Evenness of cuts, at least 1 each: the mean, weighted by the flows across them, and the
  // maximum.
  double mean = 1, worst = 1;
};

// No value if the fabric is no tree, has hosts with several ports or more than `most_paths` paths,
// or if the solver fails.
std::optional<LexicographicOptimum> lexicographic_optimum(const Model& model,
                                                          std::size_t most_paths = 20000);

}  // namespace fatwood
