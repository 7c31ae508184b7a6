// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric copied with changes: the one loop that copies nodes and cables. Faults, new cables and
// equal speeds are each a FabricChange. Nodes, names, GUIDs, addresses and port numbers stay as
// they are; the copy is no longer a whole tree (tree()). Cost: O(ports).

#include <cstdint>

#include "topology/builder.hpp"

namespace fatwood {

struct FabricChange {
  explicit FabricChange(const Fabric& fabric);  // no change

  Table<Node, std::uint8_t> removed;  // 1: gone, with its cables
  Table<Node, std::uint32_t> ports;   // how many
  Table<Channel, std::uint8_t> cut;   // 1 for both directions of a cable
  Table<Channel, Rate> rate;
};

Fabric changed(const Fabric& fabric, const FabricChange& change);
// The same into a builder that takes more nodes and cables. Returns the nodes there.
Table<Node, FabricBuilder::Handle> copy_fabric(FabricBuilder& builder, const Fabric& fabric,
                                               const FabricChange& change);

}  // namespace fatwood
