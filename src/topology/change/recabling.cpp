// SPDX-License-Identifier: BSD-3-Clause
#include "topology/change/recabling.hpp"

#include "topology/change/fabric_change.hpp"

namespace fatwood {

Fabric recabled(const Fabric& fabric, const Recabling& change) {
  FabricChange without(fabric);
  for (const Channel c : change.out) without.cut[c] = without.cut[fabric.peer(c)] = 1;
  FabricBuilder builder;
  const Table<Node, FabricBuilder::Handle> handle = copy_fabric(builder, fabric, without);
  for (const Recabling::Cable& cable : change.in) {
    builder.connect(handle[fabric.owner(cable.from)], fabric.port(cable.from),
                    handle[fabric.owner(cable.to)], fabric.port(cable.to), cable.rate);
  }
  return builder.build();
}

Recabling replaced_cable(const Fabric& fabric, Channel cable, Rate rate) {
  return {"replace", {cable}, {{cable, fabric.peer(cable), rate}}};
}

}  // namespace fatwood
