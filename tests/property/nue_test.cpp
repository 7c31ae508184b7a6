// SPDX-License-Identifier: BSD-3-Clause
// nue on random fabrics: whatever is connected is reached, free of deadlock in the lanes given, by
// the verifier and by the slow walker.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "oracle/routes.hpp"
#include "routing/engine.hpp"
#include "support/fabrics.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {
namespace {

RC_GTEST_PROP(Nue, ReachesAllThatIsConnectedWithoutADeadlock, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto switches = *rc::gen::inRange<std::uint32_t>(2, 24);
  const auto lanes = *rc::gen::element(1U, 1U, 2U, 4U, 8U);
  const auto lmc = *rc::gen::weightedElement<unsigned>({{4, 0}, {1, 1}});
  const Fabric fabric = test::random_fabric(seed, switches);
  const Model model(fabric);
  const Routing routing =
      route(find_engine("nue"), model, {.lmc = lmc, .max_lanes = lanes, .threads = 1});
  const Routing minhop = route(find_engine("minhop"), model, {.lmc = lmc, .threads = 1});
  RC_ASSERT(routing.lanes.count <= lanes);
  RC_ASSERT(find_deadlock(fabric, routing, Sources::kAll, 1).free());
  const oracle::RouteFindings found = oracle::look_at_routes(fabric, routing);
  const oracle::RouteFindings possible = oracle::look_at_routes(fabric, minhop);
  RC_ASSERT(found.deadlock_free);
  RC_ASSERT(found.loops == 0U);
  RC_ASSERT(found.missing_terminal == possible.missing_terminal);
  RC_ASSERT(found.missing_switch == possible.missing_switch);
  RC_ASSERT(found.routes == possible.routes);
}

}  // namespace
}  // namespace fatwood
