// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A tree of switches, described by numbers. `fatwood plan` chooses between designs, and the formula
// "plan(hosts=512,rails=8,...)" makes one.
//
//   Hosts are in units, units in pods. Each plane is a separate network with its own leaves, spines
//   and cores.
//   - Unit: on each plane one leaf per rail (or `leaf_sets` leaves per rail). If `packed`, its
//     leaves take all adapters of a host instead.
//   - Pod: one group of `spines` spines, or one such group for each rail (`by_rail`). The up-ports
//     of a leaf are spread over the spines of its group: equally many cables to each, and the rest
//     to the next ones in a circle, so that the numbers differ by at most one.
//   - Cores: spine i of each group has its up-ports on the cores of group i, spread in the same
//     way.
//
//      cores      C C   C C        group 1, group 2     `cores` per group
//      spines     S  S  |  S  S    pod 1 | pod 2        `spines` per group
//      leaves     L L L L          one per unit and rail
//      hosts
//
// End port e of a host (rail e / ports, port e % ports) is on plane e % planes. A leaf port with
// `split` serves that many hosts, at `speed` each. The first places of the first units are for
// storage, management and gateway hosts, so that a fabric can grow without moving them. Ports of a
// leaf: hosts, then up-links, then links to its neighbour (`joined`). Ports of a spine: leaves,
// then cores. Ports for units that are not built yet (`room`) stay free.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "plan/model/plan.hpp"

namespace fatwood {

constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

struct Design {
  std::uint32_t hosts = 1;    // compute hosts
  std::uint32_t rails = 1;    // adapters per host
  std::uint32_t ports = 1;    // per adapter
  std::uint32_t planes = 1;   // separate networks
  std::uint32_t speed = 200;  // Gb/s of a host link

  std::uint32_t unit = 1;       // places for hosts in a unit
  std::uint32_t leaf_sets = 1;  // leaves per rail in a unit: hosts are spread over them
  std::uint32_t packed = 0;     // 1: all adapters of a host on one leaf
  std::uint32_t room = 0;       // units that upper levels have ports for; 0: those that are built
  std::uint32_t spare = 0;      // free host links of each leaf

  std::uint32_t radix = 40;  // ports of a leaf
  std::uint32_t split = 1;   // host links of a leaf port
  std::uint32_t cage = 1;    // ports of a cage, for the texts of ports
  std::uint32_t up = 0;      // up-ports of a leaf; 0: one level
  std::uint32_t joined = 0;  // cables between neighbouring leaves of a unit
  std::uint32_t spines = 0;  // of a group
  // 1: each unit has a spine; cables that cannot be divided equally start at the unit's own spine.
  std::uint32_t own_spines = 0;
  std::uint32_t spine_radix = 0;  // 0: as a leaf
  std::uint32_t spine_chips = 0;  // if spines are directors: ports of the chips inside
  std::uint32_t pod_units = 0;    // units of a pod; 0: one pod
  std::uint32_t by_rail = 0;      // 1: each rail of a pod has its own spines
  std::uint32_t spine_up = 0;     // up-ports of a spine; 0: two levels
  std::uint32_t cores = 0;        // of a group
  std::uint32_t core_radix = 0;   // 0: as a spine
  std::uint32_t core_chips = 0;   // if cores are directors: ports of the chips inside

  std::uint32_t storage = 0;     // links of storage hosts
  std::uint32_t management = 0;  // links of management hosts
  std::uint32_t gateways = 0;    // links of gateways

  // Derived.
  std::uint32_t ends() const { return rails * ports; }          // of a host
  std::uint32_t plane_ends() const { return ends() / planes; }  // of them, on a plane
  std::uint32_t leaf_rails() const { return packed != 0 ? 1 : plane_ends(); }
  std::uint32_t leaf_ends() const {
    return packed != 0 ? plane_ends() : 1;
  }  // of a host, on a leaf
  std::uint32_t leaf_hosts() const { return (unit + leaf_sets - 1) / leaf_sets; }
  std::uint32_t leaf_links() const { return leaf_hosts() * leaf_ends() + spare; }
  std::uint32_t down() const { return (leaf_links() + split - 1) / split; }  // ports of a leaf
  std::uint32_t service_places() const;
  std::uint32_t places() const { return hosts + service_places(); }
  std::uint32_t units() const { return (places() + unit - 1) / unit; }
  std::uint32_t unit_leaves() const { return leaf_rails() * leaf_sets; }  // on a plane
  std::uint32_t units_of_pod() const { return pod_units == 0 ? room_units() : pod_units; }
  std::uint32_t room_units() const { return room > units() ? room : units(); }
  std::uint32_t pods() const { return (units() + units_of_pod() - 1) / units_of_pod(); }
  std::uint32_t room_pods() const { return (room_units() + units_of_pod() - 1) / units_of_pod(); }
  std::uint32_t groups_of_pod() const { return by_rail != 0 ? leaf_rails() : 1; }
  std::uint32_t group_leaves() const { return units_of_pod() * unit_leaves() / groups_of_pod(); }
  // Down-ports of the spine with the most, once all its units are built.
  std::uint32_t spine_down() const;
  std::uint32_t core_down() const;
  std::uint32_t spine_ports() const { return spine_radix == 0 ? radix : spine_radix; }
  std::uint32_t core_ports() const { return core_radix == 0 ? spine_ports() : core_radix; }
  unsigned levels() const { return up == 0 ? 1 : spine_up == 0 ? 2 : 3; }

  friend bool operator==(const Design&, const Design&) = default;
};

struct DesignKey {
  std::string_view name;
  std::uint32_t Design::* value;
};
std::span<const DesignKey> design_keys();

// "plan(hosts=512,rails=8,...)": the keys that differ from the defaults.
std::string formula(const Design& design);

// What is wrong with the design, as a sentence; "" if it can be built.
std::string fault_of(const Design& design);

// One plane of the design. Hosts have only the adapters of that plane.
Design plane_of(const Design& design);

// Devices, the inside of directors, and cables; no places, labels or lengths. InputError with
// fault_of().
Plan make_plan(const Design& design);

}  // namespace fatwood
