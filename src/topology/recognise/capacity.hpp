// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Ports and bandwidth by level: towards hosts (down), towards the top (up), and free ports.
//
// The oversubscription of a level is its bandwidth down (hosts and lower switches) divided by its
// bandwidth up, at the rates as cabled. A cable of unknown rate counts as 0; if no cable of the
// fabric has a rate, each counts as one unit. Aggregation adapters are not counted.
// The bisection of a tree is half of the smallest bandwidth up of any level, hosts included. If the
// tree is split in two halves along its sub-trees, one half can send that much to the other.
// Cost: O(ports).

#include <cstdint>
#include <optional>
#include <vector>

#include "topology/levels/levels.hpp"

namespace fatwood {

struct LevelCapacity {
  Level level = 0;
  std::uint64_t switches = 0;
  std::uint64_t hosts = 0;  // on this level; a host with several ports counts once per switch
  std::uint64_t down = 0, up = 0, side = 0;                 // ports to switches
  std::uint64_t free = 0, internal = 0;                     // no cable; aggregation adapters
  std::uint32_t least_ports = kMaxPorts, most_ports = 0;    // of one switch
  std::uint64_t megabits_down = 0, megabits_up = 0;         // hosts are down
  std::uint32_t least_hosts = 0xffffffffU, most_hosts = 0;  // of one switch
};

struct Bisection {
  Level level = 0;               // with the smallest bandwidth up; 0: the hosts
  std::uint64_t cables = 0;      // up from this level; half of them cross the bisection
  std::uint64_t megabits = 0;    // across the bisection
  std::uint64_t hosts_megabits;  // half of what the hosts can send
};

struct Capacity {
  std::vector<LevelCapacity> levels;   // level 1 first
  std::optional<Bisection> bisection;  // of trees with hosts
  bool by_rate = true;                 // false: no rate is known, so megabits count cables
};

Capacity capacity(const Fabric& fabric, const Levels& levels);

}  // namespace fatwood
