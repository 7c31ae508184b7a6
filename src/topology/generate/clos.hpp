// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Generates Clos fabrics of Ethernet switches as back-end networks have them: leaf-spine, or pods
// of leaves and spines under cores; several planes; hosts on one leaf or on a pair.
//
//   pods = 0   every leaf has `cables` cables to every spine
//   pods > 0   so within each pod; spine i of every pod has a cable to each of the `cores` cores of
//              group i
//   planes     so many fabrics side by side; a host has an adapter in each
//   homes = 2  hosts are on pairs of leaves (1 and 2, 3 and 4, ...): their adapters have two ports
//
// Ports: hosts first, in order; then up-links. Down-links of a spine in order of leaves.
// Names: leaf1, spine1; pod2-leaf1, core1; with planes p1-leaf1. Adapter k of host n is
// "hostn ens<k>".
// AS numbers follow from the shape (routing/adaptive/as_numbers.hpp).
// Cost: O(ports).

#include <cstdint>
#include <span>
#include <string_view>

#include "topology/fabric.hpp"

namespace fatwood {

struct ClosFabric {
  std::uint32_t leaves = 4;  // of a pod, in each plane
  std::uint32_t spines = 2;  // of a pod, in each plane
  std::uint32_t hosts = 4;   // on a leaf, or on a pair of leaves
  std::uint32_t cables = 1;  // between a leaf and a spine
  std::uint32_t pods = 0;    // 0: two levels
  std::uint32_t cores = 2;   // of a group, in each plane
  std::uint32_t planes = 1;
  std::uint32_t homes = 1;    // leaves of a host in each plane: 1 or 2
  std::uint32_t speed = 400;  // Gb/s of host cables
  std::uint32_t up = 0;       // Gb/s of the others; 0: the same
};

struct ClosFabricKey {
  std::string_view name;
  std::uint32_t ClosFabric::* value;
};
std::span<const ClosFabricKey> clos_keys();

// InputError for numbers that make no fabric, and switches of more than kMaxPorts ports.
Fabric make_clos(const ClosFabric& clos);

}  // namespace fatwood
