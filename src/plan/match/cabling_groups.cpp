// SPDX-License-Identifier: BSD-3-Clause
// Merges swaps between the same two places into one fault: step 5 of cabling.hpp.

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "plan/match/cabling.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kLeastGroup = 3;

using PlacePair = std::pair<std::string, std::string>;

std::optional<PlacePair> ordered(std::string a, std::string b) {
  if (a.empty() || b.empty() || a == b) return std::nullopt;
  if (b < a) std::swap(a, b);
  return PlacePair{std::move(a), std::move(b)};
}

// The two devices whose cables a swap exchanged: those at the ends where both cables differ in
// device. Hosts count before switches, since racks hold hosts.
std::optional<std::pair<std::uint32_t, std::uint32_t>> swapped_devices(const Plan& plan,
                                                                       const CablingFault& fault,
                                                                       NodeKind kind) {
  if (fault.kind == CablingFaultKind::kSwappedDevices) {
    if (plan.devices[fault.devices[0]].kind != kind) return std::nullopt;
    return std::pair(fault.devices[0], fault.devices[1]);
  }
  std::vector<std::uint32_t> seen;
  for (const std::uint32_t k : fault.cables) {
    const PlanCable& cable = plan.cables[k];
    for (const PlanEnd* end : {&cable.a, &cable.b}) {
      if (plan.device(*end).kind == kind) seen.push_back(end->device);
    }
  }
  if (seen.size() == 2 && seen[0] != seen[1]) return std::pair(seen[0], seen[1]);
  // Between switches: one end is common to both cables, the others are the pair.
  if (seen.size() == 4) {
    for (const std::size_t a : {0U, 1U}) {
      for (const std::size_t b : {2U, 3U}) {
        if (seen[a] != seen[b] || seen[1 - a] == seen[5 - b]) continue;
        return std::pair(seen[1 - a], seen[5 - b]);
      }
    }
  }
  return std::nullopt;
}

enum class GroupBy : std::uint8_t { kRacks, kSwitches };

std::optional<PlacePair> swapped_places(const Plan& plan, const CablingFault& fault, GroupBy by) {
  for (const NodeKind kind : {NodeKind::kAdapter, NodeKind::kSwitch}) {
    if (by == GroupBy::kSwitches && kind == NodeKind::kAdapter) continue;
    const auto devices = swapped_devices(plan, fault, kind);
    if (!devices) continue;
    const PlanDevice& a = plan.devices[devices->first];
    const PlanDevice& b = plan.devices[devices->second];
    const auto pair = by == GroupBy::kRacks ? ordered(a.rack, b.rack) : ordered(a.name, b.name);
    if (pair) return pair;
  }
  return std::nullopt;
}

// Cables that end in one of two places: to hosts, and between switches.
struct CableCounts {
  std::size_t to_hosts = 0, between_switches = 0;
  void add(const Plan& plan, const PlanCable& cable) {
    ++(plan.to_host(cable) ? to_hosts : between_switches);
  }
};

// Whether most cables of these two places are swapped: a few swaps are just that.
bool covers_most(const Plan& plan, const std::vector<const CablingFault*>& members, GroupBy by,
                 const PlacePair& places) {
  CableCounts all, swapped;
  for (const PlanCable& cable : plan.cables) {
    const auto ends_there = [&](const PlanEnd& end) {
      const PlanDevice& device = plan.device(end);
      const std::string& place = by == GroupBy::kRacks ? device.rack : device.name;
      return place == places.first || place == places.second;
    };
    if (ends_there(cable.a) || ends_there(cable.b)) all.add(plan, cable);
  }
  for (const CablingFault* member : members) {
    for (const std::uint32_t k : member->cables) swapped.add(plan, plan.cables[k]);
  }
  return (swapped.to_hosts > 0 && swapped.to_hosts * 2 > all.to_hosts) ||
         (swapped.between_switches > 0 && swapped.between_switches * 2 > all.between_switches);
}

CablingFault merged(const Plan& plan, const std::vector<const CablingFault*>& members, GroupBy by,
                    const PlacePair& places) {
  CablingFault fault;
  const bool rails = std::ranges::all_of(members, [](const CablingFault* member) {
    return member->kind == CablingFaultKind::kExchangedRails;
  });
  fault.kind = by == GroupBy::kRacks ? CablingFaultKind::kSwappedRacks
               : rails               ? CablingFaultKind::kExchangedRails
                                     : CablingFaultKind::kSwappedDevices;
  fault.detail = places.first + " and " + places.second;
  std::set<std::uint32_t> devices;
  for (const CablingFault* member : members) {
    fault.cables.insert(fault.cables.end(), member->cables.begin(), member->cables.end());
    fault.found.insert(fault.found.end(), member->found.begin(), member->found.end());
    fault.moves.insert(fault.moves.end(), member->moves.begin(), member->moves.end());
    devices.insert(member->devices.begin(), member->devices.end());
    if (by == GroupBy::kSwitches) {
      const auto pair = swapped_devices(plan, *member, NodeKind::kSwitch);
      devices.insert({pair->first, pair->second});
    }
  }
  fault.devices.assign(devices.begin(), devices.end());
  return fault;
}

void group_by(const Plan& plan, std::vector<CablingFault>& faults, GroupBy by) {
  std::map<PlacePair, std::vector<const CablingFault*>> groups;
  const auto key_of = [&](const CablingFault& fault) -> std::optional<PlacePair> {
    const bool swap = fault.kind == CablingFaultKind::kSwappedCables ||
                      fault.kind == CablingFaultKind::kExchangedRails ||
                      (fault.kind == CablingFaultKind::kSwappedDevices && by == GroupBy::kRacks);
    return swap ? swapped_places(plan, fault, by) : std::nullopt;
  };
  for (const CablingFault& fault : faults) {
    if (const auto key = key_of(fault)) groups[*key].push_back(&fault);
  }
  std::erase_if(groups, [&](const auto& group) {
    return group.second.size() < kLeastGroup || !covers_most(plan, group.second, by, group.first);
  });
  std::vector<CablingFault> result;
  for (const auto& [key, members] : groups) result.push_back(merged(plan, members, by, key));
  for (const CablingFault& fault : faults) {
    const auto key = key_of(fault);
    if (!key || !groups.contains(*key)) result.push_back(fault);
  }
  faults = std::move(result);
}

}  // namespace

void group_swaps(const Plan& plan, std::vector<CablingFault>& faults) {
  group_by(plan, faults, GroupBy::kRacks);
  group_by(plan, faults, GroupBy::kSwitches);
}

}  // namespace fatwood
