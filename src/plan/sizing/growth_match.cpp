// SPDX-License-Identifier: BSD-3-Clause
// Matches old devices with devices of the new plan (growth.hpp, step 1).

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

#include "core/text/natural_order.hpp"
#include "plan/model/device_words.hpp"
#include "plan/sizing/growth.hpp"

namespace fatwood {

namespace {

// A device, of a host the adapter.
using Neighbour = std::pair<std::uint32_t, std::uint32_t>;

// By device and, of hosts, adapter: what its cables lead to.
std::map<Neighbour, std::vector<Neighbour>> neighbours_of(const Plan& plan) {
  const auto key = [&](const PlanEnd& end) {
    return Neighbour(end.device, plan.device(end).is_host() ? end.chip : 0);
  };
  std::map<Neighbour, std::vector<Neighbour>> list;
  for (const PlanCable& cable : plan.cables) {
    list[key(cable.a)].push_back(key(cable.b));
    list[key(cable.b)].push_back(key(cable.a));
  }
  return list;
}

class Matching {
 public:
  Matching(const Plan& old, const Plan& wanted)
      : old_(old),
        wanted_(wanted),
        match_(old.devices.size(), kNoDevice),
        taken_(wanted.devices.size(), 0) {}

  std::vector<std::uint32_t> run() {
    by_name();
    by_order();
    const auto near = neighbours_of(old_);
    const auto other = neighbours_of(wanted_);
    while (by_votes(near, other)) {
    }
    return std::move(match_);
  }

 private:
  void set(std::uint32_t old, std::uint32_t wanted) {
    match_[old] = wanted;
    taken_[wanted] = 1;
  }

  void by_name() {
    std::unordered_map<std::string, std::uint32_t> named;
    for (std::uint32_t d = 0; d < wanted_.devices.size(); ++d) {
      named.emplace(lower_case(wanted_.devices[d].name), d);
    }
    for (std::uint32_t d = 0; d < old_.devices.size(); ++d) {
      const auto at = named.find(lower_case(old_.devices[d].name));
      if (at == named.end() || taken_[at->second] != 0) continue;
      if (wanted_.devices[at->second].is_host() == old_.devices[d].is_host()) set(d, at->second);
    }
  }

  // Where no host has a name of the new plan, hosts follow each other in both.
  void by_order() {
    std::vector<std::uint32_t> hosts, places;
    for (std::uint32_t d = 0; d < old_.devices.size(); ++d) {
      if (!old_.devices[d].is_host()) continue;
      if (match_[d] != kNoDevice) return;
      hosts.push_back(d);
    }
    for (std::uint32_t d = 0; d < wanted_.devices.size(); ++d) {
      if (wanted_.devices[d].is_host()) places.push_back(d);
    }
    std::ranges::stable_sort(hosts, [&](std::uint32_t a, std::uint32_t b) {
      return natural_less(old_.devices[a].name, old_.devices[b].name);
    });
    for (std::size_t i = 0; i < hosts.size() && i < places.size(); ++i) set(hosts[i], places[i]);
  }

  struct Vote {
    std::size_t count;
    std::uint32_t old, wanted;
  };

  // Switches that share most neighbours; whether there were any.
  bool by_votes(const std::map<Neighbour, std::vector<Neighbour>>& near,
                const std::map<Neighbour, std::vector<Neighbour>>& other) {
    std::vector<Vote> votes;
    for (std::uint32_t d = 0; d < old_.devices.size(); ++d) {
      const auto mine = near.find({d, 0});
      if (match_[d] != kNoDevice || old_.devices[d].is_host() || mine == near.end()) continue;
      std::map<std::uint32_t, std::size_t> count;
      for (const auto& [device, adapter] : mine->second) {
        if (match_[device] == kNoDevice) continue;
        const auto theirs = other.find({match_[device], adapter});
        if (theirs == other.end()) continue;
        for (const auto& [candidate, chip] : theirs->second) {
          const bool free = taken_[candidate] == 0 && !wanted_.devices[candidate].is_host();
          if (free) ++count[candidate];
        }
      }
      for (const auto& [candidate, n] : count) votes.push_back({n, d, candidate});
    }
    std::ranges::stable_sort(votes, std::greater{}, &Vote::count);
    bool any = false;
    for (const Vote& vote : votes) {
      if (match_[vote.old] != kNoDevice || taken_[vote.wanted] != 0) continue;
      set(vote.old, vote.wanted);
      any = true;
    }
    return any;
  }

  const Plan& old_;
  const Plan& wanted_;
  std::vector<std::uint32_t> match_;
  std::vector<std::uint8_t> taken_;
};

}  // namespace

std::vector<std::uint32_t> match_devices(const Plan& old, const Plan& wanted) {
  return Matching(old, wanted).run();
}

}  // namespace fatwood
