// SPDX-License-Identifier: BSD-3-Clause
#include "verify/verify.hpp"

#include "routing/target_tree.hpp"

namespace fatwood {

Verdict verify(const Model& model, const Routing& routing, const VerifyOptions& options) {
  const Fabric& fabric = model.fabric();
  check_size(fabric, routing);
  Verdict verdict{.reachability = find_reachability(fabric, routing, options.threads),
                  .discarded = find_discarded(fabric, routing),
                  .hops = count_hops(fabric, routing, options.threads),
                  .minimality = find_minimality(fabric, routing, options.threads),
                  .up_down = {},
                  .no_levels = "the routes are in no tables",
                  .deadlock = find_deadlock(fabric, routing, options.sources, options.threads),
                  .tiers = {}};
  verdict.reachability.unreachable += verdict.discarded.pairs;
  if (!verdict.reachability.first_lost) verdict.reachability.first_lost = verdict.discarded.first;
  verdict.tiers = find_tiers(fabric, routing, options.sources, verdict.deadlock, options.threads);
  if (routing.source_routes.empty()) {
    const Levels& levels = model.levels();
    verdict.no_levels = levels.why_not_tree;
    if (levels.is_tree()) verdict.up_down = find_turns(fabric, routing, levels, options.threads);
  }
  return verdict;
}

}  // namespace fatwood
