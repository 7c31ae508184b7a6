// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric with everything derived from it: levels, tree, port graph, components, names, and which
// hosts count. Each value is computed once, on first use. Engines, proofs and analyses take a
// model.
//
//   const fatwood::Model model(fatwood::load_fabric("fabric.txt").fabric);
//   const fatwood::Model hinted(std::move(fabric), {.roots = roots});      with the user's hints
//
// A model cannot be copied or moved. All its methods are thread-safe.

#include "topology/model.hpp"
