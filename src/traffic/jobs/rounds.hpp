// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The waits of an exchange in rounds, by formula, for programs of many messages.
//
// In round k every rank i sends one operation, number k * ranks + i, to the rank k + 1 further on,
// or to i xor (k + 1) if `ranks` is a power of two. It waits for what both ranks sent and received
// in the round before. There are ranks - 1 rounds.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace fatwood {

using Op = std::uint32_t;

// A list of operations: up to four of its own, or some that are stored elsewhere.
class OpList {
 public:
  OpList() = default;
  explicit OpList(std::span<const Op> stored) : stored_(stored.data()), size_(stored.size()) {}

  // REQUIRES fewer than four of its own.
  void add_new(Op op) {
    if (std::find(begin(), end(), op) == end()) own_[size_++] = op;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Op* begin() const { return stored_ != nullptr ? stored_ : own_.data(); }
  const Op* end() const { return begin() + size_; }
  // REQUIRES a list of its own.
  void sort() {
    for (std::size_t i = 1; i < size_; ++i) {
      for (std::size_t k = i; k > 0 && own_[k - 1] > own_[k]; --k) std::swap(own_[k - 1], own_[k]);
    }
  }

 private:
  const Op* stored_ = nullptr;
  std::size_t size_ = 0;
  std::array<Op, 4> own_{};
};

struct Rounds {
  std::uint32_t ranks = 0;

  std::uint32_t count() const { return ranks == 0 ? 0 : ranks - 1; }
  std::uint32_t receiver(std::uint32_t round, std::uint32_t rank) const {
    if (power_of_two()) return rank ^ (round + 1);
    return rank + round + 1 < ranks ? rank + round + 1 : rank + round + 1 - ranks;
  }
  std::uint32_t sender(std::uint32_t round, std::uint32_t rank) const {
    if (power_of_two()) return rank ^ (round + 1);
    return rank > round ? rank - round - 1 : rank + ranks - round - 1;
  }
  // What a rank sends and receives in a round.
  Op sent(std::uint32_t round, std::uint32_t rank) const { return round * ranks + rank; }
  Op received(std::uint32_t round, std::uint32_t rank) const {
    return sent(round, sender(round, rank));
  }
  // Adds both to a list, in order.
  void add(OpList& list, std::uint32_t round, std::uint32_t rank) const {
    list.add_new(std::min(sent(round, rank), received(round, rank)));
    list.add_new(std::max(sent(round, rank), received(round, rank)));
  }
  // What the operation waits for.
  OpList after(Op op) const {
    OpList list;
    const std::uint32_t round = op / ranks;
    if (round == 0) return list;
    add(list, round - 1, op % ranks);
    add(list, round - 1, receiver(round, op % ranks));
    return list;
  }

 private:
  // std::has_single_bit() calls a library on processors without a population count.
  bool power_of_two() const { return (ranks & (ranks - 1)) == 0; }
};

}  // namespace fatwood
