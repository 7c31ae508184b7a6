// SPDX-License-Identifier: BSD-3-Clause
// Recognition of anything: random trees in any order are found again; a heap of switches, adapters
// and cables in any state is described without a claim that is not true.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "core/random.hpp"
#include "report/fabric/finding_text.hpp"
#include "support/damaged_tree.hpp"
#include "topology/builder.hpp"
#include "topology/generate/tree.hpp"
#include "topology/model.hpp"
#include "topology/recognise/capacity.hpp"

namespace fatwood {
namespace {

RC_GTEST_PROP(RecognitionOfTrees, FindsTheShapeAndEveryPlace, ()) {
  const auto height = *rc::gen::inRange(1U, 4U);
  TreeShape shape{{}, {}, {}};
  for (unsigned l = 0; l < height; ++l) {
    shape.m.push_back(*rc::gen::inRange(2U, 5U));
    shape.w.push_back(l == 0 ? 1U : *rc::gen::inRange(2U, 5U));
    shape.p.push_back(l == 0 ? 1U : *rc::gen::inRange(1U, 4U));
  }
  const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1000);
  const Fabric fabric = test::damaged_tree(make_tree(shape), seed, 0).fabric;
  const Recognition known = Model(fabric).recognition();
  RC_ASSERT(known.map.has_value());
  RC_ASSERT(known.map->shape == shape);
  RC_ASSERT(known.map->complete());
  const Fabric ideal = make_tree(shape);
  for (const Channel c : ids<Channel>(ideal.num_channels())) {
    if (!ideal.connected(c)) continue;
    const auto at = [&](Channel i) {
      return known.map
          ->channel[known.map->first_slot[index(ideal.owner(i))] + index(ideal.port(i))];
    };
    RC_ASSERT(fabric.peer(at(c)) == at(ideal.peer(c)));
  }
}

Fabric heap(std::uint64_t seed) {
  Random random(seed);
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> nodes;
  const std::uint32_t radix = 2 + random.below(12);
  const std::uint32_t switches = 1 + random.below(14);
  const std::uint32_t adapters = random.below(20);
  for (std::uint32_t i = 0; i < switches; ++i) {
    nodes.push_back(builder.add_switch(fmt::format("S{}", i), radix));
  }
  for (std::uint32_t i = 0; i < adapters; ++i) {
    nodes.push_back(builder.add_adapter(fmt::format("H{}", i), 1 + random.below(2)));
  }
  std::vector<std::uint32_t> used(nodes.size());
  const std::uint32_t cables = random.below(60);
  for (std::uint32_t i = 0; i < cables; ++i) {
    const std::uint32_t a = random.below(static_cast<std::uint32_t>(nodes.size()));
    const std::uint32_t b = random.below(static_cast<std::uint32_t>(nodes.size()));
    if (a == b || used[a] == builder.ports(nodes[a]) || used[b] == builder.ports(nodes[b]))
      continue;
    const Rate rate{4, random.below(2) == 0 ? Speed::kHdr : Speed::kEdr};
    builder.connect(nodes[a], static_cast<Port>(++used[a]), nodes[b], static_cast<Port>(++used[b]),
                    rate);
  }
  return builder.build();
}

TEST(RecognitionOfAnything, SaysOnlyWhatIsSo) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const Fabric fabric = heap(seed);
    const Recognition known = Model(fabric).recognition();
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      ASSERT_GE(known.levels.level[s], 1);
      ASSERT_LE(known.levels.level[s], known.levels.height);
    }
    for (const Channel c : known.levels.horizontal) ASSERT_EQ(step(fabric, known.levels, c), 0);
    for (const Channel c : known.levels.skipping) ASSERT_GT(step(fabric, known.levels, c), 1);
    for (const CableGap& gap : known.missing) {
      ASSERT_EQ(gap.there, cables_from(fabric, gap.below, gap.above).size());
      ASSERT_LT(gap.there, gap.usual);
      const FreePorts ports = where_missing(fabric, known.blocks, gap);
      for (const Channel c : ports.below) ASSERT_FALSE(fabric.connected(c));
      for (const Channel c : ports.above) ASSERT_FALSE(fabric.connected(c));
    }
    if (known.map && known.map->trees == 1) {
      std::set<std::uint32_t> places;
      for (const std::uint32_t place : known.map->place) {
        if (place == kNoPlace) continue;
        ASSERT_TRUE(places.insert(place).second);
      }
    }
    for (const ReportedFinding& finding : reported_findings(fabric, known)) {
      ASSERT_FALSE(finding.sentence.empty());
    }
    std::uint64_t switches = 0;
    for (const LevelCapacity& at : capacity(fabric, known.levels).levels) switches += at.switches;
    ASSERT_EQ(switches, fabric.num_switches());
  }
}

}  // namespace
}  // namespace fatwood
