// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by ftree and sftree: the order of the switches, and the descents.

#include "routing/tree/descents.hpp"

namespace fatwood {

struct TreeRouting {
  UpDownOrder up_down;
  Descents descents;
  ForwardingTables tables;  // not yet written
  int threads = 1;          // to write them
};

TreeRouting prepare_tree(const Model& model, const Levels& levels, const RouteOptions& options,
                         Chains chains = Chains::kLeastUsed);

}  // namespace fatwood
