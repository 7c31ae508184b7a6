// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runs an exchange in rounds (traffic/jobs/rounds.hpp) that is alone on a fabric of one speed, such
// as a pairwise all-to-all. For flow_run.hpp, which gives the same result for any programs.
//
// Method: event by event, as flow_run.hpp does, in the same order. Every rank sends one operation
// at a time, so the state of a run is that of its ranks (rank_shares.hpp), and an event has 16
// bytes. Links that operations never share (unshared_run.hpp) take no part in fair rates.
// Cost: see RankShares and EventQueue; memory 32 bytes per operation.

#include <optional>
#include <vector>

#include "analysis/rates/flow_run.hpp"

namespace fatwood {

// Nothing is returned if the program has no rounds, if its uses are not bundled, if it is not known
// which links are never shared, if capacities differ, or if numbers or paths are too long for
// RankShares.
std::optional<FlowRun> run_rounds(const std::vector<double>& capacity, const RunProgram& program);

}  // namespace fatwood
