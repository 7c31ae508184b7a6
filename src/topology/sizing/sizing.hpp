// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Trees for so many hosts: one, two and three levels, pods, planes, side by side.
//
// Rules.
//  - A leaf of k ports with down:up = a:b has a*s ports down and b*s up, s = k / (a + b) rounded
//    down. A unit smaller than that fills a leaf's down-ports only in part, and its up-ports
//    accordingly; a larger one gets several leaves a rail. A unit that is not full keeps all its
//    leaves and up-links.
//  - Parents of a switch: the least divisor of its up-ports that gives none of them more cables
//    than it has ports, so that every child has as many cables to each parent. Where a number that
//    does not divide needs fewer switches, that is an alternative of its own (uneven).
//  - A spine below cores splits its ports a:b likewise; its up-ports are as many as its used
//    down-ports need.
//  - A spine in each unit (`unit_spine`): as many spines as units, and up-links are dealt over them
//    from the own one on. A pair of leaves in a unit that stays alone needs no spine between them:
//    one up-link of each leads to the unit's spine, the others join the pair.
//  - Growth: spines and cores have ports for the units of later.
// Two levels of radix k have k^2/2 hosts and 3k/2 switches at most, three k^3/4 and 5k^2/4.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topology/sizing/catalogue.hpp"
#include "topology/sizing/design.hpp"

namespace fatwood {

struct PortRatio {
  std::uint32_t down = 1;
  std::uint32_t up = 1;
};

struct SizingOptions {
  std::uint32_t hosts = 1;
  std::uint32_t rails = 1;
  std::uint32_t ports = 1;
  std::uint32_t planes = 0;   // 0: one, and one for each rail as an alternative
  std::uint32_t speed = 200;  // Gb/s of a host link
  std::vector<SwitchKit> kits;
  std::vector<PortRatio> ratios;  // of leaves, of spines; 1:1 where not given
  std::uint32_t unit = 0;         // hosts; 0: what a leaf takes
  std::uint32_t pod = 0;          // hosts; 0: as large as can be
  bool unit_spine = false;        // each unit has a spine of its own
  std::uint32_t growth = 0;       // hosts of later
  std::uint32_t storage = 0, management = 0, gateways = 0, spare = 0;
};

struct Alternative {
  std::string name;  // "three levels, pods"
  std::string kit;   // "64-port NDR"
  Design design;
};

// Fewest switches first within a kit. InputError when nothing fits: what the largest could take.
std::vector<Alternative> size_fabric(const SizingOptions& options);

// The least divisor of `ports` that is at least `least`; 0 where there is none.
std::uint32_t least_divisor(std::uint32_t ports, std::uint64_t least);

// All switches of a design, without building it.
std::uint64_t switches_of(const Design& design);

}  // namespace fatwood
