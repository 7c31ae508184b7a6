// SPDX-License-Identifier: BSD-3-Clause
// 1 to 50 faults of each kind in fabrics of every generator and like every real machine: all are
// found, none is invented, and the moves are as few as the faults. FATWOOD_FIRST_SEED=S draws
// others.

#include "tasks/check_cabling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "io/fabric/spec.hpp"
#include "support/cabling_damage.hpp"
#include "support/real_fabrics.hpp"

namespace fatwood {
namespace {

using Kind = CablingFaultKind;
using test::Damage;
using test::Naming;

constexpr Kind kAllKinds[] = {Kind::kMissing,         Kind::kExtra,          Kind::kWrongPort,
                              Kind::kWrongDevice,     Kind::kSwappedCables,  Kind::kExchangedPorts,
                              Kind::kExchangedRails,  Kind::kSwappedDevices, Kind::kDown,
                              Kind::kUnplannedDevice, Kind::kSlow,           Kind::kNarrow};

// One of each family, and the real machines.
std::vector<std::string> fabrics() {
  std::vector<std::string> all{"ft(8,3)",
                               "kary(4,3)",
                               "xgft(2;8,8;1,8)",
                               "pgft(2;8,8;1,4;1,2)",
                               "rlft(6,2)",
                               "switch648",
                               "switch648+racks",
                               "rails(units=4,hosts=8,rails=4,spines=8)",
                               "plan(hosts=32,rails=4,unit=8,radix=40,up=8,spines=8)",
                               "directors(12,12,boxes=1)",
                               "ring(12,terminals=12)",
                               "torus(4,4,4,terminals=32)",
                               "hypercube(5,terminals=20)",
                               "random(16,32,seed=3001)"};
  for (const std::string& name : test::small_lifelike_fabrics()) all.push_back(name);
  return all;
}
std::vector<std::string> large_fabrics() {
  std::vector<std::string> all{"switch3456", "switch3456+racks", "juropa", "ranger", "like-selene"};
  for (const std::string& name : test::here({"selene/selene.compute.txt"})) all.push_back(name);
  return all;
}

TEST(CheckCabling, EveryFamilyIsTested) {
  std::set<std::string> tested;
  for (const auto& list : {fabrics(), large_fabrics()}) {
    for (const std::string& spec : list) tested.insert(spec.substr(0, spec.find('(')));
  }
  // Ethernet ports go by names, which Damage does not move: tests/cli/fabric/ethernet.bats.
  tested.insert("clos");
  for (const Family& family : families()) {
    EXPECT_TRUE(tested.contains(std::string(family.name))) << family.name;
  }
}

struct Outcome {
  std::map<std::string, std::size_t> kinds;
  std::set<std::uint32_t> cables;
  std::size_t moves = 0;
  std::size_t right = 0;
  bool ambiguous = false;  // some devices could as well be others
};

Outcome check(const Plan& plan, const Plan& built) {
  const Model model(planned_fabric(built).fabric);
  const CablingCheck checked = check_cabling(plan, model, {});
  Outcome outcome;
  for (const CablingFault& fault : checked.cabling.faults) {
    ++outcome.kinds[std::string(kind_word(fault.kind))];
    outcome.cables.insert(fault.cables.begin(), fault.cables.end());
    outcome.moves += fault.moves.size();
  }
  outcome.right = checked.all.right;
  outcome.ambiguous = !checked.cabling.match.alternatives.empty();
  return outcome;
}

// Faults that few cables can have are fewer than asked for; a fabric where every other cable is
// wrong is no longer this fabric.
Damage damaged(const Plan& plan, const std::vector<Kind>& kinds, std::size_t count,
               std::uint64_t seed) {
  const char* first = std::getenv("FATWOOD_FIRST_SEED");
  Damage damage(plan, seed + (first == nullptr ? 0 : std::strtoull(first, nullptr, 10)));
  const std::size_t most = std::max<std::size_t>(1, std::min(count, plan.cables.size() / 12));
  for (std::size_t i = 0; i < most; ++i) damage.add(kinds[i % kinds.size()]);
  return damage;
}

void expect_found(const Plan& plan, const Damage& damage, Naming naming, const std::string& what) {
  const Outcome found = check(plan, test::renamed(damage.built().plan, naming, 3));
  EXPECT_EQ(found.kinds, damage.truth().kinds) << what;
  EXPECT_EQ(found.moves, damage.truth().moves) << what;
  // Nameless switches may allow another answer that is as good; then it is said to be ambiguous.
  const bool other = naming == Naming::kHostsOnly && found.ambiguous;
  if (!other) {
    EXPECT_EQ(found.cables, damage.truth().cables) << what;
  }
  EXPECT_EQ(found.cables.size(), damage.truth().cables.size()) << what;
}

std::string described(const std::string& fabric, std::string_view kind, std::size_t count,
                      Naming naming) {
  return fabric + ", " + std::to_string(count) + " of " + std::string(kind) + ", naming " +
         std::to_string(static_cast<int>(naming));
}

void expect_each_kind(const std::string& fabric, const std::vector<std::size_t>& counts,
                      const std::vector<Naming>& namings) {
  const Plan plan = test::plan_for(fabric);
  for (const Kind kind : kAllKinds) {
    for (const std::size_t count : counts) {
      const Damage damage = damaged(plan, {kind}, count, count + 11);
      if (damage.truth().kinds.empty()) continue;
      for (const Naming naming : namings) {
        // Nameless switches have no place of their own to be out of. Those of a ring have too few
        // cables to tell them apart when some are wrong.
        const bool nameless = naming == Naming::kHostsOnly;
        if (nameless && (kind == Kind::kSwappedDevices || fabric.starts_with("ring"))) continue;
        expect_found(plan, damage, naming, described(fabric, kind_word(kind), count, naming));
      }
    }
  }
}

TEST(CheckCabling, EachKindIsFoundInEveryFabric) {
  for (const std::string& fabric : fabrics()) {
    expect_each_kind(fabric, {1, 5, 50}, {Naming::kSame, Naming::kDecorated, Naming::kHostsOnly});
  }
}

TEST(CheckCabling, EachKindIsFoundInLargeFabrics) {
  for (const std::string& fabric : large_fabrics()) {
    expect_each_kind(fabric, {50}, {Naming::kHostsOnly});
  }
}

TEST(CheckCabling, AllKindsTogether) {
  for (const std::string& fabric : fabrics()) {
    const Plan plan = test::plan_for(fabric);
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Damage damage = damaged(plan, {std::begin(kAllKinds), std::end(kAllKinds)}, 50, seed);
      expect_found(plan, damage, Naming::kDecorated,
                   described(fabric, "all", seed, Naming::kDecorated));
    }
  }
}

TEST(CheckCabling, FaultsInAHalfBuiltFabric) {
  for (const std::string& fabric : fabrics()) {
    const Plan plan = test::plan_for(fabric);
    for (const Kind kind : {Kind::kExtra, Kind::kWrongPort, Kind::kWrongDevice, Kind::kSlow,
                            Kind::kSwappedCables, Kind::kUnplannedDevice}) {
      Damage damage(plan, 5);
      damage.power_off_half();
      for (std::size_t i = 0; i < std::min<std::size_t>(5, plan.cables.size() / 48 + 1); ++i) {
        damage.add(kind);
      }
      for (const Naming naming : {Naming::kSame, Naming::kDecorated}) {
        Outcome found = check(plan, test::renamed(damage.built().plan, naming, 4));
        found.kinds.erase("device_down");
        found.kinds.erase("missing_cable");
        EXPECT_EQ(found.kinds, damage.truth().kinds)
            << described(fabric, kind_word(kind), 5, naming);
        EXPECT_EQ(found.moves, damage.truth().moves);
      }
    }
  }
}

// Without any name another matching may be as good or better, never worse.
TEST(CheckCabling, WithoutNames) {
  for (const std::string& fabric : fabrics()) {
    if (fabric.starts_with("ring")) continue;
    const Plan plan = test::plan_for(fabric);
    for (const Kind kind : {Kind::kMissing, Kind::kExtra, Kind::kWrongPort, Kind::kWrongDevice,
                            Kind::kSwappedCables, Kind::kDown}) {
      const Damage damage = damaged(plan, {kind}, 5, 7);
      const Outcome found = check(plan, test::renamed(damage.built().plan, Naming::kNone, 4));
      const std::string what = described(fabric, kind_word(kind), 5, Naming::kNone);
      EXPECT_LE(found.moves, damage.truth().moves) << what;
      EXPECT_GE(found.right + damage.truth().cables.size(), plan.cables.size()) << what;
    }
  }
}

// --- what a run says of cables ---
// A plan with parts and lengths, as built, and the run that looks at it.
struct Examined {
  Plan plan;
  PlannedFabric built;
  RunData run, earlier;

  explicit Examined(Plan planned) : plan(std::move(planned)), built(planned_fabric(plan)) {
    run.cables.resize(built.fabric.num_channels());
    for (RunData* each : {&run, &earlier}) {
      each->counters.names = {"LinkDownedCounter"};
      for (const Channel c : ids<Channel>(built.fabric.num_channels())) {
        each->counters.row.push_back(index(c));
        each->counters.values.push_back(3);
      }
    }
    for (std::uint32_t k = 0; k < plan.cables.size(); ++k) {
      plan.cables[k].type = k % 2 == 0 ? "MFS1S00-H010" : "DAC";
      plan.cables[k].length_m = k % 2 == 0 ? 10 : 0.5;
      for (const Channel c : {built.cables[k].first, built.cables[k].second}) {
        run.cables[c] = k % 2 == 0 ? CableFacts{"mfs1s00-h010e", "850 nm VCSEL", 10}
                                   : CableFacts{"MCP1650-H00AE30", "Copper cable- unequalized", 1};
      }
    }
  }
  std::map<std::uint32_t, std::string> faults(Kind kind) const {
    const Model model(planned_fabric(plan).fabric);
    const Model before(planned_fabric(plan).fabric);
    const EarlierRun then{before, earlier};
    std::map<std::uint32_t, std::string> result;
    for (const CablingFault& fault : check_cabling(plan, model, run, &then).cabling.faults) {
      EXPECT_EQ(fault.kind, kind) << fault.detail;
      result[fault.cables.at(0)] = fault.detail;
    }
    return result;
  }
};

TEST(CheckCabling, PartsAndLengthsAreComparedWithTheMemoriesOfCables) {
  Examined one(test::plan_for("rails(units=2,hosts=4,rails=2,spines=4)"));
  EXPECT_TRUE(one.faults(Kind::kWrongPart).empty());
  // One end is enough; the other says nothing.
  one.run.cables[one.built.cables[4].first] = {"MFS1S00-H030E", "850 nm VCSEL", 10};
  one.run.cables[one.built.cables[4].second] = {};
  one.run.cables[one.built.cables[7].second] = {"MMA4Z00", "850 nm VCSEL", 0};
  EXPECT_EQ(one.faults(Kind::kWrongPart),
            (std::map<std::uint32_t, std::string>{{4, "MFS1S00-H030E instead of MFS1S00-H010"},
                                                  {7, "MMA4Z00, 850 nm VCSEL instead of DAC"}}));
  Examined two(one.plan);
  two.run.cables[two.built.cables[3].first].length_m = 2;
  two.run.cables[two.built.cables[6].second].length_m = 15;
  EXPECT_EQ(two.faults(Kind::kWrongLength),
            (std::map<std::uint32_t, std::string>{{3, "2 m instead of 0.5 m"},
                                                  {6, "15 m instead of 10 m"}}));
}

TEST(CheckCabling, LinksThatWentDownBetweenTwoRunsFlap) {
  Examined one(test::plan_for("rails(units=2,hosts=4,rails=2,spines=4)"));
  const auto set = [&](RunData& run, Channel c, std::uint64_t value) {
    run.counters.values[index(c)] = value;
  };
  set(one.run, one.built.cables[2].first, 4);
  set(one.run, one.built.cables[5].second, 10);
  set(one.run, one.built.cables[8].first, 2);              // cleared, then down twice
  set(one.run, one.built.cables[9].first, 0);              // cleared
  set(one.earlier, one.built.cables[10].first, kNoCount);  // not told
  EXPECT_EQ(one.faults(Kind::kFlapping),
            (std::map<std::uint32_t, std::string>{{2, "down once since the earlier run"},
                                                  {5, "down 7 times since the earlier run"},
                                                  {8, "down 2 times since the earlier run"}}));
}

}  // namespace
}  // namespace fatwood
