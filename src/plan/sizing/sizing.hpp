// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds trees for a given number of hosts: with one, two or three levels, with pods, with planes.
//
// Rules.
// - Leaves. A leaf of k ports with down:up = a:b has a*s ports down and b*s up, where s = k / (a +
//   b) rounded down. If a unit has fewer hosts, its leaves use part of the down-ports, and up-ports
//   in proportion. If it has more, it gets several leaves per rail. A unit that is not full still
//   has all its leaves and up-links.
// - Parents. The number of parents of a switch is the smallest divisor of its up-ports for which no
//   parent needs more ports than it has. So every child has equally many cables to each parent. If
//   a number that is not a divisor needs fewer switches, it is a separate alternative (uneven).
// - Pods are of equal sizes, unless larger ones need fewer switches. Cores are like parents: if a
//   number that is no divisor needs fewer switches, it is a separate alternative (uneven).
// - An alternative of several levels with more than twice as many switches as another, of the same
//   kit, planes and way to connect hosts (to one leaf or several), is left out.
// - Spines below cores divide their ports a:b in the same way. They have as many up-ports as their
//   used down-ports need.
// - A spine in each unit (`unit_spine`): as many spines as units. The up-links of a leaf are spread
//   over them, starting with the unit's own spine. A single unit with two leaves needs no spine
//   between them: one up-link of each leaf leads to the unit's spine, the others connect the two
//   leaves.
// - Growth: spines and cores have ports for later units.
//
// With radix k, two levels have at most k^2/2 hosts and 3k/2 switches, three k^3/4 and 5k^2/4.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plan/sizing/design.hpp"

namespace fatwood {

// Switches to choose from. The default catalogue has the port counts of each generation of
// InfiniBand, without products and prices; users can replace it.
struct SwitchModel {
  std::string name;
  std::uint32_t ports = 0;
  std::uint32_t speed = 0;   // Gb/s of a port
  std::uint32_t split = 1;   // parts that a port can be split into
  std::uint32_t cage = 1;    // ports of a cage
  std::uint32_t chips = 0;   // director: ports of the chips inside; 0: no director
  std::uint32_t height = 1;  // in rack units

  friend bool operator==(const SwitchModel&, const SwitchModel&) = default;
};

std::span<const SwitchModel> default_catalogue();

// The switches of a fabric, for hosts of a given speed.
struct SwitchKit {
  SwitchModel leaf;
  SwitchModel spine;        // also for cores
  std::uint32_t split = 1;  // of host ports of leaves
};

// Kits whose leaves serve hosts of this speed, with or without split ports. Plain switches come
// first, then directors as spines.
std::vector<SwitchKit> kits_for(std::span<const SwitchModel> catalogue, std::uint32_t speed);

struct PortRatio {
  std::uint32_t down = 1;
  std::uint32_t up = 1;
};

struct SizingOptions {
  std::uint32_t hosts = 1;
  std::uint32_t rails = 1;
  std::uint32_t ports = 1;
  std::uint32_t planes = 0;   // 0: one; the alternative with one per rail is also considered
  std::uint32_t speed = 200;  // Gb/s of a host link
  std::vector<SwitchKit> kits;
  std::vector<PortRatio> ratios;  // of leaves, of spines; default 1:1
  std::uint32_t unit = 0;         // hosts; 0: as many as a leaf takes
  std::uint32_t pod = 0;          // hosts; 0: as many as possible
  bool unit_spine = false;        // each unit has a spine of its own
  std::uint32_t growth = 0;       // later hosts
  std::uint32_t storage = 0, management = 0, gateways = 0, spare = 0;
};

struct Alternative {
  std::string name;  // "three levels, pods"
  std::string kit;   // "64-port NDR"
  Design design;
};

// Fewest switches first within a kit. InputError, with the largest possible size, if nothing fits.
std::vector<Alternative> size_fabric(const SizingOptions& options);

// The smallest divisor of `ports` that is at least `least`; 0 if there is none.
std::uint32_t least_divisor(std::uint32_t ports, std::uint64_t least);

// The number of switches of a design, without building it.
std::uint64_t switches_of(const Design& design);

}  // namespace fatwood
