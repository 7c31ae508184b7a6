// SPDX-License-Identifier: BSD-3-Clause
// Algebraic routings on a tree that was recognised: packets take the channels that the paths name.

#include <gtest/gtest.h>

#include "io/fabric/spec.hpp"
#include "routing/resolve.hpp"
#include "sim/engine/routes.hpp"
#include "support/shuffle.hpp"

namespace fatwood::sim {
namespace {

TEST(PlacedPaths, AreFollowedPortByPort) {
  for (const char* const spec : {"ft(6,3)", "pgft(3;6,6,4;1,6,3;1,1,2)"}) {
    const fatwood::Model tree(test::shuffled(make_fabric(spec), 11));
    const Fabric& fabric = tree.fabric();
    const sim::Model model;
    const Network net = make_network(fabric, model, tree.adapters());
    for (const char* const name : {"dmodk", "disjoint:3", "umulti"}) {
      SCOPED_TRACE(name);
      const ResolvedRouting resolved = resolve_routing(tree, name);
      ASSERT_TRUE(resolved.algebraic);
      const Routes routes = Routes::by_paths(net, *resolved.algebraic, &*tree.complete_tree());
      const auto source = path_source(tree, resolved.algebraic);
      for (const Adapter s : ids<Adapter>(tree.adapters().size())) {
        for (const Adapter d : ids<Adapter>(tree.adapters().size())) {
          if (s == d) continue;
          const std::uint32_t from = index(tree.adapters().terminals(s).front());
          const std::uint32_t to = index(tree.adapters().terminals(d).front());
          const PathList paths = source->paths(s, d);
          ASSERT_EQ(routes.paths(Endpoint{from}, Endpoint{to}), paths.size());
          for (std::uint32_t path = 0; path < paths.size(); ++path) {
            Itinerary route = routes.itinerary(Endpoint{from}, Endpoint{to}, path);
            std::vector<Channel> walked{fabric.terminal_channel(static_cast<Terminal>(from))};
            while (fabric.is_switch(fabric.neighbour(walked.back())) && walked.size() < 20) {
              const std::uint32_t at = index(fabric.as_switch(fabric.neighbour(walked.back())));
              walked.push_back(
                  static_cast<Channel>(routes.output(route, at, net.switch_first[at], to, 0)));
            }
            ASSERT_EQ(walked, std::vector<Channel>(paths[path].begin(), paths[path].end()));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace fatwood::sim
