// SPDX-License-Identifier: BSD-3-Clause
// The engine that check takes: the recommended one, unless a count of its steps says that it takes
// too long. Counts only, so the fabrics may be large.

#include "tasks/quick_engine.hpp"

#include <gtest/gtest.h>

#include "io/fabric/spec.hpp"
#include "tasks/recommend.hpp"

namespace fatwood {
namespace {

struct Chosen {
  std::string name, instead_of;
  friend bool operator==(const Chosen&, const Chosen&) = default;
};

Chosen chosen(const std::string& formula) {
  const QuickEngine found = quick_engine(Model(make_fabric(formula)));
  return {std::string(found.name), std::string(found.instead_of)};
}

TEST(QuickEngine, TheRecommendedOneWhereItIsQuickEnough) {
  for (const char* formula : {"ft(4,2)", "ft(36,2)", "xgft(3;18,18,31;1,18,18)", "ring(5)",
                              "torus(4,4)", "random(20,50)", "switch648"}) {
    const Model model(make_fabric(formula));
    const QuickEngine found = quick_engine(model);
    EXPECT_EQ(found.name, default_engine(model)) << formula;
    EXPECT_EQ(found.instead_of, "") << formula;
  }
}

TEST(QuickEngine, SftreeOnTreesWithMoreEntriesThanEvenLooksAtInTime) {
  EXPECT_EQ(chosen("kary(10,4)"), (Chosen{"sftree", "even"}));
  EXPECT_EQ(chosen("directors(556,18,boxes=16)"), (Chosen{"sftree", "even"}));
}

TEST(QuickEngine, AnUpDownEngineWhereNothingElseIsQuickEnough) {
  for (const char* formula :
       {"torus(10,10,10,terminals=10000)", "random(2500,10000,terminals=10000)",
        "ring(1000,terminals=10000)", "hypercube(10,terminals=10000)"}) {
    const Chosen found = chosen(formula);
    EXPECT_TRUE(found.name.starts_with("updn")) << formula << ": " << found.name;
    EXPECT_EQ(found.instead_of, "nue") << formula;
  }
}

// The limit grows with the hosts beyond 10,000; below, it is the same for all.
TEST(QuickEngine, MoreHostsMayTakeMoreTime) {
  EXPECT_EQ(chosen("ft(48,3)").instead_of, "");  // 27,648 hosts
  EXPECT_EQ(chosen("torus(7,7,7)").instead_of, "nue");
}

}  // namespace
}  // namespace fatwood
