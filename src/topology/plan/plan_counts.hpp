// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Counts the switches, links and cables of each level of a plan. It counts real devices and cables,
// not the numbers of the design, so that it can serve as a check of the design.

#include <cstdint>
#include <string>
#include <vector>

#include "topology/sizing/design.hpp"

namespace fatwood {

struct LevelCounts {
  std::string role;            // "leaf", "spine", "core"
  std::uint64_t switches = 0;  // boxes
  std::uint64_t chips = 0;     // of these boxes
  std::uint64_t links = 0;     // to the level below
  std::uint64_t cables = 0;    // for these links: a splitter holds several
  std::uint64_t joined = 0;    // links within the level
  std::uint64_t free_ports = 0;
  double gbps = 0;  // of all links to the level below, plus twice that of links within the level
};

struct PlanCounts {
  std::vector<LevelCounts> levels;  // from the leaves upwards
  std::uint64_t end_ports = 0;      // of compute hosts
  std::uint64_t service_ports = 0;  // of other hosts
  std::uint64_t switches() const;
  std::uint64_t cables() const;
  // Gb/s between two halves of the hosts, made of whole units: half of the level with the fewest
  // links.
  double bisection_gbps = 0;
};

// REQUIRES the plan of `design`, and links_per_cable >= 1: links that share a (twin-port) cable.
PlanCounts count_plan(const Plan& plan, const Design& design, std::uint32_t links_per_cable = 1);

}  // namespace fatwood
