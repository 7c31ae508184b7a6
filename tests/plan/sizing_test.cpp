// SPDX-License-Identifier: BSD-3-Clause
// Sizes of fabrics against configurations that their builders published, and against the laws of
// trees for sizes that nobody published.

#include "plan/sizing/sizing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "io/fabric/spec.hpp"
#include "plan/model/plan_counts.hpp"
#include "plan/model/plan_fabric.hpp"
#include "plan/sizing/bill.hpp"
#include "plan/sizing/layout.hpp"
#include "topology/levels/levels.hpp"
#include "topology/model.hpp"

namespace fatwood {
namespace {

SwitchModel plain(std::uint32_t ports, std::uint32_t speed) {
  return {std::to_string(ports) + "-port", ports, speed, 2, 1, 0, 1};
}
std::vector<SwitchKit> kit(std::uint32_t ports, std::uint32_t speed, std::uint32_t split = 1) {
  return {{plain(ports, speed * split), plain(ports, speed * split), split}};
}
std::vector<SwitchKit> under_directors(std::uint32_t ports, std::uint32_t speed,
                                       std::uint32_t split, std::uint32_t director,
                                       std::uint32_t chips) {
  SwitchModel spine{"director", director, speed * split, 1, 1, chips, 29};
  return {{plain(ports, speed * split), spine, split}};
}

struct Published {
  const char* name;
  SizingOptions options;
  const char* alternative;
  std::vector<std::uint64_t> switches;  // by level; one number: in all
  std::vector<std::uint64_t> cables;    // between levels, from the hosts
  std::uint32_t links_per_cable = 1;
};

// Published configurations; 16 to 20 have tests of their own.
std::vector<Published> published() {
  const auto rails8 = [](std::uint32_t hosts, std::uint32_t unit, std::uint32_t radix,
                         std::uint32_t speed) {
    SizingOptions o;
    o.hosts = hosts;
    o.rails = 8;
    o.planes = 1;
    o.speed = speed;
    o.unit = unit;
    o.kits = kit(radix, speed);
    return o;
  };
  const auto h100 = [&](std::uint32_t hosts) {
    SizingOptions o = rails8(hosts, 32, 64, 400);
    o.management = 4;  // UFM takes the place of a host, with four links
    return o;
  };
  const auto single = [](std::uint32_t hosts, std::vector<SwitchKit> kits, std::uint32_t speed) {
    SizingOptions o;
    o.hosts = hosts;
    o.speed = speed;
    o.kits = std::move(kits);
    return o;
  };
  SizingOptions ethernet = rails8(64, 64, 128, 400);
  ethernet.ports = 2;
  ethernet.planes = 2;
  SizingOptions deepseek = rails8(2048, 0, 64, 400);
  deepseek.planes = 8;
  SizingOptions frontera = single(8008, under_directors(40, 100, 2, 800, 40), 100);
  frontera.unit = 88;
  frontera.ratios = {{22, 18}};
  SizingOptions narval = single(1181, kit(40, 100, 2), 100);
  narval.ratios = {{33, 7}};
  SizingOptions meta = single(24576, under_directors(64, 400, 1, 576, 48), 400);
  meta.unit = 16;
  meta.pod = 16 * 192;
  meta.ratios = {{1, 1}, {7, 1}};
  SizingOptions alibaba = rails8(1920, 128, 128, 200);
  alibaba.kits = kit(128, 200, 2);
  alibaba.ports = 2;
  alibaba.planes = 2;
  alibaba.ratios = {{64, 60}};
  return {
      {"1: H100, 1 unit", h100(31), "two levels", {8, 4}, {252, 256}},
      {"2: 2 units", h100(63), "two levels", {16, 8}, {508, 512}},
      {"3: 3 units", h100(95), "two levels", {24, 16}, {764, 768}},
      {"4: 4 units", h100(127), "two levels", {32, 16}, {1020, 1024}},
      {"5: B200, 8 units", rails8(256, 32, 64, 400), "two levels", {64, 32}, {2048, 2048}},
      {"6: 16 units",
       rails8(512, 32, 64, 400),
       "three levels, pods",
       {128, 128, 64},
       {4096, 4096, 4096}},
      {"7: 64 units",
       rails8(2048, 32, 64, 400),
       "three levels, pods",
       {512, 512, 256},
       {16384, 16384, 16384}},
      {"8: B300 XDR, 1 unit", rails8(72, 72, 144, 800), "two levels", {8, 4}, {576, 576}},
      {"9: 4 units", rails8(288, 72, 144, 800), "two levels", {32, 18}, {2304, 2304}},
      {"10: 18 units", rails8(1296, 72, 144, 800), "two levels", {144, 72}, {10368, 10368}},
      {"11: B300 Ethernet, two planes", ethernet, "2 planes, two levels", {16, 8}, {512, 512}, 2},
      {"12: MPFT", deepseek, "8 planes, two levels", {768}, {16384, 16384}},
      {"13: FT3",
       single(65536, kit(64, 400), 400),
       "three levels, pods",
       {5120},
       {65536, 65536, 65536}},
      {"14: Frontera", frontera, "two levels", {182, 6}, {4004, 3276}},
      {"15: Narval", narval, "two levels", {18, 7}, {591, 126}},
      {"21: rlft(18,3,6)",
       single(1944, kit(36, 40), 40),
       "three levels, pods",
       {108, 108, 54},
       {1944, 1944, 1944}},
      {"22: 648-port director", single(648, kit(36, 40), 40), "two levels", {36, 18}, {648, 648}},
      {"23: Meta, 1536 leaves", meta, "three levels, pods", {1536, 64, 8}, {24576, 24576, 3520}},
      {"24: HPN", alibaba, "2 planes, two levels", {240, 120}, {15360, 14400}},
      {"Selene, 4 pods of 7 units",
       [&] {
         SizingOptions o = rails8(560, 20, 40, 200);
         o.pod = 140;
         return o;
       }(),
       "three levels, rail pods",
       {224, 320, 140},
       {4480, 4480, 4480}},
  };
}

const Alternative* find(const std::vector<Alternative>& list, std::string_view name) {
  const auto at = std::ranges::find(list, name, &Alternative::name);
  return at == list.end() ? nullptr : &*at;
}

TEST(Sizing, PublishedConfigurations) {
  for (const Published& row : published()) {
    SCOPED_TRACE(row.name);
    const std::vector<Alternative> list = size_fabric(row.options);
    const Alternative* chosen = find(list, row.alternative);
    ASSERT_NE(chosen, nullptr);
    const PlanCounts counts = count_design(chosen->design, row.links_per_cable);
    std::vector<std::uint64_t> switches, cables;
    for (const LevelCounts& level : counts.levels) {
      switches.push_back(level.switches);
      cables.push_back(level.cables);
    }
    if (row.switches.size() == 1) switches = {counts.switches()};
    EXPECT_EQ(switches, row.switches);
    EXPECT_EQ(cables, row.cables);
    EXPECT_EQ(switches_of(chosen->design), counts.switches());
  }
}

// Racks of two leaves and one spine, eight up-links a leaf.
SizingOptions oracle(std::uint32_t hosts, std::uint32_t unit) {
  SizingOptions o;
  o.hosts = hosts;
  o.rails = 2;
  o.planes = 1;
  o.speed = 40;
  o.unit = unit;
  o.unit_spine = true;
  o.ratios = {{unit, 8}};
  o.kits = kit(36, 40);
  return o;
}

// Rows 16 to 19, by length: adjacent racks in a row, 3 m inside of a rack, 5 m to the next two.
TEST(Sizing, OracleRacks) {
  LayoutRules rules;
  rules.by_distance = {{0, 3}, {2, 5}, {99, 10}};
  rules.hosts_per_rack = 8;
  rules.spines_with_units = true;
  const std::vector<std::vector<std::uint64_t>> expected{
      {2, 16, 16, 0}, {3, 18, 30, 0}, {4, 16, 40, 8}, {8, 16, 52, 60}};
  for (const auto& row : expected) {
    const auto racks = static_cast<std::uint32_t>(row[0]);
    const std::vector<Alternative> list = size_fabric(oracle(8 * racks, 8));
    const Alternative* chosen = find(list, "two levels, a spine a unit");
    ASSERT_NE(chosen, nullptr);
    Plan plan = make_plan(chosen->design);
    const PlanCounts counts = count_design(chosen->design);
    EXPECT_EQ(counts.levels[0].switches, 2 * racks);
    EXPECT_EQ(counts.levels[1].switches, racks);
    lay_out(plan, rules, default_cables());
    std::map<double, std::uint64_t> by_length;
    for (const PlanCable& cable : plan.cables) {
      if (plan.device(cable.b).role == "spine") ++by_length[cable.length_m];
    }
    EXPECT_EQ((std::vector<std::uint64_t>{by_length[3], by_length[5], by_length[10]}),
              std::vector<std::uint64_t>(row.begin() + 1, row.end()));
  }
}

// Row 20: one rack alone, its leaves joined by seven cables and with one each to the spine.
TEST(Sizing, OracleRackAlone) {
  const std::vector<Alternative> list = size_fabric(oracle(18, 18));
  const Alternative* chosen = find(list, "two levels, leaves joined");
  ASSERT_NE(chosen, nullptr);
  const PlanCounts counts = count_design(chosen->design);
  EXPECT_EQ(counts.levels[0].switches, 2U);
  EXPECT_EQ(counts.levels[1].switches, 1U);
  EXPECT_EQ(counts.levels[0].joined, 7U);
  EXPECT_EQ(counts.cables(), 45U);
  EXPECT_EQ(counts.bisection_gbps, 8 * 40);
}

// Counts of a design and the bill of its plan, which are made separately.
TEST(Sizing, TheBillHasAllCables) {
  for (const std::uint32_t split : {1U, 2U}) {
    for (const std::uint32_t links_per_cable : {1U, 2U}) {
      SizingOptions o;
      o.hosts = 31;
      o.rails = 3;
      o.speed = 100;
      o.unit = 7;
      o.storage = 4;
      o.management = 2;
      o.kits = kit(24, 100, split);
      for (const Alternative& one : size_fabric(o)) {
        Plan plan = make_plan(one.design);
        LayoutRules rules;
        rules.host_splitters = split > 1;
        lay_out_lengths(plan, rules, default_cables());
        std::uint64_t bought = 0;
        for (const BillLine& line : bill_of(plan, {split > 1, links_per_cable})) {
          if (line.kind == BillLine::Kind::kCable) bought += line.count;
        }
        EXPECT_EQ(bought, count_design(one.design, links_per_cable).cables())
            << formula(one.design) << " " << links_per_cable;
      }
    }
  }
}

// Levels as the recognition finds them in the fabric agree with what the plan says.
TEST(Sizing, FabricHasTheLevelsOfThePlan) {
  for (const std::uint32_t hosts : {3U, 17U, 24U, 31U, 72U, 100U}) {
    for (const std::uint32_t rails : {1U, 2U, 4U}) {
      SizingOptions o;
      o.hosts = hosts;
      o.rails = rails;
      o.kits = kit(12, 200);
      o.growth = hosts / 3;
      for (const Alternative& one : size_fabric(o)) {
        SCOPED_TRACE(one.name + " " + formula(one.design));
        if (one.design.planes > 1) continue;  // separate fabrics: levels are found for one
        const PlanCounts counts = count_design(one.design);
        const Model model(make_fabric(formula(one.design)));
        EXPECT_EQ(counts.end_ports, hosts * rails);
        EXPECT_EQ(model.fabric().num_terminals(), hosts * rails);
        EXPECT_EQ(model.fabric().num_switches(), counts.switches());
        EXPECT_EQ(model.fabric().num_cables(), counts.cables());
        EXPECT_EQ(model.components().count, 1U);
        std::vector<std::uint64_t> found(one.design.levels());
        for (const Switch s : ids<Switch>(model.fabric().num_switches())) {
          ++found.at(static_cast<std::size_t>(model.levels().level[s]) - 1);
        }
        for (std::size_t l = 0; l < found.size(); ++l) {
          EXPECT_EQ(found[l], counts.levels[l].switches);
        }
      }
    }
  }
}

// No switch of a non-blocking alternative has more down than up, counted in its cables.
TEST(Sizing, NonBlockingWhereAsked) {
  for (const std::uint32_t hosts : {5U, 40U, 333U, 700U}) {
    SizingOptions o;
    o.hosts = hosts;
    o.kits = kit(16, 200);
    for (const Alternative& one : size_fabric(o)) {
      const PlanCounts counts = count_design(one.design);
      for (std::size_t l = 1; l < counts.levels.size(); ++l) {
        EXPECT_GE(counts.levels[l].links, counts.levels[l - 1].links) << one.name << hosts;
      }
      EXPECT_EQ(counts.bisection_gbps, 200.0 * hosts / 2);
    }
  }
}

// 50 leaves of 20 hosts: three pods of 18 leaves have 18 up-links a spine, which divide over two
// cores; of 17 leaves only over 17.
TEST(Sizing, PodsAreAsLargeAsDividesWell) {
  SizingOptions o;
  o.hosts = 1000;
  o.kits = kit(40, 200);
  const std::vector<Alternative> list = size_fabric(o);
  const Alternative* chosen = find(list, "three levels, pods");
  ASSERT_NE(chosen, nullptr);
  EXPECT_EQ(chosen->design.pod_units, 18U);
  EXPECT_EQ(switches_of(chosen->design), 150U);
}

// No alternative needs more than twice the switches of another; the smallest stays.
TEST(Sizing, LeavesOutWhatNobodyWouldBuild) {
  for (const std::uint32_t hosts : {20U, 40U, 90U, 300U, 1000U, 2000U}) {
    for (const std::uint32_t rails : {1U, 2U}) {
      SizingOptions o;
      o.hosts = hosts;
      o.rails = rails;
      o.kits = kit(40, 200);
      const std::vector<Alternative> list = size_fabric(o);
      ASSERT_FALSE(list.empty());
      for (const Alternative& one : list) {
        for (const Alternative& other : list) {
          if (one.design.levels() == 1 || other.design.levels() == 1) continue;
          if (one.design.planes != other.design.planes) continue;
          if (one.design.packed != other.design.packed) continue;
          EXPECT_LE(switches_of(one.design), 2 * switches_of(other.design)) << hosts << one.name;
        }
      }
    }
  }
}

TEST(Sizing, LeastDivisor) {
  EXPECT_EQ(least_divisor(32, 12), 16U);
  EXPECT_EQ(least_divisor(72, 16), 18U);
  EXPECT_EQ(least_divisor(7, 2), 7U);
  EXPECT_EQ(least_divisor(8, 0), 1U);
  EXPECT_EQ(least_divisor(8, 9), 0U);
}

TEST(Sizing, WrongDesignsSayWhatIsWrong) {
  const auto fault = [](const std::string& keys) {
    try {
      make_fabric("plan(" + keys + ")");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  for (const auto& [keys, expected] :
       {std::pair{"hosts=0", "hosts=0"},
        {"hosts=4000000000", "1000000 at most"},
        {"hosts=4,room=4000000000", "room="},
        {"hosts=4,unit=2,up=2,spines=2,room=900000,rails=64", "leaves at most"},
        {"hosts=4,unit=4,speed=123", "123"},
        {"hosts=4,unit=4,split=9", "split=9"},
        {"hosts=4,unit=2", "one level"},
        {"hosts=4,unit=2,up=2,spines=3", "spines=3"},
        {"hosts=40,unit=40,radix=36,up=1,spines=1", "a leaf needs 41 ports"},
        {"hosts=80,unit=2,radix=4,up=2,spines=2", "a spine needs 40 ports"},
        {"hosts=4,unit=2,up=2,spines=2,pod_units=1", "meet at cores"},
        {"hosts=4,unit=2,up=2,spines=2,pod_units=1,spine_up=1,cores=2", "cores=2"},
        {"hosts=4,rails=3,planes=2", "planes"},
        {"hosts=4,unit=2,radix=300,up=2,spines=2", "300 ports"},
        {"hosts=4,unit=2,up=2,spines=2,spine_radix=900,spine_chips=40", "800 at most"},
        {"hosts=4,unit=2,up=2,spines=2,joined=1", "in pairs"},
        {"hosts=4,unit=2,up=2,spines=1,own_spines=1", "own_spines"},
        {"hosts=4,flowers=2", "flowers"}}) {
    EXPECT_NE(fault(keys).find(expected), std::string::npos) << keys << ": " << fault(keys);
  }
}

TEST(Sizing, TooLarge) {
  SizingOptions o;
  o.hosts = 100000;
  o.kits = kit(36, 100);
  EXPECT_THROW(size_fabric(o), InputError);
}

}  // namespace
}  // namespace fatwood
