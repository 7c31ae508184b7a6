// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Generates complete trees: the fabric of a TreeShape in its canonical numbering. Adapters are
// "H<i>", switches "S<level>_<index in level>". Port q of the papers is port q+1 here.

#include "topology/builder.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

Fabric make_tree(const TreeShape& shape);

// Adds the switches of a tree and the cables between them. The down-ports of level 1 stay free for
// whatever is below: "terminal" e of the shape is port e % (m1*p1) of the returned level-1
// switches, in order. Names are "<prefix>S<level>_<index>".
FabricBuilder::Handle add_switch_tree(FabricBuilder& builder, const TreeShape& shape,
                                      std::string_view prefix);

}  // namespace fatwood
