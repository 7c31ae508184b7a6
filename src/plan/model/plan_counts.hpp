// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Counts the switches, links and cables of each level of a design: its devices and links one by
// one, as make_plan has them, without keeping them.
//
// Cables. A splitter is one cable for all links of a leaf port. If links share twin-port cables,
// those of a level are paired; splitters are not. bill.hpp counts a plan by the same rules.
// Cost: O(links), about 10 ns each.

#include <cstdint>
#include <string>
#include <vector>

#include "plan/sizing/design.hpp"

namespace fatwood {

struct LevelCounts {
  std::string role;            // "leaf", "spine", "core"
  std::uint64_t switches = 0;  // boxes
  std::uint64_t chips = 0;     // of these boxes
  std::uint64_t links = 0;     // to the level below
  std::uint64_t cables = 0;    // for these links: a splitter holds several
  std::uint64_t joined = 0;    // links within the level
  std::uint64_t joined_cables = 0;
  std::uint64_t free_ports = 0;
  double gbps = 0;  // of all links to the level below, plus twice that of links within the level
};

struct PlanCounts {
  std::vector<LevelCounts> levels;  // from the leaves upwards
  std::uint64_t end_ports = 0;      // of compute hosts
  std::uint64_t service_ports = 0;  // of other hosts
  std::uint64_t switches() const;
  std::uint64_t links() const;
  std::uint64_t cables() const;
  // Gb/s between two halves of the hosts, made of whole units: half of the level with the fewest
  // links.
  double bisection_gbps = 0;
};

// REQUIRES links_per_cable >= 1: links that share a (twin-port) cable. InputError with fault_of().
PlanCounts count_design(const Design& design, std::uint32_t links_per_cable = 1);

}  // namespace fatwood
