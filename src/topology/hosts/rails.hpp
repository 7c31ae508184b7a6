// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rails and scalable units, from cabling: which leaves serve the same hosts, and which leaf
// serves which of their adapters.
//
// Method. Names of switches are never read, except to put units in an order that people expect.
//  1. Units. Two leaves belong together when more than half of the hosts on the busier one are
//     on the other too; a unit is a set of two or more leaves joined that way, most of whose
//     hosts reach more than half of its leaves. A leaf for storage serves several units and
//     joins none.
//  2. Rails. The leaves of a unit in the order of the device that most of its members have there
//     (port number on a card breaks ties). A unit that lacks a leaf is compared with the most
//     common list of devices that contains its own.
//  3. Members reach more than half of the leaves of their unit, or have the usual device on every
//     leaf they reach. Other hosts on these leaves are guests: managers, storage.
//  4. A host has the same leaf port in all rails: the port of more than half of its cables, else
//     the only one of them that is no other member's leaf port. That is where loose adapters belong
//     (place_loose), and it shows two hosts swapped on one leaf.
//  5. Units that share a spine are a pod. Planes are parts of the fabric that no cable joins.
//
// Findings are data; sentences are in report/. Cost: O(ports), and for where rails meet a
// breadth-first search from each leaf with a rail.

#include <cstdint>
#include <string>
#include <vector>

#include "topology/hosts/hosts.hpp"

namespace fatwood {

enum class Rail : std::uint32_t {};  // from 0; people count from 1
enum class Unit : std::uint32_t {};
enum class Pod : std::uint32_t {};

inline constexpr Port kNoLeafPort{0};  // no one port of the leaves is a host's

enum class LeafUse : std::uint8_t {
  kNone,        // no host on it
  kPlain,       // hosts, in a fabric without rails
  kRail,        // a rail of a unit
  kStorage,     // no rail, and hosts of units have adapters there
  kManagement,  // no rail, and only hosts that are in no unit
};

struct RailUnit {
  Table<Rail, Switch> leaf;   // kNone where the unit has none
  std::vector<Host> members;  // in order of leaf port
  std::vector<Host> guests;
  Pod pod{};
};

enum class RailFault : std::uint8_t {
  kLeafMissing,     // `unit` has no leaf in `rail`
  kAdapterMissing,  // `host` has no adapter on `expected`, its unit's leaf of `rail`
  kCrossed,         // `terminal`, by its device of `rail`, is on `found` and not on `expected`
  kExchanged,       // `host` and `other` sit on each other's port of leaf `found`
  kOffPort,         // `host` sits on another port of `found` than of its other leaves
};

struct RailFinding {
  RailFault kind{};
  Unit unit = kNone<Unit>;
  Rail rail = kNone<Rail>;
  Host host = kNone<Host>;
  Host other = kNone<Host>;
  Switch found = kNone<Switch>;
  Switch expected = kNone<Switch>;
  Terminal terminal = kNone<Terminal>;        // whose cable it is
  Terminal other_terminal = kNone<Terminal>;  // of `other`
  Port usual_port = kNoLeafPort;              // of the host on its other leaves
};

// Switches on a shortest path between two leaves; 0: no pair; kDisconnected: no path.
struct SwitchesBetween {
  static constexpr std::uint32_t kDisconnected = 0xffffffffU;
  std::uint32_t least = 0;
  std::uint32_t most = 0;
};

struct Rails {
  Table<Rail, std::string> device;  // what most members call it: "mlx5_0"; "" where unnamed
  Table<Unit, RailUnit> units;
  std::size_t pods = 0;
  std::size_t planes = 0;
  Table<Switch, LeafUse> use;
  Table<Switch, Unit> unit_of;    // of leaves with a rail
  Table<Switch, Rail> rail_of;    // of leaves with a rail
  Table<Host, Unit> member_of;    // kNone: of none
  Table<Host, Port> leaf_port;    // the leaf port of a member on its unit's leaves
  SwitchesBetween between_rails;  // of one unit
  SwitchesBetween between_units;  // on one rail
  std::size_t spines = 0;         // switches with a cable to a leaf with a rail
  std::size_t spines_of_one_rail = 0;
  std::vector<RailFinding> findings;

  std::size_t count() const { return device.size(); }
  bool any() const { return !units.empty(); }
  // The rail that a terminal's cable leads to; kNone where there is none.
  Rail rail(const Fabric& fabric, Terminal t) const {
    return fabric.leaf(t) == kNone<Switch> ? kNone<Rail> : rail_of[fabric.leaf(t)];
  }
};

Rails find_rails(const Fabric& fabric, const Hosts& hosts);

// Loose adapters on leaves with a rail, each with the host whose port it is on: with the named
// one that lacks this rail, with the one that an exchange shows, or with the other loose ones of
// that port, as "unit3-port5".
Hosts place_loose(const Fabric& fabric, const Hosts& hosts, const Rails& rails);

// Both together: names, rails by the named, loose ones placed, rails again.
struct HostMap {
  Hosts hosts;
  Rails rails;
};
HostMap map_hosts(const Fabric& fabric);

// The leaf port that more than half of a host's cables to the leaves of `unit` are on, or
// kNoLeafPort.
Port usual_port(const Fabric& fabric, const Hosts& hosts, const Rails& rails, Unit unit, Host m);

}  // namespace fatwood
