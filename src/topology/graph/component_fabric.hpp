// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One connected component of a fabric as a fabric of its own: its switches, and the adapters with a
// port on one of them. Switches keep their order, and nodes their ports, names, GUIDs, addresses
// and rates. An adapter with ports in two components is in both fabrics, with its cables there.
// Cost: O(ports of the whole fabric).

#include <cstdint>

#include "topology/graph/port_graph.hpp"

namespace fatwood {

struct ComponentFabric {
  Fabric fabric;
  Table<Switch, Switch> switches;  // by number in the component: its number in the whole fabric
  Table<Terminal, Terminal> terminals;  // the same
};

ComponentFabric component_fabric(const Fabric& whole, const Components& components,
                                 std::uint32_t component);

}  // namespace fatwood
