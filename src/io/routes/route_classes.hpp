// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Classes of addresses: those that every switch treats alike. A class is one destination.
//
// Method: the bounds of all prefixes cut the addresses into intervals. In an interval each switch
// has one longest match, found by one sweep over its sorted prefixes. Intervals with equal matches
// at all switches are one class.
// Owners of a class: the switches where it is connected on a port that leads to no switch (to a
// host, or to a bridge or VLAN), or that have the address themselves. If none has, and all routes
// to it end at one switch that has no such route, it is the owner: routes of a loopback, which is
// in no table of its switch, look like that. A class without an owner is not counted: default
// routes, what is outside the fabric, cables with addresses.
// Cost: O(routes * log) and O(intervals * switches).

#include <cstdint>
#include <string>
#include <vector>

#include "io/routes/switch_routes.hpp"
#include "routing/adaptive/port_mask.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

// What a switch does with the packets of a class.
struct RouteEntry {
  enum class What : std::uint8_t {
    kNone,     // no route: they are lost
    kPorts,    // they leave by one of these ports
    kHosts,    // connected: `ports` are those of hosts, if the route names one
    kOwn,      // an address of the switch
    kUnknown,  // no file of this switch, or a port that is not in the fabric
  };
  What what = What::kNone;
  PortMask ports{};
  bool weighted = false;  // next hops with different weights

  friend bool operator==(const RouteEntry&, const RouteEntry&) = default;
};

// The longest matches of one switch, with its ports as those of the fabric.
struct SwitchTable {
  bool known = false;  // a file was read
  struct Match {
    Prefix prefix;
    std::uint32_t kind = 0;  // index into kinds
  };
  std::vector<Match> matches;
  std::vector<RouteEntry> kinds;  // different entries

  void add(const Prefix& prefix, const RouteEntry& entry);
};

struct RouteClass {
  Prefix prefix = {};  // the longest match of a switch, in its first interval
  std::size_t intervals = 1;
  std::vector<Switch> owners = {};
  bool own = false;                      // an address of a switch, not of hosts
  std::vector<RouteEntry> entries = {};  // by switch
};

std::vector<RouteClass> find_route_classes(const Fabric& fabric,
                                           const Table<Switch, SwitchTable>& tables,
                                           int threads = 0);

}  // namespace fatwood
