// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Generates fabrics with rails, as large machines with many adapters per host are cabled, with the
// kinds of findings that real ones have. Shapes are as published; names, GUIDs and faults are made
// up.
//
//   A scalable unit has `hosts` hosts with `rails` adapters each, and one leaf for each rail:
//   adapter r of host k is in socket k+1 of leaf r, the same on all rails. Each leaf has `cables`
//   cables to each of its spines.
//
//      cores = 0   two levels: all leaves share `spines` spines
//      cores > 0   three levels: units are in `pods`. A pod has `spines` spines for each rail,
//                  which serve that rail only. Spine s of every rail and pod has one cable to each
//                  of the `cores` cores of group s. So rails and pods meet at cores only.
//
//         cores      C C C   C C C          group 0, group 1
//                     \|/     \|/
//         spines       S       S   | S S    rail 0 | rail 1 | ...   of one pod
//                      |\     /|   |
//         leaves      L L L L      | L L L L   one per unit | ...
//                     hosts
//
// In addition: management leaves, on single spines (two cables) or with a spine of their own on the
// cores; service hosts in free sockets of leaves and spines; storage servers with both ports of the
// card cabled; an aggregation node inside every switch. Faults are random, by seed. Each kind of
// fault has its own random stream; the members below list the kinds.
// References: the sizes are those of NVIDIA's DGX SuperPOD reference architectures (A100, H100,
// GB200).
// Cost: O(ports).

#include <cstdint>
#include <span>
#include <string_view>

#include "topology/fabric.hpp"

namespace fatwood {

struct RailFabric {
  std::uint32_t units = 4;
  std::uint32_t hosts = 32;  // per unit
  std::uint32_t rails = 8;
  std::uint32_t pods = 1;     // units fill them in order; the last one may have fewer
  std::uint32_t spines = 16;  // in total; with cores: per rail and pod
  std::uint32_t cables = 2;   // between a leaf and a spine
  std::uint32_t cores = 0;    // per group; there are as many groups as spines per rail
  std::uint32_t speed = 400;  // Gb/s of a cable: 100, 200, 400 or 800
  std::uint32_t ports = 0;    // sockets of a switch; 0: 36, 40, 64 or 144 by speed

  std::uint32_t sharp = 1;            // 1: an aggregation node in every switch
  std::uint32_t management = 0;       // leaves off one spine each, with five service hosts
  std::uint32_t core_management = 0;  // leaves with a spine of their own on the cores
  std::uint32_t leaf_hosts = 0;       // service hosts on leaves, from the last one
  std::uint32_t spine_hosts = 0;      // service hosts on spines, from the last one
  std::uint32_t storage = 0;          // dual-port servers, on management leaves, else on spines
  std::uint32_t hca = 0;              // units whose adapters are called HCA-k, not mlx5_n

  std::uint32_t missing_leaves = 0;
  std::uint32_t missing_hosts = 0;
  std::uint32_t missing_cables = 0;  // between switches
  std::uint32_t crossed_cables = 0;  // pairs of up-links of two leaves to two spines, exchanged
  std::uint32_t crossed_hosts = 0;   // hosts with two neighbouring rails exchanged
  std::uint32_t swapped_hosts = 0;   // neighbours that took each other's socket on one rail
  std::uint32_t slow_cables = 0;     // between switches, one speed lower
  std::uint32_t slow_hosts = 0;      // adapters, one speed lower
  std::uint32_t unnamed = 0;    // hosts never named; every fourth of them on its first rail only
  std::uint32_t localhost = 0;  // hosts called localhost
  std::uint32_t seed = 1;
};

struct RailFabricKey {
  std::string_view name;
  std::uint32_t RailFabric::* value;
};
std::span<const RailFabricKey> rails_keys();

// InputError if a switch would need more sockets than it has, or if there is too little to damage.
Fabric make_rail_fabric(const RailFabric& rails);

}  // namespace fatwood
