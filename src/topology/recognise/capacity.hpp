// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Ports and bandwidth by level: how much goes down, how much goes up, how much is free.
//
// Oversubscription of a level is bandwidth down (hosts and lower switches) over bandwidth up, in
// rates as cabled; of a cable without a known rate nothing is known and it counts as one unit when
// no cable of the fabric has a rate, as none otherwise. Aggregation adapters do not count.
// Bisection of a tree: half of the least that any level hands up, hosts included: what one half of
// the hosts can send to the other when the tree is split along its sub-trees.
// Cost: O(ports).

#include <cstdint>
#include <optional>
#include <vector>

#include "topology/levels/levels.hpp"

namespace fatwood {

struct LevelCapacity {
  Level level = 0;
  std::uint64_t switches = 0;
  std::uint64_t hosts = 0;  // on switches of this level; one with several ports once a switch
  std::uint64_t down = 0, up = 0, side = 0;                 // ports to switches
  std::uint64_t free = 0, internal = 0;                     // no cable; aggregation adapters
  std::uint32_t least_ports = kMaxPorts, most_ports = 0;    // of one switch
  std::uint64_t megabits_down = 0, megabits_up = 0;         // hosts are down
  std::uint32_t least_hosts = 0xffffffffU, most_hosts = 0;  // of one switch
};

struct Bisection {
  Level level = 0;               // what this level hands up is the least; 0 is the hosts
  std::uint64_t cables = 0;      // that it hands up; half of them cross
  std::uint64_t megabits = 0;    // that cross
  std::uint64_t hosts_megabits;  // half of what the hosts can send
};

struct Capacity {
  std::vector<LevelCapacity> levels;   // level 1 first
  std::optional<Bisection> bisection;  // of trees with hosts
  bool by_rate = true;                 // false: megabits are cables, as no rate is known
};

Capacity capacity(const Fabric& fabric, const Levels& levels);

}  // namespace fatwood
