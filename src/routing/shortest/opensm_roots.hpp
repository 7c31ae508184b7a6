// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The switches that OpenSM's updn takes as roots if it gets no file.

#include <vector>

#include "topology/model.hpp"

namespace fatwood {

// The roots of updn: those given (ModelHints::roots), otherwise OpenSM's. For these, count the end
// ports of the component by hops from a switch. The switch is a root if one count is above 90% of
// all end ports and no other count is above 5%. In large trees all switches are roots; in most real
// fabrics none is.
std::vector<Switch> opensm_roots(const Model& model, int threads);

// The first component with end ports and without a root: a switch of it, or kNone. There OpenSM
// runs minhop in place of updn.
Switch switch_without_root(const Model& model, std::span<const Switch> roots);

}  // namespace fatwood
