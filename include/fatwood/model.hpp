// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric with all that is derived from it, each made once, when first asked for: levels, tree,
// port graph, parts, names, and which hosts count. Engines, proofs and analyses take a model.
//
//   const fatwood::Model model(fatwood::load_fabric("fabric.txt").fabric);
//   const fatwood::Model hinted(std::move(fabric), {.roots = roots});      with what the user knows
//
// A model is neither copied nor moved, and may be asked by any number of threads.

#include "topology/model.hpp"
