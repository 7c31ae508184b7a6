// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The jobs of `fatwood job`, flit by flit.

#include <vector>

#include "analysis/jobs/job.hpp"
#include "cli/verb.hpp"
#include "routing/resolve.hpp"
#include "sim/workload/program_run.hpp"
#include "topology/model.hpp"

namespace fatwood::cli {

// On links as fast as `capacity` (bytes a second by channel), in packets of 4 KiB, with room for 16
// in each buffer; input lanes queue by output, so that nothing waits behind a packet for elsewhere.
sim::FlitRun run_flits(const Model& model, const ResolvedRouting& routing,
                       const std::vector<double>& capacity, const std::vector<PlacedJob>& jobs,
                       const Session& session);

}  // namespace fatwood::cli
