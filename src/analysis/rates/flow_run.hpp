// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runs programs (traffic/jobs/program.hpp) side by side with max-min fair rates: when does each
// operation start and end, and what held it back?
//
// Method: event by event. An operation that waits for nothing any more starts; its transfer is a
// variable over the links of its edges. Rates are settled when something started or ended
// (live_shares.hpp), and only where it matters; what ends next comes from a heap of expected ends,
// which a change of rate makes stale. Ends within 1e-12 of each other, relatively, are one event.
// A program that is repeated starts again when it ended, unless that took no time, until every
// program has ended once. A single program that is one wave takes one solution (wave.hpp).
//
// Encoding: results by program and operation, of its first run. `held_by` is the link that fixed
// the rate at the end; kNoLink when nothing but its own cap did.
// Cost: see LiveShares, and a logarithm for each change of a rate. Deterministic.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analysis/rates/live_shares.hpp"
#include "analysis/rates/op_uses.hpp"
#include "traffic/jobs/program.hpp"

namespace fatwood {

inline constexpr double kSameTime = 1e-12;  // ends this close, relatively, are one event

struct RunProgram {
  const Program* program = nullptr;
  const OpUses* uses = nullptr;
  bool repeated = false;
  double latency = 0;  // seconds that a transfer takes besides its bytes
  double weight = 1;   // of its transfers, where they share a link with others
};

struct RunOp {
  double start = 0;
  double end = 0;
  double rate = 0;  // bytes per second at the end of the transfer
  LinkNumber held_by = kNoLink;
};

// The result of each operation of a program. Either all are kept, or what held each back and, by
// that link, the rest: 4 bytes an operation.
class RunOps {
 public:
  explicit RunOps(std::vector<RunOp> ops) : ops_(std::move(ops)) {}
  // `free`: of those that nothing holds back.
  RunOps(std::vector<LinkNumber> held_by, std::vector<RunOp> by_link, const RunOp& free)
      : ops_(std::move(by_link)), held_by_(std::move(held_by)), free_(free) {}

  std::size_t size() const { return held_by_.empty() ? ops_.size() : held_by_.size(); }
  bool empty() const { return size() == 0; }
  const RunOp& operator[](Op op) const {
    if (held_by_.empty()) return ops_[op];
    return held_by_[op] == kNoLink ? free_ : ops_[held_by_[op]];
  }

 private:
  std::vector<RunOp> ops_;
  std::vector<LinkNumber> held_by_;
  RunOp free_;
};

struct FlowRun {
  std::vector<RunOps> ops;      // of each program
  std::vector<double> seconds;  // of each program: its first end
  std::uint64_t events = 0;
  std::uint64_t solved = 0;  // variables, over all events
};

// REQUIRES programs without cycles of dependencies. Capacities in bytes per second.
FlowRun run_flows(std::vector<double> capacity, std::span<const RunProgram> programs);

}  // namespace fatwood
