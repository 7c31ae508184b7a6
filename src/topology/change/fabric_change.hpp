// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Copies a fabric with changes. This is the only loop that copies nodes and cables: faults, new
// cables and equal speeds all use a FabricChange. What is not changed keeps its name, GUID,
// address and port numbers. The copy does not count as a generated tree (tree()). Cost: O(ports).

#include <cstdint>

#include "topology/builder.hpp"

namespace fatwood {

struct FabricChange {
  explicit FabricChange(const Fabric& fabric);  // no change

  Table<Node, std::uint8_t> removed;  // 1: removed, with its cables
  Table<Node, std::uint32_t> ports;   // number of ports
  Table<Channel, std::uint8_t> cut;   // 1 for both directions of a cable
  Table<Channel, Rate> rate;
};

Fabric changed(const Fabric& fabric, const FabricChange& change);
// The same into a builder, to which the caller can add more. Returns the handles of the nodes.
Table<Node, FabricBuilder::Handle> copy_fabric(FabricBuilder& builder, const Fabric& fabric,
                                               const FabricChange& change);

}  // namespace fatwood
