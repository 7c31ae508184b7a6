// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The chains that d-mod-k would use if the tree were complete (Chains::kHome). A chain is the path
// on which a destination's traffic comes down (descents.hpp). If chains stay where d-mod-k has
// them, a missing cable moves few of them.
//
// Special case: the number of terminals of a sub-tree may be no multiple of its number of chains,
// for example if one spine is missing everywhere. The terminals beyond the largest multiple then
// start again at the first chain, and do not shift the numbers of later sub-trees. So every
// sub-tree uses its chains in the same order.
// Cost: O(levels) for each terminal.

#include <vector>

#include "routing/tree/descents.hpp"

namespace fatwood {

// The chain of a terminal from its leaf upwards, as far as the cables exist; empty if the fabric
// does not resemble a single tree.
std::vector<DownStep> home_chain(const Model& model, Terminal t);

}  // namespace fatwood
