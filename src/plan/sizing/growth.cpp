// SPDX-License-Identifier: BSD-3-Clause
#include "plan/sizing/growth.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "plan/model/device_words.hpp"

namespace fatwood {

namespace {

using GrowthSocket = decltype(PlanEnd{}.socket());

// What a cable joins: devices, and adapters of hosts.
using Joined =
    std::pair<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>>;

class Growing {
 public:
  Growing(const Plan& old, const Plan& wanted) : old_(old), wanted_(wanted) {
    growth_.plan.devices = wanted.devices;
  }

  Growth run() {
    match();
    sort_cables();
    pair_moves();
    give_ports();
    return std::move(growth_);
  }

 private:
  void match() {
    match_ = match_devices(old_, wanted_);
    std::vector<std::uint8_t> known(wanted_.devices.size(), 0);
    for (std::uint32_t d = 0; d < old_.devices.size(); ++d) {
      if (match_[d] == kNoDevice) {
        match_[d] = static_cast<std::uint32_t>(growth_.plan.devices.size());
        growth_.removed_devices.push_back(match_[d]);
        growth_.plan.devices.push_back(old_.devices[d]);
        continue;
      }
      known[match_[d]] = 1;
      keep_larger(growth_.plan.devices[match_[d]], old_.devices[d]);
    }
    std::set<std::string> names;
    for (const PlanDevice& device : old_.devices) names.insert(lower_case(device.name));
    for (std::uint32_t d = 0; d < known.size(); ++d) {
      if (known[d] != 0) continue;
      growth_.added_devices.push_back(d);
      // Another device may have this name already.
      std::string& name = growth_.plan.devices[d].name;
      while (!names.insert(lower_case(name)).second) name += "-new";
    }
  }
  // Old cables may be at ports that the new plan does not use; names and places are those that are
  // built.
  static void keep_larger(PlanDevice& device, const PlanDevice& was) {
    device.name = was.name;
    for (PlanChip& chip : device.chips) {
      // By name: a director with more cards has its spine chips at other numbers. A switch or an
      // adapter with one chip may call it differently.
      const auto at = std::ranges::find(was.chips, chip.name, &PlanChip::name);
      const bool only = device.chips.size() == 1 && was.chips.size() == 1;
      if (at == was.chips.end() && !only) continue;
      const PlanChip& before = only ? was.chips.front() : *at;
      chip.guid = before.guid;
      chip.ports = std::max(chip.ports, before.ports);
    }
    if (was.unit == 0) return;
    device.rack = was.rack;
    device.unit = was.unit;
  }

  Joined joined(const PlanCable& cable) const {
    const auto part = [&](const PlanEnd& end) {
      const bool host = growth_.plan.devices[end.device].is_host();
      return std::pair(end.device, host ? end.chip : 0U);
    };
    Joined key{part(cable.a), part(cable.b)};
    if (key.second < key.first) std::swap(key.first, key.second);
    return key;
  }

  void sort_cables() {
    std::map<Joined, std::vector<PlanCable>> was;
    for (PlanCable cable : old_.cables) {
      cable.a.device = match_[cable.a.device];
      cable.b.device = match_[cable.b.device];
      was[joined(cable)].push_back(std::move(cable));
    }
    // As many as both have stay; those at the same ports rather than others.
    std::map<Joined, std::vector<PlanCable>> wanted;
    for (const PlanCable& cable : wanted_.cables) wanted[joined(cable)].push_back(cable);
    for (auto& [key, cables] : wanted) {
      std::vector<PlanCable>& there = was[key];
      std::set<std::pair<GrowthSocket, GrowthSocket>> same;
      for (const PlanCable& cable : cables) same.insert(sockets(cable));
      std::ranges::stable_partition(
          there, [&](const PlanCable& cable) { return same.contains(sockets(cable)); });
      const std::size_t stay = std::min(there.size(), cables.size());
      for (std::size_t i = 0; i < stay; ++i) keep(there[i]);
      there.erase(there.begin(), there.begin() + static_cast<std::ptrdiff_t>(stay));
      drop_same(cables, stay);
      for (const PlanCable& cable : cables) {
        growth_.added.push_back(static_cast<std::uint32_t>(growth_.plan.cables.size()));
        growth_.plan.cables.push_back(cable);
      }
    }
    for (auto& [key, cables] : was) {
      for (PlanCable& cable : cables) growth_.removed.push_back(std::move(cable));
    }
  }
  static std::pair<GrowthSocket, GrowthSocket> sockets(const PlanCable& cable) {
    return std::minmax(cable.a.socket(), cable.b.socket());
  }
  void keep(const PlanCable& cable) {
    growth_.kept.push_back(static_cast<std::uint32_t>(growth_.plan.cables.size()));
    taken_.insert(cable.a.socket());
    taken_.insert(cable.b.socket());
    growth_.plan.cables.push_back(cable);
  }
  // Leaves those that are to be added: first without the ports of kept ones.
  void drop_same(std::vector<PlanCable>& cables, std::size_t stay) const {
    std::ranges::stable_partition(cables, [&](const PlanCable& cable) {
      return taken_.contains(cable.a.socket()) || taken_.contains(cable.b.socket());
    });
    cables.erase(cables.begin(), cables.begin() + static_cast<std::ptrdiff_t>(stay));
  }

  // A removed and an added cable with a device in common, hosts and leaves before others.
  void pair_moves() {
    std::vector<std::uint8_t> used_old(growth_.removed.size(), 0);
    std::vector<std::uint8_t> used_new(growth_.plan.cables.size(), 0);
    std::map<std::pair<unsigned, std::uint32_t>, std::vector<std::uint32_t>> away, here;
    const auto key = [&](const PlanEnd& end) {
      return std::pair(growth_level(growth_.plan.devices[end.device]), end.device);
    };
    for (std::uint32_t i = 0; i < growth_.removed.size(); ++i) {
      away[key(growth_.removed[i].a)].push_back(i);
      away[key(growth_.removed[i].b)].push_back(i);
    }
    for (const std::uint32_t i : growth_.added) {
      here[key(growth_.plan.cables[i].a)].push_back(i);
      here[key(growth_.plan.cables[i].b)].push_back(i);
    }
    for (const auto& [device, list] : away) {
      const auto at = here.find(device);
      if (at == here.end()) continue;
      std::size_t next = 0;
      for (const std::uint32_t r : list) {
        if (used_old[r] != 0) continue;
        const std::uint32_t a = next_move(r, device.second, at->second, used_new, next);
        if (a == kNoDevice) continue;
        used_old[r] = used_new[a] = 1;
        growth_.moves.push_back({r, a});
        stays(growth_.removed[r], growth_.plan.cables[a], device.second);
      }
    }
  }
  static auto& end_at(auto& cable, std::uint32_t device) {
    return cable.a.device == device ? cable.a : cable.b;
  }

  // The next added cable at this device that is free and, at a host, of the same adapter.
  std::uint32_t next_move(std::uint32_t r, std::uint32_t device,
                          const std::vector<std::uint32_t>& list,
                          const std::vector<std::uint8_t>& used, std::size_t& next) const {
    while (next < list.size() && used[list[next]] != 0) ++next;
    for (std::size_t i = next; i < list.size(); ++i) {
      if (used[list[i]] != 0) continue;
      const PlanEnd& was = end_at(growth_.removed[r], device);
      const PlanEnd& now = end_at(growth_.plan.cables[list[i]], device);
      const bool host = growth_.plan.devices[device].is_host();
      if (!host || was.chip == now.chip) return list[i];
    }
    return kNoDevice;
  }
  // The new cable takes the port where the old one is.
  void stays(const PlanCable& was, PlanCable& now, std::uint32_t device) {
    const PlanEnd& end = end_at(was, device);
    PlanEnd& there = end_at(now, device);
    there = end;
    taken_.insert(end.socket());
    fixed_.insert(&there);
  }

  void give_ports() {
    // Ports that the new plan uses on each device, and how they are called.
    std::map<std::uint32_t, std::map<GrowthSocket, PlanEnd>> sockets;
    for (const PlanCable& cable : wanted_.cables) {
      sockets[cable.a.device].emplace(cable.a.socket(), cable.a);
      sockets[cable.b.device].emplace(cable.b.socket(), cable.b);
    }
    std::vector<PlanEnd*> without_port;
    for (const std::uint32_t i : growth_.added) {
      for (PlanEnd* end : {&growth_.plan.cables[i].a, &growth_.plan.cables[i].b}) {
        if (fixed_.contains(end) || taken_.insert(end->socket()).second) continue;
        without_port.push_back(end);
      }
    }
    for (PlanEnd* end : without_port) {
      const bool host = growth_.plan.devices[end->device].is_host();
      for (const auto& [socket, text] : sockets[end->device]) {
        if (host && text.chip != end->chip) continue;  // an adapter keeps its cables
        if (!taken_.insert(socket).second) continue;
        *end = text;
        break;
      }
    }
  }

  const Plan& old_;
  const Plan& wanted_;
  Growth growth_;
  std::vector<std::uint32_t> match_;
  std::set<GrowthSocket> taken_;    // by cables that stay or are added
  std::set<const PlanEnd*> fixed_;  // ends of added cables that have their port
};

}  // namespace

Plan Growth::state(std::size_t step, bool unplugged) const {
  Plan result;
  result.devices = plan.devices;
  std::vector<std::uint8_t> gone(removed.size(), 0);
  for (const std::uint32_t i : kept) result.cables.push_back(plan.cables[i]);
  for (std::size_t s = 0; s < step; ++s) {
    for (const std::uint32_t r : steps[s].unplug) gone[r] = 1;
    for (const std::uint32_t i : steps[s].plug) result.cables.push_back(plan.cables[i]);
  }
  if (unplugged && step < steps.size()) {
    for (const std::uint32_t r : steps[step].unplug) gone[r] = 1;
  }
  for (std::uint32_t r = 0; r < removed.size(); ++r) {
    if (gone[r] == 0) result.cables.push_back(removed[r]);
  }
  return result;
}

Growth grow(const Plan& old, const Plan& wanted, const GrowthOptions& options) {
  Growth growth = Growing(old, wanted).run();
  order_growth(growth, options);
  order_actions(growth);
  return growth;
}

}  // namespace fatwood
