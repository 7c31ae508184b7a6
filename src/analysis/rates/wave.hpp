// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One wave: a program whose transfers all start at once and carry as many bytes, alone on the
// fabric (Program::one_wave), as an all-to-all is. For flow_run.hpp.
//
// Its fair rates never change, so one solution of max_min.hpp is the whole run. Proof. The first to
// end are those with the highest rate r. A link that holds back a flow at a rate below r carries
// none of them: every flow on it has at most that rate. So when they end, each of the others still
// has a full link on which none has more, and rates with that property are the max-min fair ones.
// By induction all keep their rates to their ends.
//
// Bundled uses (op_uses.hpp) are solved by bundle: when a link beyond the leaf is full, the flows
// of a bundle are fixed together; when an adapter's cable is, its flows one by one. With all
// amounts 1 a link that is full fixes all its flows at one rate, so "held by" is all that is kept
// of a flow. Cost: O(flows + links of bundles * times a bundle is looked at); memory 12 bytes a
// flow.

#include <span>
#include <vector>

#include "analysis/rates/flow_run.hpp"

namespace fatwood {

// REQUIRES program.one_wave(), bytes above 0.
FlowRun run_wave(const std::vector<double>& capacity, const RunProgram& program);

}  // namespace fatwood
