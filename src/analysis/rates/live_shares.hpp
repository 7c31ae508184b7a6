// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Max-min fair rates, updated while flows come and go.
//
// Idea: a link can limit rates only if its variables, all at their own limits, would exceed its
// capacity (max_min.hpp). Variables that such links connect form an independent part of the
// problem. settle() solves only the parts that a change touched, including links that could limit
// rates before it.
//
// Encoding: a variable is a slot, which is reused after remove(). The uses of a slot are
// consecutive in one pool; the uses of a link form a linked list through the pool. Cost: O(entries
// of the touched parts) per settle(); memory: 24 bytes per entry.

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/rates/max_min.hpp"

namespace fatwood {

class LiveShares {
 public:
  using Slot = std::uint32_t;

  // REQUIRES capacities above 0.
  explicit LiveShares(std::vector<double> capacity);

  // Rates are valid after settle(). REQUIRES a link or a cap.
  Slot add(std::span<const LinkUse> uses, double weight = 1, double cap = kNoCap);
  void remove(Slot slot);

  // Updates rates. Returns the slots whose rates are new or changed, valid until the next call.
  std::span<const Slot> settle();

  double rate(Slot slot) const { return slots_[slot].rate; }
  LinkNumber fixed_by(Slot slot) const { return slots_[slot].fixed_by; }
  double capacity(LinkNumber link) const { return links_[link].capacity; }
  // The load of the link at present rates.
  double load(LinkNumber link) const;
  // Calls take(slot, amount) for each use of a link.
  template <class Take>
  void each_user(LinkNumber link, const Take& take) const {
    for (std::uint32_t e = links_[link].head; e != kEnd; e = entries_[e].next) {
      take(entries_[e].slot, static_cast<double>(entries_[e].amount));
    }
  }
  std::uint64_t solved() const { return solved_; }  // variables, in all settle() so far

 private:
  static constexpr std::uint32_t kEnd = 0xffffffffU;

  struct Entry {
    LinkNumber link;
    float amount;
    Slot slot;
    std::uint32_t next, prev;  // on the link's list
  };
  struct Link {
    double capacity = 0;
    double demand = 0;  // load if all its variables were at their limits
    std::uint32_t head = kEnd;
    std::uint32_t users = 0;
    std::uint32_t number = kEnd;  // in the part being solved
    bool touched = false;
  };
  struct State {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
    double weight = 1;
    double limit = 0;  // level at which it would stop alone
    double rate = 0;
    LinkNumber limited_by = kNoLink;
    LinkNumber fixed_by = kNoLink;
    bool gathered = false;
    bool used = false;
  };

  bool matters(const Link& link) const { return link.demand > link.capacity * (1 + 1e-12); }
  std::uint32_t take_entries(std::uint32_t size);
  void touch(LinkNumber link);
  void gather(Slot slot);
  void gather_part();
  void set_rate(Slot slot, double rate, LinkNumber by);
  void solve_part();

  std::vector<Link> links_;
  std::vector<Entry> entries_;
  std::vector<State> slots_;
  std::vector<Slot> free_slots_;
  std::vector<std::vector<std::uint32_t>> free_entries_;  // by size

  std::vector<Slot> added_;
  std::vector<LinkNumber> touched_;
  std::vector<Slot> part_;  // gathered, then settled
  std::vector<LinkNumber> part_links_;
  std::vector<Slot> changed_;
  ShareSolver solver_;
  std::uint64_t solved_ = 0;
};

}  // namespace fatwood
