// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runs programs (traffic/jobs/program.hpp) at the same time, flit by flit: a check of the results
// of fair rates (analysis/rates/flow_run.hpp).
//
// Method. An edge of a transfer is a stream of chunks, one stream for each pair of ports of its
// adapters. An adapter sends one chunk of each of its streams in turn, as adapters do with queue
// pairs. The edges of a transfer form a pipeline: none is more than a window of chunks ahead of the
// slowest, as the buffers of an NCCL ring allow. The end of a delay is known when it starts; delays
// of one worker run one after the other. A repeated program starts again after its end, until every
// program has ended once.
//
// Result: seconds until each program first ended; after a deadlock, infinite seconds for programs
// that never ended. Cost: that of the engine. Deterministic.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/progress.hpp"
#include "sim/run.hpp"
#include "traffic/jobs/program.hpp"

namespace fatwood::sim {

struct FlitProgram {
  const Program* program = nullptr;
  std::span<const Adapter> at;  // by endpoint
  bool repeated = false;
};

struct ProgramOptions {
  std::uint64_t chunk_bytes = 65536;
  std::uint32_t window = 8;  // chunks
};

struct FlitRun {
  std::vector<double> seconds;  // by program
  Counters counters;
  std::optional<Deadlock> deadlock;
};

// REQUIRES programs without cycles of dependencies, and routes for all their pairs.
FlitRun run_programs(const Setup& setup, std::span<const FlitProgram> programs,
                     const ProgramOptions& options = {}, const Progress& progress = {});

}  // namespace fatwood::sim
