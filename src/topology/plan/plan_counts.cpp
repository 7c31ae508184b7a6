// SPDX-License-Identifier: BSD-3-Clause
#include "topology/plan/plan_counts.hpp"

#include <algorithm>

namespace fatwood {

namespace {

std::size_t level_of(const PlanDevice& device) {
  const auto role = std::ranges::find(kSwitchRoles, device.role);
  return static_cast<std::size_t>(role - kSwitchRoles.begin()) + 1;
}

// Links of one device to hosts, and to others.
struct Use {
  std::uint64_t hosts = 0;
  std::uint64_t others = 0;
};

std::uint64_t outer_ports(const Design& d, const PlanDevice& device) {
  const std::size_t level = level_of(device);
  if (level == 1) return d.radix;
  const std::uint32_t chips = level == 2 ? d.spine_chips : d.core_chips;
  if (chips == 0) return level == 2 ? d.spine_ports() : d.core_ports();
  // Cards that were bought: each has half of a chip's ports outside.
  return std::uint64_t{chips / 2} * (device.chips.size() - chips / 2);
}

}  // namespace

std::uint64_t PlanCounts::switches() const {
  std::uint64_t sum = 0;
  for (const LevelCounts& level : levels) sum += level.switches;
  return sum;
}
std::uint64_t PlanCounts::cables() const {
  std::uint64_t sum = 0;
  for (const LevelCounts& level : levels) sum += level.cables + level.joined;
  return sum;
}

PlanCounts count_plan(const Plan& plan, const Design& design, std::uint32_t links_per_cable) {
  PlanCounts counts;
  counts.levels.resize(design.levels());
  std::vector<Use> use(plan.devices.size());
  for (const PlanCable& cable : plan.cables) {
    const PlanDevice& a = plan.device(cable.a);
    const PlanDevice& b = plan.device(cable.b);
    if (a.is_host()) {
      ++use[cable.b.device].hosts;
      ++(a.role == "compute" ? counts.end_ports : counts.service_ports);
    } else {
      ++use[cable.a.device].others;
      ++use[cable.b.device].others;
    }
    LevelCounts& above = counts.levels[level_of(b) - 1];
    if (!a.is_host() && level_of(a) == level_of(b)) {
      ++above.joined;
      // Between neighbours it does what an up-link of each does.
      if (level_of(b) < counts.levels.size()) {
        counts.levels[level_of(b)].gbps += 2 * sold_speed(cable.rate);
      }
      continue;
    }
    ++above.links;
    above.gbps += sold_speed(cable.rate);
  }
  for (std::size_t d = 0; d < plan.devices.size(); ++d) {
    const PlanDevice& device = plan.devices[d];
    if (device.is_host()) continue;
    LevelCounts& level = counts.levels[level_of(device) - 1];
    level.role = device.role;
    ++level.switches;
    level.chips += device.chips.size();
    const std::uint64_t split = ceil_div(use[d].hosts, design.split);
    level.cables += split;  // of hosts
    level.free_ports += outer_ports(design, device) - split - use[d].others;
  }
  for (LevelCounts& level : counts.levels) {
    if (level.role != "leaf" || design.split == 1) level.cables = level.links;
    level.cables = ceil_div(level.cables, links_per_cable);
    const double half = level.gbps / 2;
    counts.bisection_gbps =
        counts.bisection_gbps == 0 ? half : std::min(counts.bisection_gbps, half);
  }
  return counts;
}

}  // namespace fatwood
