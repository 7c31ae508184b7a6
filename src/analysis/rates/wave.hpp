// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runs one wave: a program whose transfers all start at once with equal bytes, alone on the fabric
// (Program::one_wave), such as an all-to-all. For flow_run.hpp.
//
// Its fair rates never change, so one solution of max_min.hpp is the whole run. Proof: the first
// flows to end are those with the highest rate r. Take a flow with a lower rate, and the full link
// that limits it. No flow on that link has a higher rate, so none of the ending flows is on it.
// After they end, the link is still full, and no flow on it has more. Rates with this property are
// the max-min fair ones. By induction all flows keep their rates.
//
// Bundled uses (op_uses.hpp) are solved by bundle: if a link after the leaf is full, the flows of a
// bundle are fixed together; if an adapter's cable is full, its flows one by one. All amounts are
// 1, so a full link fixes all its flows at one rate, and only the limiting link of a flow is
// stored. Cost: O(flows + links of bundles * visits of a bundle); memory 12 bytes per flow.

#include <vector>

#include "analysis/rates/flow_run.hpp"

namespace fatwood {

// REQUIRES program.one_wave() and bytes > 0.
FlowRun run_wave(const std::vector<double>& capacity, const RunProgram& program);

}  // namespace fatwood
