// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An exchange in rounds (traffic/jobs/rounds.hpp) whose operations never use a link at the same
// time, such as a pairwise all-to-all that only the hosts' cables limit. For flow_run.hpp, which
// gives the same result event by event.
//
// A rank sends one operation after the other, and receives one after the other. So a link is never
// shared if all its operations have one sender, or all have one receiver. Then an operation takes
// its bytes over its narrowest link, and starts when both its ranks have ended the round before.
// Cost: O(operations); memory for ranks, links and different times only.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/rates/flow_run.hpp"

namespace fatwood {

struct UnsharedRun {
  double seconds = 0;
  std::vector<RunOp> ops;  // those that were asked for
};

// By link, 1 if operations never share it. Empty if that is not known: to keep it simple, it is
// only for exchanges in rounds with bundled uses.
std::vector<std::uint8_t> unshared_links(std::size_t links, const Program& program,
                                         const OpUses& uses);

// Links of at least `no_limit` limit nobody. Nothing is returned if links may be shared, if two
// times are so close that flow_run.hpp makes one event of them, or if the weight is not 1.
std::optional<UnsharedRun> run_unshared(const std::vector<double>& capacity, double no_limit,
                                        const RunProgram& program, std::span<const Op> asked);

}  // namespace fatwood
