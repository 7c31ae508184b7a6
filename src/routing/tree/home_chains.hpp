// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The chains of d-mod-k in the tree that a damaged fabric is nearest to (Chains::kHome).
//
// A sub-tree can have more terminals than chains and not a multiple of them, for example when one
// spine is missing everywhere. Then its terminals are numbered as if the surplus did not exist, and
// the surplus starts again at the first chain. So every sub-tree uses its chains in the same order.
// Cost: O(levels) for each terminal.

#include <span>
#include <vector>

#include "routing/tree/plan.hpp"

namespace fatwood {

class HomeChains {
 public:
  explicit HomeChains(const Model& model);

  // From the terminal's leaf upwards, as far as the cables are there; empty if the fabric is no
  // single tree. Valid until the next call.
  std::span<const Step> of(Terminal t);

 private:
  const Fabric& fabric_;
  const TreeMap* map_ = nullptr;
  std::vector<Step> steps_;
};

}  // namespace fatwood
