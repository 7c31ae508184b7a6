// SPDX-License-Identifier: BSD-3-Clause
// Places, lengths, bundles and trays of plans.

#include "plan/sizing/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/error.hpp"
#include "plan/sizing/bill.hpp"
#include "plan/sizing/design.hpp"

namespace fatwood {
namespace {

Design rails_design(std::uint32_t hosts, std::uint32_t rails) {
  Design d;
  d.hosts = hosts;
  d.rails = rails;
  d.speed = 400;
  d.unit = 16;
  d.radix = 64;
  d.up = 16;
  d.spines = 8;
  return d;
}

// No two devices share a unit, and all stand within their racks.
void expect_separate(const Plan& plan, const Layout& layout) {
  std::set<std::pair<std::string, std::uint32_t>> taken;
  for (std::size_t d = 0; d < plan.devices.size(); ++d) {
    const PlanDevice& device = plan.devices[d];
    for (std::uint32_t u = 0; u < layout.height[d]; ++u) {
      EXPECT_TRUE(taken.emplace(device.rack, device.unit + u).second) << device.name;
    }
    EXPECT_GE(device.unit, 1U);
    EXPECT_LE(device.unit + layout.height[d] - 1, layout.racks[layout.rack_of[d]].units);
  }
}

TEST(Layout, EveryDeviceHasAPlaceOfItsOwn) {
  for (const std::uint32_t hosts : {3U, 16U, 40U, 128U}) {
    for (const std::uint32_t rails : {1U, 4U}) {
      Plan plan = make_plan(rails_design(hosts, rails));
      const Layout layout = lay_out(plan, {}, default_cables());
      expect_separate(plan, layout);
      EXPECT_TRUE(layout.unreached.empty());
    }
  }
}

// The way is never shorter than the straight line, and what is bought never shorter than the way.
TEST(Layout, LengthsCoverTheWay) {
  Plan plan = make_plan(rails_design(128, 4));
  const LayoutRules rules;
  const Layout layout = lay_out(plan, rules, default_cables());
  for (std::size_t i = 0; i < plan.cables.size(); ++i) {
    const PlanCable& cable = plan.cables[i];
    const Rack& a = layout.racks[layout.rack_of[cable.a.device]];
    const Rack& b = layout.racks[layout.rack_of[cable.b.device]];
    const double along = std::abs(static_cast<double>(a.position) - b.position) * 0.6;
    const double rows = std::abs(a.row[0] - b.row[0]) * 2.4;
    EXPECT_GE(layout.run_m[i] + 1e-9, std::hypot(along, rows));
    EXPECT_GE(cable.length_m + 1e-9, layout.run_m[i]);
    const CableKind* kind = kind_of(default_cables(), cable);
    ASSERT_NE(kind, nullptr);
    EXPECT_LE(cable.length_m, kind->reach_m);
  }
}

TEST(Layout, ALengthByHand) {
  Design d;
  d.hosts = 2;
  d.unit = 1;
  d.up = 1;
  d.spines = 1;
  Plan plan = make_plan(d);
  LayoutRules rules;
  rules.rack_units = 10;
  rules.racks = {{"A01", "A", 1, 10}, {"A02", "A", 4, 10}, {"B01", "B", 4, 10}};
  rules.cross = {4};
  rules.places = {{"node-0001", "A01", 1},
                  {"leaf-01", "A01", 10},
                  {"node-0002", "A02", 1},
                  {"leaf-02", "A02", 10},
                  {"spine-01", "B01", 10}};
  const Layout layout = lay_out(plan, rules, default_cables());
  const double u = 0.04445;
  for (std::size_t i = 0; i < plan.cables.size(); ++i) {
    const std::string& a = plan.device(plan.cables[i].a).name;
    const std::string& b = plan.device(plan.cables[i].b).name;
    const double top = 0.5 * u + 0.3;  // from the middle of the top unit to the tray
    if (a == "node-0001") {
      EXPECT_NEAR(layout.run_m[i], 9 * u + 1.0, 1e-9);
      EXPECT_EQ(plan.cables[i].label, "A01-01:1/A01-10:01");
    }
    if (a == "leaf-01" && b == "spine-01") {
      EXPECT_NEAR(layout.run_m[i], 2 * top + 3 * 0.6 + 2.4 + 1.0, 1e-9);
    }
    if (a == "leaf-02" && b == "spine-01") {
      EXPECT_NEAR(layout.run_m[i], 2 * top + 2.4 + 1.0, 1e-9);
    }
  }
  // Trays: leaf-01's cable along row A, both over the cross tray.
  std::map<bool, std::size_t> most;
  for (const TraySection& tray : layout.trays) {
    most[tray.across] = std::max(most[tray.across], tray.cables);
  }
  EXPECT_EQ(most[false], 1U);
  EXPECT_EQ(most[true], 2U);
}

TEST(Layout, BundlesHoldEveryCableOnce) {
  Plan plan = make_plan(rails_design(64, 4));
  const Layout layout = lay_out(plan, {}, default_cables());
  std::vector<std::size_t> seen(plan.cables.size(), 0);
  for (const Bundle& bundle : layout.bundles) {
    for (const std::uint32_t i : bundle.cables) {
      ++seen[i];
      const std::set<std::uint32_t> racks{layout.rack_of[plan.cables[i].a.device],
                                          layout.rack_of[plan.cables[i].b.device]};
      EXPECT_EQ(racks, (std::set<std::uint32_t>{bundle.rack_a, bundle.rack_b}));
    }
  }
  EXPECT_EQ(std::ranges::count(seen, 1U), static_cast<std::ptrdiff_t>(seen.size()));
}

TEST(Layout, WrongRulesAreRefused) {
  Plan plan = make_plan(rails_design(16, 1));
  LayoutRules few;
  few.racks = {{"A01", "A", 1, 4}};
  EXPECT_THROW(lay_out(plan, few, default_cables()), InputError);
  Plan other = make_plan(rails_design(16, 1));
  LayoutRules twice;
  twice.places = {{"leaf-01", "A01", 3}, {"node-0001", "A01", 3}};
  EXPECT_THROW(lay_out(other, twice, default_cables()), InputError);
  Plan third = make_plan(rails_design(16, 1));
  LayoutRules nobody;
  nobody.places = {{"leaf-99", "A01", 3}};
  EXPECT_THROW(lay_out(third, nobody, default_cables()), InputError);
}

TEST(Bill, CountsAndPrices) {
  Design d;
  d.hosts = 5;
  d.speed = 100;
  d.unit = 8;
  d.split = 2;
  d.up = 2;
  d.spines = 2;
  Plan plan = make_plan(d);
  LayoutRules rules;
  rules.host_splitters = true;
  lay_out(plan, rules, default_cables());
  std::uint64_t splitters = 0, straight = 0, switches = 0;
  PriceList prices;
  prices.each = {{"40-port switch", 1000},
                 {"dac splitter", 10},
                 {"dac splitter per m", 1},
                 {"aoc splitter", 10},
                 {"cable", 7}};
  double cost = 0;
  for (const BillLine& line : bill_of(plan, {true, 1})) {
    if (line.kind == BillLine::Kind::kSwitch) switches += line.count;
    const bool split = line.item.ends_with("splitter");
    if (line.kind == BillLine::Kind::kCable) (split ? splitters : straight) += line.count;
    const double each = line.kind == BillLine::Kind::kSwitch ? 1000
                        : line.item == "DAC splitter"        ? 10 + line.length_m
                        : split                              ? 10
                                                             : 7;
    cost += each * static_cast<double>(line.count);
  }
  EXPECT_EQ(switches, 3U);
  EXPECT_EQ(splitters, 3U);  // five hosts on three ports
  EXPECT_EQ(straight, 2U);
  const Cost sum = cost_of(prices, bill_of(plan, {true, 1}));
  EXPECT_NEAR(sum.total(), cost, 1e-9);
  EXPECT_TRUE(sum.unpriced.empty());
  prices.each.erase("cable");
  EXPECT_EQ(cost_of(prices, bill_of(plan, {true, 1})).unpriced.size(), 1U);
}

}  // namespace
}  // namespace fatwood
