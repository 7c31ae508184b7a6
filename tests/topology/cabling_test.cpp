// SPDX-License-Identifier: BSD-3-Clause
// Plans against found fabrics whose faults are known: all are found, none is invented, and the
// moves are as few as the faults.

#include "topology/match/cabling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "core/random.hpp"
#include "topology/generate/spec.hpp"
#include "topology/match/assignment.hpp"
#include "topology/plan/plan_fabric.hpp"

namespace fatwood {
namespace {

using Kind = CablingFaultKind;

// With spare ports, so that cables can be plugged wrongly.
Plan plan_for(const std::string& spec) {
  const Model model(make_fabric(spec));
  Plan plan = plan_of(model);
  for (PlanDevice& device : plan.devices) {
    for (PlanChip& chip : device.chips) chip.ports += device.is_host() ? 0U : 4U;
  }
  return plan;
}

enum class Naming { kSame, kDecorated, kHostsOnly, kNone };

// Devices in another order, with other names.
Plan renamed(const Plan& plan, Naming naming, std::uint64_t seed) {
  Plan result = plan;
  Random random(seed);
  const std::vector<std::uint32_t> order =
      random.permutation(static_cast<std::uint32_t>(plan.devices.size()));
  for (std::uint32_t d = 0; d < plan.devices.size(); ++d) {
    result.devices[order[d]] = plan.devices[d];
    PlanDevice& device = result.devices[order[d]];
    const bool keeps =
        naming != Naming::kNone && (naming != Naming::kHostsOnly || device.is_host());
    if (!keeps) device.name = "box" + std::to_string(order[d]);
    if (!keeps && device.is_host()) device.name = "MT4129 ConnectX7 " + device.name;
    if (naming == Naming::kDecorated && !device.is_host()) {
      for (char& c : device.name) c = static_cast<char>(std::toupper(c));
      device.name = "MF0;" + device.name + ":MQM9700/U1";
    }
  }
  for (PlanCable& cable : result.cables) {
    cable.a.device = order[cable.a.device];
    cable.b.device = order[cable.b.device];
  }
  return result;
}

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
std::set<std::uint32_t> cables_of(const Cabling& cabling) {
  std::set<std::uint32_t> cables;
  for (const CablingFault& fault : cabling.faults) {
    cables.insert(fault.cables.begin(), fault.cables.end());
  }
  return cables;
}

// Draws cables between switches that share no switch with each other's far ends.
class Damage {
 public:
  Damage(const Plan& plan, std::uint64_t seed) : plan_(plan), found_(plan), random_(seed) {
    order_ = random_.permutation(static_cast<std::uint32_t>(plan.cables.size()));
    for (const PlanCable& cable : plan.cables) {
      used_.insert(key(cable.a));
      used_.insert(key(cable.b));
    }
  }
  const Plan& found() const { return found_; }
  const std::set<std::uint32_t>& cables() const { return cables_; }

  void apply(Kind kind, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t k = draw();
      PlanCable& cable = found_.cables[k];
      switch (kind) {
        case Kind::kMissing:
          lost_.insert(k);
          break;
        case Kind::kWrongPort:
          cable.b = free_port(cable.b.device, cable.b.chip);
          break;
        case Kind::kWrongDevice:
          cable.b = free_port(other_switch(cable), 0);
          break;
        case Kind::kSwappedCables: {
          std::uint32_t other = draw();
          while (found_.cables[other].b.device == cable.b.device ||
                 found_.cables[other].a.device == cable.a.device) {
            cables_.erase(other);
            other = draw();
          }
          std::swap(cable.b, found_.cables[other].b);
          break;
        }
        default:
          FAIL();
      }
    }
    std::vector<PlanCable> left;
    for (std::uint32_t k = 0; k < found_.cables.size(); ++k) {
      if (!lost_.contains(k)) left.push_back(found_.cables[k]);
    }
    found_.cables = std::move(left);
  }

 private:
  static std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> key(const PlanEnd& end) {
    return {end.device, end.chip, end.port};
  }
  std::uint32_t draw() {
    while (true) {
      const std::uint32_t k = order_.at(next_++);
      const PlanCable& cable = plan_.cables[k];
      if (plan_.device(cable.a).is_host() || plan_.device(cable.b).is_host()) continue;
      cables_.insert(k);
      return k;
    }
  }
  PlanEnd free_port(std::uint32_t device, std::uint32_t chip) {
    for (std::uint32_t port = plan_.devices[device].chips[chip].ports; port > 0; --port) {
      if (used_.insert({device, chip, port}).second) return {device, chip, port, "x"};
    }
    ADD_FAILURE() << "no free port";
    return {};
  }
  std::uint32_t other_switch(const PlanCable& cable) {
    while (true) {
      const std::uint32_t d = random_.below(static_cast<std::uint32_t>(plan_.devices.size()));
      if (plan_.devices[d].is_host() || d == cable.b.device || d == cable.a.device) continue;
      const std::uint32_t top = plan_.devices[d].chips[0].ports;
      if (!used_.contains({d, 0, top - 3})) return d;
    }
  }

  const Plan& plan_;
  Plan found_;
  Random random_;
  std::vector<std::uint32_t> order_;
  std::size_t next_ = 0;
  std::set<std::uint32_t> cables_, lost_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> used_;
};

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

TEST(Cabling, FaultsOfEachKindAreFound) {
  for (const std::string spec : {"ft(8,3)", "like-x5", "rails(units=4,hosts=8,rails=4,spines=8)"}) {
    const Plan plan = plan_for(spec);
    for (const Kind kind :
         {Kind::kMissing, Kind::kWrongPort, Kind::kWrongDevice, Kind::kSwappedCables}) {
      for (const std::size_t count : {1U, 5U, 20U}) {
        for (const Naming naming : {Naming::kSame, Naming::kHostsOnly}) {
          Damage damage(plan, count + 10);
          damage.apply(kind, count);
          const Cabling cabling = checked(plan, renamed(damage.found(), naming, 3));
          const std::string what = spec + " " + std::string(kind_word(kind)) + " " +
                                   std::to_string(count) + " names " +
                                   std::to_string(static_cast<int>(naming));
          EXPECT_EQ(kinds_of(cabling),
                    (std::map<std::string, std::size_t>{{std::string(kind_word(kind)), count}}))
              << what;
          EXPECT_EQ(cables_of(cabling), damage.cables()) << what;
          EXPECT_EQ(moves_of(cabling), kind == Kind::kMissing         ? 0
                                       : kind == Kind::kSwappedCables ? 2 * count
                                                                      : count)
              << what;
        }
      }
    }
  }
}

TEST(Cabling, FaultsAreFoundWithoutAnyName) {
  for (const std::string spec : {"ft(8,3)", "like-x5", "rails(units=4,hosts=8,rails=4,spines=8)"}) {
    const Plan plan = plan_for(spec);
    for (const Kind kind : {Kind::kMissing, Kind::kWrongPort, Kind::kSwappedCables}) {
      Damage damage(plan, 21);
      damage.apply(kind, 6);
      const Cabling cabling = checked(plan, renamed(damage.found(), Naming::kNone, 4));
      // Another matching may be as good, never worse.
      EXPECT_EQ(moves_of(cabling), kind == Kind::kMissing     ? 0
                                   : kind == Kind::kWrongPort ? 6U
                                                              : 12U)
          << spec << " " << kind_word(kind);
      EXPECT_EQ(std::ranges::count(cabling.state, CableState::kRight),
                static_cast<std::ptrdiff_t>(plan.cables.size() - damage.cables().size()))
          << spec << " " << kind_word(kind);
    }
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

TEST(Cabling, HalfPoweredOff) {
  for (const std::string spec : {"ft(8,3)", "like-x5"}) {
    const Plan plan = plan_for(spec);
    Plan found = plan;
    std::set<std::uint32_t> off;
    for (std::uint32_t d = 0; d < plan.devices.size(); d += 2) off.insert(d);
    std::erase_if(found.cables, [&](const PlanCable& cable) {
      return off.contains(cable.a.device) || off.contains(cable.b.device);
    });
    // What has no cable answers nobody.
    Plan seen;
    std::map<std::uint32_t, std::uint32_t> number;
    for (PlanCable& cable : found.cables) {
      for (PlanEnd* end : {&cable.a, &cable.b}) {
        const auto [at, fresh] =
            number.emplace(end->device, static_cast<std::uint32_t>(seen.devices.size()));
        if (fresh) seen.devices.push_back(plan.devices[end->device]);
        end->device = at->second;
      }
    }
    seen.cables = found.cables;
    const Cabling cabling = checked(plan, renamed(seen, Naming::kSame, 6));
    for (const CablingFault& fault : cabling.faults) {
      EXPECT_TRUE(is_incomplete(fault.kind)) << spec << " " << kind_word(fault.kind);
    }
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(cabling.state, CableState::kRight)),
              found.cables.size())
        << spec;
  }
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
