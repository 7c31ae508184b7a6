#pragma once
// Generator of whole trees: the fabric of a TreeShape, in its canonical numbering.
// Adapters "H<i>", switches "S<level>_<index in level>"; port q of the papers is port q+1 here.

#include "topology/fabric.hpp"

namespace fatwood {

Fabric make_tree(const TreeShape& shape);

}  // namespace fatwood
