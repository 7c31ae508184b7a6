// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds rails and scalable units from the cabling. In a rail-optimised fabric the hosts of a unit
// have one adapter on each of the unit's leaves; rail r is the leaf of adapter r.
//
// Method. Names of switches are used only to number units in the order that people expect.
//  1. Units. Two leaves belong together if more than half of the hosts on the busier leaf are also
//     on the other. Leaves that belong together, two or more, are a unit if most of their hosts
//     reach more than half of them. A storage leaf serves members of units and belongs to none.
//  2. Rails. The leaves of a unit are ordered by the device that most of its members have there
//     ("mlx5_0" first); the port number on a card breaks ties. A unit that lacks a leaf is compared
//     with the most common list of devices that contains its own.
//  3. Members of a unit are the hosts that reach more than half of its leaves, and those that have
//     the usual device on every leaf that they reach. Other hosts on these leaves are guests:
//     managers, storage.
//  4. Leaf port. A host should have the same port number on all leaves of its unit. This leaf port
//     is the number of more than half of its cables; if there is none, the only number among its
//     cables that no other member has as leaf port. It shows which host a loose adapter belongs to
//     (place_loose), and reveals two hosts that are swapped on one leaf.
//  5. Pods are units that share a spine. Planes are components of the fabric.
//
// The sentences for findings are in report/. Cost: O(ports), and a breadth-first search from each
// leaf of a rail to find where rails meet.

#include <cstdint>
#include <string>
#include <vector>

#include "topology/hosts/hosts.hpp"

namespace fatwood {

enum class Rail : std::uint32_t {};  // from 0; people count from 1
enum class ScalableUnit : std::uint32_t {};
enum class Pod : std::uint32_t {};

inline constexpr Port kNoLeafPort{0};  // the host has no common port on its leaves

enum class LeafUse : std::uint8_t {
  kNone,        // no hosts
  kPlain,       // hosts, in a fabric without rails
  kRail,        // a rail of a unit
  kStorage,     // no rail; hosts of units have adapters there
  kManagement,  // no rail; only hosts that are in no unit
};

struct RailUnit {
  Table<Rail, Switch> leaf;   // kNone if the unit has none
  std::vector<Host> members;  // in order of leaf port
  std::vector<Host> guests;
  Pod pod{};
};

enum class RailFault : std::uint8_t {
  kLeafMissing,     // `unit` has no leaf in `rail`
  kAdapterMissing,  // `host` has no adapter on `expected`, the leaf of `rail` in its unit
  kCrossed,         // `terminal`, by its device of `rail`, is on `found` instead of `expected`
  kExchanged,       // `host` and `other` use each other's port of leaf `found`
  kOffPort,         // `host` uses another port of `found` than of its other leaves
};

struct RailFinding {
  RailFault kind{};
  ScalableUnit unit = kNone<ScalableUnit>;
  Rail rail = kNone<Rail>;
  Host host = kNone<Host>;
  Host other = kNone<Host>;
  Switch found = kNone<Switch>;
  Switch expected = kNone<Switch>;
  Terminal terminal = kNone<Terminal>;        // with the cable concerned
  Terminal other_terminal = kNone<Terminal>;  // of `other`
  Port usual_port = kNoLeafPort;              // of the host on its other leaves
};

// Number of switches on a shortest path between two leaves; 0: no pair; kDisconnected: no path.
struct SwitchesBetween {
  static constexpr std::uint32_t kDisconnected = 0xffffffffU;
  std::uint32_t least = 0;
  std::uint32_t most = 0;
};

struct Rails {
  Table<Rail, std::string> device;  // the name that most members use: "mlx5_0"; "" if unnamed
  Table<ScalableUnit, RailUnit> units;
  std::size_t pods = 0;
  std::size_t planes = 0;
  Table<Switch, LeafUse> use;
  Table<Switch, ScalableUnit> unit_of;  // for leaves of a rail
  Table<Switch, Rail> rail_of;          // for leaves of a rail
  Table<Host, ScalableUnit> member_of;  // or kNone
  Table<Host, Port> leaf_port;          // port of a member on the leaves of its unit
  SwitchesBetween between_rails;        // of one unit
  SwitchesBetween between_units;        // on one rail
  std::size_t spines = 0;               // switches with a cable to a leaf of a rail
  std::size_t spines_of_one_rail = 0;
  std::vector<RailFinding> findings;

  std::size_t count() const { return device.size(); }
  bool any() const { return !units.empty(); }
  // The rail that a terminal's cable leads to, or kNone.
  Rail rail(const Fabric& fabric, Terminal t) const {
    return fabric.leaf(t) == kNone<Switch> ? kNone<Rail> : rail_of[fabric.leaf(t)];
  }
};

Rails find_rails(const Fabric& fabric, const Hosts& hosts);

// Assigns each loose adapter on a leaf of a rail to a host, by its leaf port: the named host of
// that port if this host lacks the rail; if it has the rail on another port (two hosts are
// swapped), the host of that other port; otherwise a new host "unit3-port5" with the other loose
// adapters of that port.
Hosts place_loose(const Fabric& fabric, const Hosts& hosts, const Rails& rails);

// The result of four steps: named hosts, their rails, hosts with loose adapters placed, rails
// again.
struct HostMap {
  Hosts hosts;
  Rails rails;
};
HostMap map_hosts(const Fabric& fabric);

}  // namespace fatwood
