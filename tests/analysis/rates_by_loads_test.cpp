// SPDX-License-Identifier: BSD-3-Clause
// What loads alone decide about rates is what the paths say.

#include "analysis/rates/rates_by_loads.hpp"

#include <gtest/gtest.h>

#include "analysis/rates/bottleneck.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "topology/change/faults.hpp"

namespace fatwood {
namespace {

TEST(RatesByLoads, AreThoseOfThePaths) {
  std::size_t decided = 0, open = 0;
  for (const char* spec : {"ft(4,3)", "rlft(3,3)", "xgft(3;3,2,4;1,2,3)", "ft(8,2)", "ring(5)"}) {
    const Fabric whole = make_fabric(spec);
    const Model before(whole);
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const std::vector<FaultRequest> cuts = {{FaultKind::kCut, seed < 3 ? "1" : "3", {}}};
      const Model model(
          with_faults(whole, find_faults(whole, cuts, {seed, Connection::kMayBreak})));
      for (const char* engine : {"minhop", "updn+", "nue"}) {
        SCOPED_TRACE(testing::Message() << spec << " " << engine << " " << seed);
        // Tables of the whole fabric lose pairs on the other; so do some engines.
        for (const Model* of : {&before, &model}) {
          if (of->fabric().num_terminals() != model.fabric().num_terminals()) continue;
          const Routing routing = route(find_engine(engine), *of);
          const ChannelUse use = find_channel_use(model, routing);
          const auto rates = rates_by_loads(model, use);
          ++(rates ? decided : open);
          if (!rates) continue;
          const BottleneckRates expected = bottleneck_rates(model, routing, use);
          EXPECT_EQ(rates->pairs, expected.pairs);
          EXPECT_EQ(rates->worst, expected.worst);
          EXPECT_EQ(rates->p1, expected.p1);
          EXPECT_EQ(rates->median, expected.median);
        }
      }
    }
  }
  EXPECT_GT(decided, 20U);
  EXPECT_GT(open, 0U);
}

}  // namespace
}  // namespace fatwood
