// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which operations of a program can start next. flow_run.hpp reports starts and ends to it.
//
// Problem: a pairwise all-to-all has millions of operations, and lists of waits fill gigabytes.
// Encoding: the remaining waits of each operation; for an exchange in rounds
// (traffic/jobs/rounds.hpp) only the round of each rank, from which the waits follow. Both report
// operations in the same order. Cost: O(1) per wait.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/rates/ready_rounds.hpp"
#include "traffic/jobs/program.hpp"

namespace fatwood {

class ReadyOps {
 public:
  explicit ReadyOps(const Program& program)
      : size_(program.size()), rounds_(program.rounds()), ranks_(rounds_) {
    if (rounds_.ranks == 0) waiting_.emplace(program);
  }

  // Forgets what ran. Calls take(op) for each operation that waits for nothing.
  template <class Take>
  void begin(const Take& take) {
    if (!waiting_) {
      ranks_.begin();
      for (Op op = 0; op < size_ && op < rounds_.ranks; ++op) take(op);
      return;
    }
    waits_ = waiting_->counts();
    for (Op op = 0; op < waits_.size(); ++op) {
      if (waits_[op] == 0) take(op);
    }
  }
  // Calls take(op) for each operation that waited for this one only.
  template <class Take>
  void started(Op op, const Take& take) {
    if (waiting_) release(waiting_->after_start(op), take);
  }
  template <class Take>
  void ended(Op op, const Take& take) {
    if (waiting_) return release(waiting_->after_end(op), take);
    const std::uint32_t round = op / rounds_.ranks;
    const std::uint32_t next = (round + 1) * rounds_.ranks;
    ranks_.ended(round, op - round * rounds_.ranks, [&](std::uint32_t rank) { take(next + rank); });
  }

 private:
  template <class Take>
  void release(std::span<const Op> ops, const Take& take) {
    for (const Op op : ops) {
      if (--waits_[op] == 0) take(op);
    }
  }

  std::size_t size_;
  Rounds rounds_;
  ReadyRounds ranks_;
  std::optional<ProgramWaits> waiting_;
  std::vector<std::uint32_t> waits_;
};

}  // namespace fatwood
