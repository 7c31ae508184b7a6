// SPDX-License-Identifier: BSD-3-Clause
// On complete trees sftree adds routes to ftree's and changes none to a host: the sub-tree costs
// the hosts nothing ([Bogdanski12], section 4.1). Rack switches joined in pairs and shared cores
// included.

#include <gtest/gtest.h>

#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"

namespace fatwood {
namespace {

TEST(SftreeKeepsFtree, RoutesToHostsOnWholeTrees) {
  for (const char* spec : {"switch648", "switch648+racks", "juropa", "ft(8,3)", "kary(2,4)",
                           "pgft(3;6,6,3;1,6,3;1,1,2)"}) {
    const Fabric fabric = make_fabric(spec);
    const Routing ftree = route(find_engine("ftree"), Model(fabric));
    const Routing sftree = route(find_engine("sftree"), Model(fabric));
    std::size_t changed = 0;
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      const Destination destination = ftree.tables.destination(t);
      for (const Switch s : ids<Switch>(fabric.num_switches())) {
        const Port before = ftree.tables.at(destination, s);
        const Port after = sftree.tables.at(destination, s);
        if (before != kNoRoute && after != before) ++changed;
      }
    }
    EXPECT_EQ(changed, 0U) << spec;
  }
}

}  // namespace
}  // namespace fatwood
