// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which operations of an exchange in rounds (traffic/jobs/rounds.hpp) can start next: the round of
// each rank says which waits are left. For ready_ops.hpp and round_run.hpp. Cost: O(1) per wait.

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "traffic/jobs/rounds.hpp"

namespace fatwood {

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

}  // namespace fatwood
