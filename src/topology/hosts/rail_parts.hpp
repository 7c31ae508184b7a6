// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The steps of find_rails (rails.hpp), for its files only.

#include "topology/hosts/rails.hpp"

namespace fatwood {

// Steps 1 to 3: units, rails, members and guests, and the use of leaves.
Rails find_units(const Fabric& fabric, const Hosts& hosts);

// Identifies the rail of a leaf: the device of most unit members on it, and the port of the card.
// Empty if no device is known.
struct RailKey {
  Device device;
  Port port{};
  friend auto operator<=>(const RailKey&, const RailKey&) = default;
};
RailKey rail_key(const Fabric& fabric, Terminal t);

// The terminals of a host on the leaves of a unit.
std::vector<Terminal> unit_terminals(const Fabric& fabric, const Hosts& hosts, const Rails& rails,
                                     ScalableUnit unit, Host m);
// The leaf port of more than half of them, or kNoLeafPort.
Port usual_port(const Fabric& fabric, const Hosts& hosts, const Rails& rails, ScalableUnit unit,
                Host m);
// By rail: the key of its leaf. Empty if there is no leaf, or if its members have no majority.
Table<Rail, RailKey> usual_keys(const Fabric& fabric, const Hosts& hosts, const Rails& rails,
                                ScalableUnit unit);

// Step 5: pods, planes, spines, and where rails meet.
Rails with_meetings(const Fabric& fabric, Rails rails);

std::vector<RailFinding> rail_findings(const Fabric& fabric, const Hosts& hosts,
                                       const Rails& rails);

}  // namespace fatwood
