// SPDX-License-Identifier: BSD-3-Clause
#include "studies/tree_points.hpp"

#include "analysis/bounds/oload.hpp"
#include "analysis/load/link_load.hpp"
#include "analysis/worst/worst_case.hpp"

namespace fatwood {

std::unique_ptr<PathSource> algebraic(const Fabric& tree, const std::string& routing,
                                      std::uint64_t seed) {
  return path_source(make_algebraic(routing, *tree.tree(), seed).routing);
}

Fraction exact_ratio(const Fabric& tree, const std::string& routing, std::uint64_t seed,
                     int threads) {
  const MadeAlgebraic made = make_algebraic(routing, *tree.tree(), seed);
  return worst_case(cable_use(*made.routing), {.threads = threads, .progress = {}}).load;
}

double performance(const Fabric& tree, const PathSource& paths, const Traffic& traffic,
                   int threads) {
  const Fraction best = tree_oload(*tree.tree(), traffic);
  if (best == 0) return 1;
  return (max_load(link_loads(Model(tree), paths, traffic, threads)) / best).value();
}

}  // namespace fatwood
