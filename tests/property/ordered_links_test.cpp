// SPDX-License-Identifier: BSD-3-Clause
// BFOT and APOT on random graphs: legal, free of cycles, equal in both forms.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "oracle/ordered_routes.hpp"
#include "oracle/routes.hpp"
#include "routing/engine.hpp"
#include "routing/ordered/apot.hpp"
#include "routing/ordered/bfot.hpp"
#include "topology/generate/random_graph.hpp"

namespace fatwood {
namespace {

Fabric any_graph() {
  const auto switches = *rc::gen::inRange(2U, 14U);
  const auto most = switches * (switches - 1) / 2;
  const auto links = *rc::gen::inRange(switches - 1, std::min(most, 4 * switches) + 1);
  const auto duplicates = *rc::gen::inRange(0U, 5U);
  return with_terminals(make_random({.switches = switches,
                                     .links = links + duplicates,
                                     .max_degree = switches,
                                     .duplicates = duplicates,
                                     .seed = *rc::gen::inRange<std::uint64_t>(0, 1U << 30)}),
                        switches);
}

RC_GTEST_PROP(OrderedLinksProperty, LayersAlternativesAndDistances, ()) {
  const Fabric fabric = any_graph();
  const OrderedLinks links =
      order_links(fabric, *rc::gen::element(LinkOrder::kBySweep, LinkOrder::kByDegree));
  RC_ASSERT(oracle::fault_of_layers(links).empty());
  for (std::uint32_t d = 0; d < links.switches; ++d) {
    const OrderedAlternatives found = find_ordered_alternatives(links, d);
    RC_ASSERT(oracle::fault_of_alternatives(links, found, d) == "");
    const auto expected = oracle::legal_distances(links, d);
    RC_ASSERT(apot_by_heap(links, d).distance == expected);
    RC_ASSERT(apot_by_matrix(links, d).distance == expected);
  }
}

RC_GTEST_PROP(OrderedLinksProperty, EnginesKeepTheirPromise, ()) {
  const Fabric fabric = any_graph();
  for (const char* name : {"bfot", "bfot+"}) {
    const auto found = oracle::look_at_routes(fabric, route(find_engine(name), Model(fabric)));
    RC_ASSERT(found.deadlock_free);
    RC_ASSERT(found.missing_switch + found.missing_terminal + found.loops == 0U);
  }
  for (const char* name : {"apot", "apot-matrix"}) {
    const SourceRoutes routes = route(find_engine(name), Model(fabric)).source_routes;
    std::vector<std::vector<Channel>> paths;
    for (const Switch s : ids<Switch>(routes.switches)) {
      for (const Switch d : ids<Switch>(routes.switches)) {
        const auto path = routes.at(s, d);
        RC_ASSERT(path.empty() == (s == d));
        paths.emplace_back(path.begin(), path.end());
      }
    }
    RC_ASSERT(!oracle::has_cycle(fabric, paths));
  }
}

}  // namespace
}  // namespace fatwood
