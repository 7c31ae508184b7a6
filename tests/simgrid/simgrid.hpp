// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Flows over links, run by SimGrid: when does each end? Every flow has hosts of its own and a route
// over its links; the model is plain max-min sharing without latency, acknowledgements or factors.
// SimGrid can be used once a process: fork.

#include <cstdint>
#include <vector>

namespace fatwood::test {

struct SimGridFlow {
  std::vector<std::uint32_t> links;
  double bytes = 0;
};

std::vector<double> simgrid_ends(const std::vector<double>& bandwidth,
                                 const std::vector<SimGridFlow>& flows);

}  // namespace fatwood::test
