// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Generator of whole trees: the fabric of a TreeShape, in its canonical numbering.
// Adapters "H<i>", switches "S<level>_<index in level>"; port q of the papers is port q+1 here.

#include "topology/builder.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

Fabric make_tree(const TreeShape& shape);

// Adds the switches of a tree and the cables between them, and leaves the down-ports of level 1
// free for whatever the tree stands on: "terminal" e of the shape is port e % (m1*p1) of the
// returned level-1 switches, in order. Names are "<prefix>S<level>_<index>".
FabricBuilder::Handle add_switch_tree(FabricBuilder& builder, const TreeShape& shape,
                                      std::string_view prefix);

}  // namespace fatwood
