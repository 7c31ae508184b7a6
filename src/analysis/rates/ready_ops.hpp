// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which operations of a program can start next. flow_run.cpp and round_run.cpp report starts and
// ends to it.
//
// Problem: a pairwise all-to-all has millions of operations, and lists of waits fill gigabytes.
// Encoding: the remaining waits of each operation; for an exchange in rounds
// (traffic/jobs/rounds.hpp) only the round of each rank, from which the waits follow. Both report
// operations in the same order. Cost: O(1) per wait.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "traffic/jobs/program.hpp"
#include "traffic/jobs/rounds.hpp"

namespace fatwood {

// Of an exchange in rounds: the round of each rank says which waits are left.
class ReadyRounds {
 public:
  explicit ReadyRounds(Rounds rounds) : rounds_(rounds) {}

  // Forgets what ran.
  void begin() { ranks_.assign(rounds_.ranks, {}); }
  // The operation of a rank in a round has ended. Calls take(rank) for each rank whose operation in
  // the next round waited for this one only, in order.
  template <class Take>
  void ended(std::uint32_t round, std::uint32_t from, const Take& take) {
    std::array<std::uint32_t, 4> list;  // ranks, ascending
    unsigned size = 0;
    const auto add = [&](std::uint32_t rank) {
      unsigned at = size;
      while (at > 0 && list[at - 1] > rank) --at;
      if (at > 0 && list[at - 1] == rank) return;
      for (unsigned i = size++; i > at; --i) list[i] = list[i - 1];
      list[at] = rank;
    };
    const std::uint32_t to = rounds_.receiver(round, from);
    const bool from_done = end_one(round, from);
    const bool to_done = end_one(round, to);
    if (round + 1 == rounds_.count()) return;
    for (const auto& [rank, done] : {std::pair(from, from_done), std::pair(to, to_done)}) {
      if (!done) continue;
      if (ranks_[rounds_.receiver(round + 1, rank)].round == round + 1) add(rank);
      const std::uint32_t sender = rounds_.sender(round + 1, rank);
      if (ranks_[sender].round == round + 1) add(sender);
    }
    for (unsigned i = 0; i < size; ++i) take(list[i]);
  }

 private:
  struct Rank {
    std::uint32_t round = 0;
    std::uint32_t left = 2;  // of the operations of this round
  };
  // Whether it was the rank's last operation of this round.
  bool end_one(std::uint32_t round, std::uint32_t rank) {
    if (--ranks_[rank].left > 0) return false;
    ranks_[rank] = {round + 1, 2};
    return true;
  }

  Rounds rounds_;
  std::vector<Rank> ranks_;
};

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
