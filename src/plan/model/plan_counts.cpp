// SPDX-License-Identifier: BSD-3-Clause
#include "plan/model/plan_counts.hpp"

#include <algorithm>
#include <utility>

#include "plan/sizing/design_walk.hpp"

namespace fatwood {

namespace {

// Counts what a walk of the design passes.
class DesignCounter {
 public:
  explicit DesignCounter(const Design& design)
      : d_(design),
        host_gbps_(sold_speed(rate_of_speed(design.speed, "").value())),
        gbps_(sold_speed(rate_of_speed(design.speed * design.split, "").value())) {
    counts_.levels.resize(design.levels());
    for (std::size_t l = 0; l < counts_.levels.size(); ++l)
      counts_.levels[l].role = kSwitchRoles[l];
  }

  void add_switch(SwitchRole role, std::uint32_t, std::uint32_t) {
    LevelCounts& level = counts_.levels[static_cast<std::size_t>(role)];
    ++level.switches;
    devices_.push_back({static_cast<std::uint8_t>(role), false, 0});
    const std::uint32_t ports = role == SwitchRole::kLeaf    ? d_.radix
                                : role == SwitchRole::kSpine ? d_.spine_ports()
                                                             : d_.core_ports();
    if (chips_of(role) != 0) return;  // set_cards
    ++level.chips;
    level.free_ports += ports;
  }
  void add_host(HostRole role, std::uint32_t, std::uint32_t) {
    devices_.push_back({0, role == HostRole::kCompute, 0});
  }

  void join(const DesignEnd& a, const DesignEnd& b, CableUse use) {
    const std::size_t at = devices_[b.device].level;
    LevelCounts& above = counts_.levels[at];
    if (use == CableUse::kHost) {
      ++(devices_[a.device].compute ? counts_.end_ports : counts_.service_ports);
      ++above.links;
      above.gbps += host_gbps_;
      // Links of a leaf come in the order of its ports.
      if (std::exchange(devices_[b.device].panel, b.panel) == b.panel) return;
      ++above.cables;  // also if it is a splitter
      --above.free_ports;
      return;
    }
    --above.free_ports;
    --counts_.levels[devices_[a.device].level].free_ports;
    if (use == CableUse::kUp) {
      ++above.links;
      ++above.cables;
      above.gbps += gbps_;
      return;
    }
    ++above.joined;
    // Between neighbours it does what an up-link of each does.
    if (at + 1 < counts_.levels.size()) counts_.levels[at + 1].gbps += 2 * gbps_;
  }

  // Cards that were bought: each has half of a chip's ports outside.
  void set_cards(std::uint32_t device, std::uint32_t cards) {
    const auto role = static_cast<SwitchRole>(devices_[device].level);
    LevelCounts& level = counts_.levels[devices_[device].level];
    level.chips += cards + chips_of(role) / 2;
    level.free_ports += std::uint64_t{cards} * (chips_of(role) / 2);
  }

  PlanCounts result(std::uint32_t links_per_cable) {
    for (LevelCounts& level : counts_.levels) {
      const bool splitters = d_.split > 1 && &level == &counts_.levels.front();
      if (!splitters) level.cables = ceil_div(level.cables, links_per_cable);
      level.joined_cables = ceil_div(level.joined, links_per_cable);
      const double half = level.gbps / 2;
      counts_.bisection_gbps =
          counts_.bisection_gbps == 0 ? half : std::min(counts_.bisection_gbps, half);
    }
    return std::move(counts_);
  }

 private:
  struct Counted {
    std::uint8_t level;
    bool compute;
    std::uint32_t panel;  // of a leaf: the last port with a host
  };
  std::uint32_t chips_of(SwitchRole role) const {
    return role == SwitchRole::kLeaf    ? 0
           : role == SwitchRole::kSpine ? d_.spine_chips
                                        : d_.core_chips;
  }

  const Design& d_;
  double host_gbps_, gbps_;
  PlanCounts counts_;
  std::vector<Counted> devices_;
};

}  // namespace

std::uint64_t PlanCounts::switches() const {
  std::uint64_t sum = 0;
  for (const LevelCounts& level : levels) sum += level.switches;
  return sum;
}
std::uint64_t PlanCounts::links() const {
  std::uint64_t sum = 0;
  for (const LevelCounts& level : levels) sum += level.links + level.joined;
  return sum;
}
std::uint64_t PlanCounts::cables() const {
  std::uint64_t sum = 0;
  for (const LevelCounts& level : levels) sum += level.cables + level.joined_cables;
  return sum;
}

PlanCounts count_design(const Design& design, std::uint32_t links_per_cable) {
  require_sound(design);  // before rates are looked up
  DesignCounter counter(design);
  walk_design(design, counter);
  return counter.result(links_per_cable);
}

}  // namespace fatwood
