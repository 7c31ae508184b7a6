// ftree: shifts without conflicts, legal shortest routes, addresses spread over paths.

#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"
#include "oracle/routes.hpp"
#include "oracle/shifts.hpp"
#include "routing/engine.hpp"
#include "support/damaged_tree.hpp"
#include "topology/spec.hpp"

namespace fatwood {
namespace {

TEST(Ftree, ShiftsOfCompleteRlftsAreFreeOfConflicts) {
  for (const char* spec :
       {"ft(4,2)", "ft(8,2)", "ft(4,3)", "ft(6,3)", "ft(4,4)", "pgft(2;4,4;1,2;1,2)",
        "pgft(3;6,6,4;1,6,2;1,1,3)", "pgft(3;4,2,4;1,2,2;1,2,2)", "pgft(3;6,3,4;1,3,2;1,2,3)"}) {
    const Fabric fabric = make_fabric(spec);
    for (const char* engine : {"ftree", "sftree"}) {
      EXPECT_EQ(oracle::worst_shift(fabric, route(find_engine(engine), fabric)), 1U)
          << spec << ' ' << engine;
    }
  }
}

}  // namespace
}  // namespace fatwood
