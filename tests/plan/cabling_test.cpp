// SPDX-License-Identifier: BSD-3-Clause
// Which node of a plan is which of the fabric, and faults of many cables that are one. Faults of
// each kind in every fabric: tests/tasks/check_cabling_test.cpp.

#include "plan/match/cabling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "core/random.hpp"
#include "plan/match/assignment.hpp"
#include "plan/model/plan_fabric.hpp"
#include "support/cabling_damage.hpp"

namespace fatwood {
namespace {

using Kind = CablingFaultKind;
using test::Naming;
using test::plan_for;
using test::renamed;

Cabling checked(const Plan& plan, const Plan& found) {
  // A node's name is what discovery calls its description.
  const Model model(planned_fabric(found).fabric);
  return check_cables(plan, planned_fabric(plan), found_side(model));
}

std::map<std::string, std::size_t> kinds_of(const Cabling& cabling) {
  std::map<std::string, std::size_t> kinds;
  for (const CablingFault& fault : cabling.faults) ++kinds[std::string(kind_word(fault.kind))];
  return kinds;
}
std::size_t moves_of(const Cabling& cabling) {
  std::size_t moves = 0;
  for (const CablingFault& fault : cabling.faults) moves += fault.moves.size();
  return moves;
}
const std::vector<std::string>& specs() {
  static const std::vector<std::string> all{
      "ft(8,3)",      "rails(units=2,hosts=8,rails=4,spines=4)",
      "like-x5",      "pgft(2;8,8;1,4;1,2)",
      "torus(4,4,4)", "random(16,32,seed=3001)",
      "switch648"};
  return all;
}

TEST(Cabling, APlanIsLikeItself) {
  for (const std::string& spec : specs()) {
    const Plan plan = plan_for(spec);
    for (const Naming naming : {Naming::kSame, Naming::kDecorated, Naming::kHostsOnly}) {
      const Cabling cabling = checked(plan, renamed(plan, naming, 7));
      EXPECT_TRUE(cabling.faults.empty()) << spec << " " << static_cast<int>(naming);
      EXPECT_TRUE(std::ranges::all_of(cabling.state, [](CableState state) {
        return state == CableState::kRight;
      })) << spec;
    }
  }
}

TEST(Cabling, WithoutNamesEveryCableIsStillFound) {
  for (const std::string& spec : specs()) {
    const Plan plan = plan_for(spec);
    const Cabling cabling = checked(plan, renamed(plan, Naming::kNone, 5));
    EXPECT_TRUE(cabling.faults.empty()) << spec << " " << cabling.faults.size();
  }
}

// Exchanges what stands in two places: the names, as seen by the plan.
void exchange_names(Plan& plan, std::uint32_t a, std::uint32_t b) {
  std::swap(plan.devices[a].name, plan.devices[b].name);
}
std::uint32_t device_called(const Plan& plan, std::string_view name) {
  const auto at = std::ranges::find(plan.devices, name, &PlanDevice::name);
  EXPECT_NE(at, plan.devices.end());
  return static_cast<std::uint32_t>(at - plan.devices.begin());
}

TEST(Cabling, TwoSwitchesExchangedAreOneFault) {
  const Plan plan = plan_for("ft(8,3)");
  Plan found = plan;
  exchange_names(found, device_called(found, "S1_0"), device_called(found, "S1_5"));
  const Cabling cabling = checked(plan, renamed(found, Naming::kSame, 1));
  ASSERT_EQ(cabling.faults.size(), 1U);
  EXPECT_EQ(cabling.faults[0].kind, Kind::kSwappedDevices);
  EXPECT_EQ(cabling.faults[0].cables.size(), 16U);
}

TEST(Cabling, TwoHostsOfManyRailsExchangedAreOneFault) {
  const Plan plan = plan_for("rails(units=2,hosts=8,rails=4,spines=4)");
  Plan found = plan;
  std::vector<std::uint32_t> hosts;
  for (std::uint32_t d = 0; d < plan.devices.size(); ++d) {
    if (plan.devices[d].is_host()) hosts.push_back(d);
  }
  exchange_names(found, hosts[1], hosts[10]);
  const Cabling cabling = checked(plan, renamed(found, Naming::kSame, 1));
  EXPECT_EQ(kinds_of(cabling), (std::map<std::string, std::size_t>{{"swapped_devices", 1}}));
}

TEST(Cabling, RailsOfAHostExchanged) {
  const Plan plan = plan_for("rails(units=2,hosts=8,rails=4,spines=4)");
  Plan found = plan;
  std::vector<PlanEnd*> ends;
  for (PlanCable& cable : found.cables) {
    for (PlanEnd* end : {&cable.a, &cable.b}) {
      if (found.device(*end).is_host() && end->device == found.cables[0].a.device) {
        ends.push_back(end);
      }
    }
  }
  ASSERT_GE(ends.size(), 2U);
  std::swap(*ends[0], *ends[1]);
  const Cabling cabling = checked(plan, renamed(found, Naming::kSame, 1));
  EXPECT_EQ(kinds_of(cabling), (std::map<std::string, std::size_t>{{"exchanged_rails", 1}}));
  EXPECT_EQ(moves_of(cabling), 2U);
}

TEST(Cabling, TwoRacksSwappedAreOneFault) {
  Plan plan = plan_for("pgft(2;8,8;1,4;1,2)");
  std::map<std::uint32_t, std::string> rack;  // by leaf
  for (PlanCable& cable : plan.cables) {
    PlanEnd& host = plan.device(cable.a).is_host() ? cable.a : cable.b;
    PlanEnd& leaf = plan.device(cable.a).is_host() ? cable.b : cable.a;
    if (!plan.device(host).is_host()) continue;
    plan.devices[host.device].rack = plan.devices[leaf.device].rack =
        "R" + std::to_string(leaf.device);
  }
  Plan found = plan;
  // Hosts of the first rack change places with those of the last.
  std::map<std::string, std::vector<std::uint32_t>> hosts;
  for (std::uint32_t d = 0; d < plan.devices.size(); ++d) {
    if (plan.devices[d].is_host()) hosts[plan.devices[d].rack].push_back(d);
  }
  const std::vector<std::uint32_t>& first = hosts.begin()->second;
  const std::vector<std::uint32_t>& last = hosts.rbegin()->second;
  for (std::size_t i = 0; i < first.size(); ++i) exchange_names(found, first[i], last[i]);
  const Cabling cabling = checked(plan, renamed(found, Naming::kSame, 2));
  ASSERT_EQ(cabling.faults.size(), 1U);
  EXPECT_EQ(cabling.faults[0].kind, Kind::kSwappedRacks);
  EXPECT_EQ(cabling.faults[0].cables.size(), 16U);
}

// Two leaves with the same hosts' ports and no names: which is which can't be known.
TEST(Cabling, WhatIsAmbiguousIsSaidToBe) {
  Plan plan;
  for (const std::string name : {"a", "b", "c", "d"}) {
    plan.devices.push_back({name, NodeKind::kSwitch, "", "", 0, "", {{"", 4, 0}}, {}});
  }
  // Two equal pairs.
  plan.cables.push_back({{0, 0, 1, "1"}, {1, 0, 2, "2"}, "", "", 0, {}, 0});
  plan.cables.push_back({{2, 0, 1, "1"}, {3, 0, 2, "2"}, "", "", 0, {}, 0});
  const Cabling cabling = checked(plan, renamed(plan, Naming::kNone, 3));
  EXPECT_TRUE(cabling.faults.empty());
  EXPECT_FALSE(cabling.match.alternatives.empty());
}

TEST(Assignment, IsTheBestOfAll) {
  Random random(3);
  for (int round = 0; round < 60; ++round) {
    const std::size_t rows = 1 + random.below(5), columns = 1 + random.below(5);
    std::vector<std::vector<std::int64_t>> scores(rows, std::vector<std::int64_t>(columns));
    for (auto& row : scores) {
      for (auto& score : row) score = random.below(5);
    }
    const std::vector<std::size_t> chosen = best_assignment(scores);
    std::int64_t sum = 0;
    std::set<std::size_t> used;
    for (std::size_t i = 0; i < rows; ++i) {
      if (chosen[i] == kUnassigned) continue;
      EXPECT_TRUE(used.insert(chosen[i]).second);
      sum += scores[i][chosen[i]];
    }
    // Every injective choice, by permutations of columns and blanks.
    std::vector<std::size_t> order(columns + rows);
    std::iota(order.begin(), order.end(), 0U);
    std::int64_t best = 0;
    const std::function<void(std::size_t, std::int64_t, std::set<std::size_t>)> go =
        [&](std::size_t row, std::int64_t total, const std::set<std::size_t>& taken) {
          best = std::max(best, total);
          if (row == rows) return;
          go(row + 1, total, taken);
          for (std::size_t j = 0; j < columns; ++j) {
            if (taken.contains(j)) continue;
            std::set<std::size_t> more = taken;
            more.insert(j);
            go(row + 1, total + scores[row][j], more);
          }
        };
    go(0, 0, {});
    EXPECT_EQ(sum, best);
  }
}

}  // namespace
}  // namespace fatwood
