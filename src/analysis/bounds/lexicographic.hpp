// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The lexicographic optimum of all-to-all traffic on a small tree, over all ways to split flows
// over legal shortest paths. No other split lowers the load of a link without raising that of a
// link that is at least as loaded. Loads are relative to target loads
// (topology/levels/tree_cuts.hpp).
//
// Method: a sequence of linear programs with a column per path. Each minimises the largest load of
// the links that are not fixed. Links with a positive dual value cannot be lower and are fixed. It
// ends when the rest is at its target loads. Paths are all up*/down* paths that are shortest among
// those of the pair.
// `even` is compared with it; tables cannot split flows, so they may be above it.
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
