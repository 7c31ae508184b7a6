// SPDX-License-Identifier: BSD-3-Clause
// Figures of designs, the check of plans, and growth.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "plan/model/plan_fabric.hpp"
#include "plan/task/check_plan.hpp"
#include "plan/task/grow_plan.hpp"
#include "plan/task/plan.hpp"

namespace fatwood {
namespace {

Design two_levels(std::uint32_t hosts, std::uint32_t spines) {
  Design d;
  d.hosts = hosts;
  d.unit = 8;
  d.radix = 16;
  d.up = 8;
  d.spines = spines;
  return d;
}

TEST(PlanFigures, NonBlockingGivesThePort) {
  const PlanFigures figures = plan_figures(two_levels(32, 4), {});
  EXPECT_EQ(figures.intact.port_gbps, 200);
  EXPECT_EQ(figures.intact.worst_gbps, 200);
  ASSERT_EQ(figures.losses.size(), 2U);
  // Eight hosts of 32 are gone with their leaf; the others have what they had.
  EXPECT_EQ(figures.losses[0].role, "leaf");
  EXPECT_EQ(figures.losses[0].pairs_lost, 32U * 31 - 24U * 23);
  EXPECT_EQ(figures.losses[0].rates().worst_gbps, 200);
  // Without a spine of four a leaf has 6 up-links: 24 of 31 flows of each of 8 hosts go over them.
  EXPECT_EQ(figures.losses[1].pairs_lost, 0U);
  EXPECT_LE(figures.losses[1].rates().worst_gbps, 200.0 * 6 * 31 / (8 * 24) + 1e-9);
  EXPECT_GE(figures.losses[1].rates().worst_gbps, figures.losses[1].repaired.worst_gbps);
  EXPECT_GE(figures.losses[1].rates().worst_gbps, figures.losses[1].rerouted.worst_gbps);
}

TEST(PlanFigures, PlanesAreAlike) {
  Design d = two_levels(16, 4);
  d.rails = 2;
  d.planes = 2;
  Design one = two_levels(16, 4);
  EXPECT_EQ(plan_figures(d, {}).intact.worst_gbps, plan_figures(one, {}).intact.worst_gbps);
}

// Only compute hosts count.
TEST(PlanFigures, ServicesTakeNoPart) {
  Design d = two_levels(30, 4);
  d.storage = 2;
  EXPECT_EQ(plan_figures(d, {}).intact.pairs, 30U * 29);
}

PlanCheck checked(const Plan& plan, const PlanCheckOptions& options = {}) {
  const Model model(planned_fabric(plan).fabric);
  return check_plan(plan, model, {}, options);
}

std::size_t count_of(const PlanCheck& check, std::string_view kind) {
  return static_cast<std::size_t>(std::ranges::count(check.findings, kind, &PlanFinding::kind));
}

TEST(CheckPlan, EveryAlternativeIsSound) {
  SizingOptions o;
  o.hosts = 50;
  o.rails = 2;
  o.growth = 20;
  o.management = 1;
  for (const std::uint32_t speed : {200U, 400U}) {  // 400: two ports a cage
    o.speed = speed;
    o.kits = kits_for(default_catalogue(), speed);
    for (const Alternative& one : size_fabric(o)) {
      const LaidOutPlan laid = lay_out_design(one.design, {}, default_cables());
      PlanCheckOptions options;
      options.rules = &laid.rules;
      EXPECT_TRUE(checked(laid.plan, options).sound()) << one.name << ' ' << formula(one.design);
    }
  }
}

TEST(CheckPlan, EachMistakeIsFound) {
  Design d = two_levels(32, 4);
  d.rails = 2;
  d.spines = 8;
  d.radix = 40;
  const LaidOutPlan laid = lay_out_design(d, {}, default_cables());
  EXPECT_TRUE(checked(laid.plan).sound());
  Plan far = laid.plan;
  far.cables.back().type = "DAC";
  far.cables.back().length_m = 3;
  EXPECT_EQ(count_of(checked(far), "reach"), 1U);
  Plan slow = laid.plan;
  slow.cables.back().rate = {4, Speed::kEdr};
  EXPECT_EQ(count_of(checked(slow), "speed"), 1U);
  Plan place = laid.plan;
  place.devices.back().rack = place.devices[0].rack;
  place.devices.back().unit = place.devices[0].unit;
  EXPECT_EQ(count_of(checked(place), "place"), 1U);
  Plan less = laid.plan;
  less.cables.pop_back();
  EXPECT_GT(checked(less).irregular, 0U);
  Plan crossed = laid.plan;
  PlanCable& first = *std::ranges::find_if(crossed.cables, [&](const PlanCable& cable) {
    return crossed.device(cable.a).name == "node-0003";
  });
  PlanCable& second = *(&first + 1);
  std::swap(first.b, second.b);
  EXPECT_GT(checked(crossed).rails, 0U);
  Plan short_cable = laid.plan;
  short_cable.cables.back().length_m = 0.5;
  PlanCheckOptions options;
  options.rules = &laid.rules;
  EXPECT_EQ(count_of(checked(short_cable, options), "length"), 1U);
}

// Two ports of a cage hold one part.
TEST(CheckPlan, LinksOfACageAreOfOneKind) {
  Design d = two_levels(32, 4);
  d.speed = 400;
  d.cage = 2;
  const LaidOutPlan laid = lay_out_design(d, {}, default_cables());
  ASSERT_EQ(laid.plan.cables[0].b.text, "1/1/1");
  ASSERT_EQ(laid.plan.cables[1].b.text, "1/1/2");
  EXPECT_EQ(count_of(checked(laid.plan), "cage"), 0U);
  const auto broken = [&](const std::function<void(PlanCable&)>& damage) {
    Plan plan = laid.plan;
    for (PlanCable& cable : plan.cables) {
      cable.type = "DAC";
      cable.length_m = 2;
    }
    damage(plan.cables[1]);
    return count_of(checked(plan), "cage");
  };
  EXPECT_EQ(broken([](PlanCable&) {}), 0U);
  EXPECT_EQ(broken([](PlanCable& cable) { cable.type = "DAC splitter"; }), 1U);
  EXPECT_EQ(broken([](PlanCable& cable) { cable.type = "MMF"; }), 1U);
  EXPECT_EQ(broken([](PlanCable& cable) { cable.length_m = 1; }), 1U);
  EXPECT_EQ(broken([](PlanCable& cable) { cable.rate = {4, Speed::kHdr}; }), 1U);
  Plan fibres = laid.plan;
  for (PlanCable& cable : fibres.cables) cable.type = "MMF";
  fibres.cables[1].length_m += 2;
  EXPECT_EQ(count_of(checked(fibres), "cage"), 0U);
}

// By pair of devices: how many cables join them.
std::map<std::pair<std::string, std::string>, std::size_t> tree_of(const Plan& plan) {
  std::map<std::pair<std::string, std::string>, std::size_t> count;
  for (const PlanCable& cable : plan.cables) {
    ++count[std::minmax(plan.device(cable.a).name, plan.device(cable.b).name)];
  }
  return count;
}

void expect_growth(const Design& before, const Design& after) {
  const Plan old = make_plan(before);
  const Plan wanted = make_plan(after);
  const GrowResult result = grow_plan(old, wanted);
  const Growth& growth = result.growth;
  EXPECT_TRUE(result.safe());
  EXPECT_EQ(tree_of(growth.plan), tree_of(wanted));
  EXPECT_EQ(tree_of(growth.state(0, false)), tree_of(old));
  EXPECT_EQ(tree_of(growth.state(growth.steps.size(), false)), tree_of(wanted));
  EXPECT_EQ(growth.kept.size() + growth.removed.size(), old.cables.size());
  EXPECT_EQ(growth.kept.size() + growth.added.size(), wanted.cables.size());
  // No more is unplugged than the new tree lacks.
  std::size_t least = 0;
  const auto now = tree_of(wanted);
  for (const auto& [pair, count] : tree_of(old)) {
    const auto at = now.find(pair);
    const std::size_t stay = at == now.end() ? 0 : at->second;
    if (count > stay) least += count - stay;
  }
  EXPECT_EQ(growth.removed.size(), least);
  // A port is used once in every state.
  for (std::size_t s = 0; s <= growth.steps.size(); ++s) {
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> used;
    for (const PlanCable& cable : growth.state(s, false).cables) {
      for (const PlanEnd* end : {&cable.a, &cable.b}) {
        EXPECT_TRUE(used.emplace(end->device, end->chip, end->port).second);
      }
    }
  }
}

TEST(GrowPlan, MoreUnitsUnderTheSameSpines) {
  Design before = two_levels(16, 8);
  before.room = 4;
  Design after = two_levels(32, 8);
  expect_growth(before, after);
  const Growth growth = grow(make_plan(before), make_plan(after));
  EXPECT_TRUE(growth.removed.empty());
  EXPECT_EQ(growth.steps.size(), 1U);
}

TEST(GrowPlan, MoreSpines) { expect_growth(two_levels(24, 2), two_levels(48, 4)); }

// From 4 units under shared spines to pods: half of the up-links move, spines get up-ports.
TEST(GrowPlan, AThirdLevel) {
  Design after = two_levels(128, 8);
  after.pod_units = 8;
  after.spine_up = 8;
  after.cores = 2;
  expect_growth(two_levels(96, 8), after);
}

TEST(GrowPlan, ADeviceWithAnotherNameIsFoundByItsNeighbours) {
  const Plan wanted = make_plan(two_levels(32, 8));
  Plan old = make_plan(two_levels(16, 8));
  for (PlanDevice& device : old.devices) {
    if (!device.is_host()) device.name = "x" + device.name;
  }
  const Growth growth = grow(old, wanted);
  EXPECT_TRUE(growth.removed_devices.empty());
  EXPECT_TRUE(growth.removed.empty());
}

// A fabric with names of its own: nothing of it is thrown away.
TEST(GrowPlan, ForeignNamesStay) {
  Design small = two_levels(16, 8);
  small.rails = 2;
  small.radix = 40;
  Design large = small;
  large.hosts = 32;
  Plan old = make_plan(small);
  for (std::size_t d = 0; d < old.devices.size(); ++d) {
    PlanDevice& device = old.devices[d];
    device.name = (device.is_host() ? "gpu" : "sw") + std::to_string(d);
  }
  const Growth growth = grow(old, make_plan(large));
  EXPECT_TRUE(growth.removed_devices.empty());
  EXPECT_TRUE(growth.removed.empty());
  for (const PlanDevice& device : old.devices) {
    EXPECT_EQ(std::ranges::count(growth.plan.devices, device.name, &PlanDevice::name), 1);
  }
}

// A director gets more cards; its chips are those with their names.
TEST(GrowPlan, DirectorsGetCards) {
  Design before = two_levels(16, 2);
  before.spine_radix = 72;
  before.spine_chips = 12;
  Design after = before;
  after.hosts = 48;
  expect_growth(before, after);
  Plan old = make_plan(before);
  std::uint64_t guid = 0x100;
  for (PlanDevice& device : old.devices) {
    for (PlanChip& chip : device.chips) chip.guid = ++guid;
  }
  const Growth growth = grow(old, make_plan(after));
  for (const PlanDevice& was : old.devices) {
    const auto now = std::ranges::find(growth.plan.devices, was.name, &PlanDevice::name);
    for (const PlanChip& chip : was.chips) {
      EXPECT_EQ(std::ranges::find(now->chips, chip.name, &PlanChip::name)->guid, chip.guid);
    }
  }
}

// Hosts with two cables, one of which waits for a port that a later step frees.
TEST(GrowPlan, AHostKeepsOneOfItsCables) {
  Design before = two_levels(30, 8);
  before.rails = 2;
  before.radix = 24;
  before.unit = 16;
  Design after = before;
  after.hosts = 52;
  after.unit = 12;
  after.up = 12;
  after.spines = 6;
  const GrowResult result = grow_plan(make_plan(before), make_plan(after));
  EXPECT_TRUE(result.safe());
  EXPECT_TRUE(result.hosts_off().empty());
  const Growth& growth = result.growth;
  std::size_t moves = 0;
  for (std::size_t s = 0; s < growth.steps.size(); ++s) {
    std::map<std::uint32_t, std::size_t> cables;
    for (const PlanCable& cable : growth.state(s, true).cables) ++cables[cable.a.device];
    for (const PlanDevice& host : make_plan(before).devices) {
      if (!host.is_host()) continue;
      const auto at = std::ranges::find(growth.plan.devices, host.name, &PlanDevice::name);
      EXPECT_GE(cables[static_cast<std::uint32_t>(at - growth.plan.devices.begin())], 1U)
          << host.name << " in step " << s + 1;
    }
    moves += static_cast<std::size_t>(std::ranges::count(
        growth.steps[s].actions, GrowthAction::Kind::kMove, &GrowthAction::kind));
  }
  EXPECT_EQ(moves, growth.moves.size());
}

TEST(GrowPlan, AHostThatMovesIsNamed) {
  Plan old = make_plan(two_levels(16, 8));
  const Plan wanted = make_plan(two_levels(16, 8));
  // Two hosts of different leaves in each other's place.
  std::swap(old.cables[0].b, old.cables[8].b);
  const Growth growth = grow(old, wanted);
  EXPECT_EQ(growth.removed.size(), 2U);
  std::size_t off = 0;
  for (const GrowthStep& step : growth.steps) off += step.hosts_off.size();
  EXPECT_EQ(off, 2U);
}

}  // namespace
}  // namespace fatwood
