// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// sftree's routes, and what they were made from: even goes on from there.

#include "routing/tree/ftree.hpp"
#include "routing/tree/sub_tree.hpp"

namespace fatwood {

struct SubTreeRouting {
  TreeRouting tree;  // tables are written
  SubTree sub;       // the order by which all routes are legal
};

// REQUIRES is_joined(model).
SubTreeRouting lay_sftree(const Model& model, const RouteOptions& options,
                          Chains chains = Chains::kLeastUsed);

}  // namespace fatwood
