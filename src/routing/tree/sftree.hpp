// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The routes of sftree with their order and descents. `even` starts from them.

#include "routing/tree/rows.hpp"
#include "routing/tree/sub_tree.hpp"

namespace fatwood {

struct SubTreeRouting {
  TreeRouting tree;  // tables are written
  SubTree sub;       // the order in which all routes are legal
};

// REQUIRES is_joined(model).
SubTreeRouting lay_sftree(const Model& model, const RouteOptions& options,
                          Chains chains = Chains::kLeastUsed);

}  // namespace fatwood
