// SPDX-License-Identifier: BSD-3-Clause
#include "topology/plan/growth_match.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "topology/plan/device_words.hpp"

namespace fatwood {

namespace {

// Neighbours of each device, each named as often as there are cables.
std::vector<std::vector<std::uint32_t>> neighbours_of(const Plan& plan) {
  std::vector<std::vector<std::uint32_t>> list(plan.devices.size());
  for (const PlanCable& cable : plan.cables) {
    list[cable.a.device].push_back(cable.b.device);
    list[cable.b.device].push_back(cable.a.device);
  }
  return list;
}

}  // namespace

std::vector<std::uint32_t> match_devices(const Plan& old, const Plan& wanted) {
  std::vector<std::uint32_t> match(old.devices.size(), kNoDevice);
  std::vector<std::uint8_t> taken(wanted.devices.size(), 0);
  std::unordered_map<std::string, std::uint32_t> by_name;
  for (std::uint32_t d = 0; d < wanted.devices.size(); ++d) {
    by_name.emplace(lower_case(wanted.devices[d].name), d);
  }
  for (std::uint32_t d = 0; d < old.devices.size(); ++d) {
    const auto at = by_name.find(lower_case(old.devices[d].name));
    if (at == by_name.end() || taken[at->second] != 0) continue;
    if (wanted.devices[at->second].is_host() != old.devices[d].is_host()) continue;
    match[d] = at->second;
    taken[at->second] = 1;
  }
  const auto old_near = neighbours_of(old);
  const auto new_near = neighbours_of(wanted);
  // The pair with most common neighbours first; these make neighbours of others known.
  for (bool found = true; found;) {
    found = false;
    std::uint32_t best_old = 0, best_new = 0;
    std::size_t most = 0;
    for (std::uint32_t d = 0; d < old.devices.size(); ++d) {
      if (match[d] != kNoDevice || old.devices[d].is_host()) continue;
      std::map<std::uint32_t, std::size_t> votes;
      for (const std::uint32_t near : old_near[d]) {
        if (match[near] == kNoDevice) continue;
        for (const std::uint32_t other : new_near[match[near]]) {
          if (taken[other] == 0 && !wanted.devices[other].is_host()) ++votes[other];
        }
      }
      for (const auto& [other, count] : votes) {
        if (count > most) {
          most = count;
          best_old = d;
          best_new = other;
        }
      }
    }
    if (most > 0) {
      match[best_old] = best_new;
      taken[best_new] = 1;
      found = true;
    }
  }
  return match;
}

}  // namespace fatwood
