// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runs programs (traffic/jobs/program.hpp) at the same time with max-min fair rates. Finds when
// each operation starts and ends, and which link limited it.
//
// Method: event by event. An operation starts when it waits for nothing more; its transfer is a
// variable over the links of its edges. When an operation starts or ends, only the affected rates
// are computed again (live_shares.hpp). A queue of expected ends gives the next event
// (event_queue.hpp); if a rate changes, its old entry is ignored, except that it may set the time
// of an event: ends within a relative 1e-12 are one event, at the first of their entries. (A run of
// many equal messages is chaotic: a last digit changes its total by 1%. So even that is kept.) A
// repeated program starts again after its end, unless it took no time, until every program has
// ended once. A program that runs alone and is one wave needs only one solution (wave.cpp); one in
// rounds may have a faster run of its own (round_run.cpp).
//
// Encoding: results by program and operation, of its first run. `held_by` is the link that limited
// the rate at the end; kNoLink if its own cap did.
// Cost: see LiveShares and EventQueue. Deterministic.

#include <cstdint>
#include <optional>
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
  double latency = 0;  // seconds of a transfer in addition to its bytes
  double weight = 1;   // of its transfers on links that they share with others
  // By link, 1 if no two of its transfers share it (unshared_run.hpp); empty: not known.
  std::span<const std::uint8_t> unshared = {};
};

struct RunOp {
  double start = 0;
  double end = 0;
  double rate = 0;  // bytes per second at the end of the transfer
  LinkNumber held_by = kNoLink;
};

// The result of each operation of a program. Either all results are stored, or only the link that
// limited each operation, and one result per link: 4 bytes per operation.
class RunOps {
 public:
  explicit RunOps(std::vector<RunOp> ops) : ops_(std::move(ops)) {}
  // `free`: the result of operations that no link limits.
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
  std::vector<RunOps> ops;      // by program
  std::vector<double> seconds;  // by program: its first end
  std::uint64_t events = 0;
};

// REQUIRES programs without cycles of dependencies. Capacities in bytes per second.
FlowRun run_flows(std::vector<double> capacity, std::span<const RunProgram> programs);

// Its special cases. The first REQUIRES program.one_wave() and bytes > 0. The second returns
// nothing if the program has no rounds, if its uses are not bundled, if it is not known which links
// are never shared, if capacities differ, or if numbers or paths are too long for RankShares.
FlowRun run_wave(const std::vector<double>& capacity, const RunProgram& program);
std::optional<FlowRun> run_rounds(const std::vector<double>& capacity, const RunProgram& program);

}  // namespace fatwood
