// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runs programs (traffic/jobs/program.hpp) side by side flit by flit: the second opinion on what
// fair rates say (analysis/rates/flow_run.hpp).
//
// Method. An edge of a transfer is a stream of chunks, one for each pair of ports of its hosts; an
// adapter takes turns among its streams, a chunk at a time, as adapters do among queue pairs. The
// edges of one transfer are a pipeline: none is more than a window of chunks ahead of the slowest,
// which is what the buffers of a ring's channel allow. Delays end at times that are known when they
// start; delays of one worker go one after the other.
// A program that is repeated starts again when it ended, until every program has ended once.
//
// Result: seconds until each program first ended; a deadlock if there was one, and then infinite
// seconds for programs that never ended. Cost: that of the engine. Deterministic.

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
  std::span<const Adapter> at;  // by end-point
  bool repeated = false;
};

struct ProgramOptions {
  std::uint64_t chunk_bytes = 65536;
  std::uint32_t window = 8;  // chunks
};

struct FlitRun {
  std::vector<double> seconds;  // of each program
  Counters counters;
  std::optional<Deadlock> deadlock;
};

// REQUIRES programs without cycles of dependencies, and routes for all their pairs.
FlitRun run_programs(const Setup& setup, std::span<const FlitProgram> programs,
                     const ProgramOptions& options = {}, const Progress& progress = {});

}  // namespace fatwood::sim
