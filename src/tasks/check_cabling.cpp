// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/check_cabling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>

#include "core/text/natural_order.hpp"
#include "tasks/cabling_run.hpp"
#include "topology/hosts/rails.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

void CablingProgress::add(CableState state) {
  ++planned;
  ++(state == CableState::kRight     ? right
     : state == CableState::kWrong   ? wrong
     : state == CableState::kMissing ? missing
                                     : unknown);
}

bool CablingCheck::wrong() const {
  return std::ranges::any_of(cabling.faults,
                             [](const CablingFault& fault) { return !is_incomplete(fault.kind); });
}

namespace {

bool to_host(const Plan& plan, const PlanCable& cable) {
  return plan.device(cable.a).is_host() || plan.device(cable.b).is_host();
}

// --- rates ---
using RateCounts = std::map<Rate, std::size_t>;

Rate most_of(const RateCounts& counts) {
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
  return most == counts.end() ? Rate{} : most->first;
}

// The rate that a planned cable should have where it is now. At ports of other cables that is the
// lower one of both; at a port of another device without a planned cable it is not known.
class ExpectedRates {
 public:
  ExpectedRates(const CablingCheck& check, const Fabric& found) : check_(check) {
    for (std::uint32_t k = 0; k < check.plan.cables.size(); ++k) {
      const Channel c = check.cabling.found[k];
      if (c != kNone<Channel>) ++usual_[to_host(check.plan, check.plan.cables[k])][found.rate(c)];
    }
    for (const CablingFault& fault : check.cabling.faults) {
      for (const CablingMove& move : fault.moves) {
        if (move.is_removal()) continue;
        planned_at_[move.stays] = move.cable;
        if (move.to != kNone<Channel>) planned_at_[move.to] = move.cable;
      }
    }
  }

  Rate of(std::uint32_t cable) const {
    const Rate planned = check_.plan.cables[cable].rate;
    return planned != Rate{} ? planned
                             : most_of(usual_[to_host(check_.plan, check_.plan.cables[cable])]);
  }
  std::optional<Rate> of(const CablingMove& move, const Fabric& found) const {
    const Rate own = of(move.cable);
    const bool seen = move.to != kNone<Channel>;
    if (seen && found.owner(move.from) == found.owner(move.to)) return own;
    const auto other = planned_at_.find(move.from);
    if (other == planned_at_.end()) return std::nullopt;
    const Rate its = of(other->second);
    return gigabits(its) < gigabits(own) ? its : own;
  }

 private:
  const CablingCheck& check_;
  std::array<RateCounts, 2> usual_;                        // between switches, to hosts
  std::unordered_map<Channel, std::uint32_t> planned_at_;  // misplaced cables by found port
};

void find_slow(CablingCheck& check, const Fabric& found) {
  const ExpectedRates rates(check, found);
  std::vector<CablingFault> slow;
  const auto compare = [&](std::uint32_t k, Channel c, const std::optional<Rate>& expected) {
    const Rate rate = found.rate(c);
    if (!expected || rate == Rate{} || gigabits(rate) >= gigabits(*expected)) return;
    CablingFault& fault = slow.emplace_back();
    fault.kind = rate.width < expected->width ? CablingFaultKind::kNarrow : CablingFaultKind::kSlow;
    fault.cables = {k};
    fault.found = {c};
    fault.detail = fmt::format("{} instead of {}", to_string(rate), to_string(*expected));
    fault.cost_gbps = gigabits(*expected) - gigabits(rate);
  };
  for (std::uint32_t k = 0; k < check.plan.cables.size(); ++k) {
    const Channel c = check.cabling.found[k];
    if (c != kNone<Channel>) compare(k, c, rates.of(k));
  }
  for (const CablingFault& fault : check.cabling.faults) {
    for (const CablingMove& move : fault.moves) {
      if (!move.is_removal()) compare(move.cable, move.stays, rates.of(move, found));
    }
  }
  check.cabling.faults.insert(check.cabling.faults.end(), slow.begin(), slow.end());
}

// --- cost ---
double planned_gbps(const CablingCheck& check, std::uint32_t cable) {
  return gigabits(check.planned.fabric.rate(check.planned.cables[cable].first));
}

// Two cables of one device on each other's port.
bool swaps_ports(const CablingFault& fault, const Fabric& found) {
  return !fault.moves.empty() && std::ranges::all_of(fault.moves, [&](const CablingMove& move) {
    return move.to != kNone<Channel> && found.owner(move.from) == found.owner(move.to);
  });
}

void add_costs(CablingCheck& check, const Fabric& found) {
  for (CablingFault& fault : check.cabling.faults) {
    if (swaps_ports(fault, found)) continue;
    switch (fault.kind) {
      case CablingFaultKind::kMissing:
      case CablingFaultKind::kWrongDevice:
      case CablingFaultKind::kSwappedCables:
      case CablingFaultKind::kExchangedRails:
      case CablingFaultKind::kSwappedDevices:
      case CablingFaultKind::kSwappedRacks:
      case CablingFaultKind::kDown:
        for (const std::uint32_t k : fault.cables) fault.cost_gbps += planned_gbps(check, k);
        break;
      default:
        break;  // nothing is lost, or it is known already
    }
  }
  std::ranges::stable_sort(check.cabling.faults, std::greater{}, &CablingFault::cost_gbps);
}

// --- progress ---
using Rows =
    std::map<std::string, CablingProgress, decltype([](const std::string& a, const std::string& b) {
               return natural_less(a, b);
             })>;

std::vector<CablingProgress> listed_rows(const Rows& rows) {
  std::vector<CablingProgress> result;
  for (const auto& [name, row] : rows) {
    result.push_back(row);
    result.back().name = name;
  }
  return result;
}

std::string level_name(const Model& model, Channel a, Channel b) {
  const Fabric& fabric = model.fabric();
  const auto level = [&](Channel c) -> unsigned {
    const Node node = fabric.owner(c);
    return fabric.is_switch(node) ? model.levels().level[fabric.as_switch(node)] : 0U;
  };
  const unsigned low = std::min(level(a), level(b));
  const unsigned high = std::max(level(a), level(b));
  return low == 0 ? fmt::format("hosts to level {}", high)
                  : fmt::format("level {} to level {}", low, high);
}

void add_progress(CablingCheck& check) {
  const Model model(check.planned.fabric);
  const Rails& rails = model.hosts().rails;
  Rows racks, units, levels;
  for (std::size_t k = 0; k < check.plan.cables.size(); ++k) {
    const PlanCable& cable = check.plan.cables[k];
    const CableState state = check.cabling.state[k];
    check.all.add(state);
    const auto [a, b] = check.planned.cables[k];
    levels[level_name(model, a, b)].add(state);
    const std::string& rack_a = check.plan.device(cable.a).rack;
    const std::string& rack_b = check.plan.device(cable.b).rack;
    if (!rack_a.empty()) racks[rack_a].add(state);
    if (!rack_b.empty() && rack_b != rack_a) racks[rack_b].add(state);
    for (const Channel c : {a, b}) {
      const Node node = model.fabric().owner(c);
      if (!rails.any() || !model.fabric().is_switch(node)) continue;
      const ScalableUnit unit = rails.unit_of[model.fabric().as_switch(node)];
      if (unit == kNone<ScalableUnit>) continue;
      units[fmt::format("unit {}", index(unit) + 1)].add(state);
      break;
    }
  }
  check.racks = listed_rows(racks);
  check.units = listed_rows(units);
  check.levels = listed_rows(levels);
}

}  // namespace

CablingCheck check_cabling(Plan plan, const Model& found, const RunData& run,
                           const EarlierRun* earlier) {
  CablingCheck check;
  check.plan = std::move(plan);
  check.planned = planned_fabric(check.plan);
  check.cabling = check_cables(check.plan, check.planned, found_side(found));
  find_slow(check, found.fabric());
  add_run_faults(check, found, run, earlier);
  add_costs(check, found.fabric());
  add_progress(check);
  for (const CablingFault& fault : check.cabling.faults) {
    // A missing cable is plugged; exchanged devices are put right by one exchange.
    check.moves += fault.moves.empty() && fault.kind != CablingFaultKind::kDown &&
                           (fault.kind == CablingFaultKind::kMissing ||
                            fault.kind == CablingFaultKind::kSwappedDevices)
                       ? 1
                       : fault.moves.size();
  }
  return check;
}

}  // namespace fatwood
