// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Max-min fair rates, updated while flows come and go.
//
// Idea: a link can limit rates only if its variables, all at their own limits, would exceed its
// capacity (max_min.hpp). Variables that such links connect form an independent part of the
// problem. settle() solves only the parts that a change touched, including links that could limit
// rates before it. Each variable knows which of its links can limit rates: on a tree these are few.
//
// A variable is plain if its weight and amounts are 1 and all its links have the same capacity, as
// for flows with one path each on a fabric of one speed. While all variables are plain, no limit of
// one is below the level of a link, and parts are solved in place. Otherwise ShareSolver solves a
// copy. Both give the same bits.
//
// Encoding: a variable is a slot, which is reused after remove(). The uses of a slot are
// consecutive in one pool; the users of a link are in its own cache line while they are few.
// Cost: O(entries of the touched parts) per settle(); memory: 16 bytes per entry, 64 per link and
// slot.

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/rates/max_min.hpp"
#include "core/radix_heap.hpp"
#include "core/short_queue.hpp"

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
  std::uint64_t solved() const { return solved_; }  // variables, in all settle() so far

 private:
  static constexpr std::uint32_t kEnd = 0xffffffffU;

  struct User {
    Slot slot;
    std::uint32_t entry;
  };
  static constexpr std::size_t kFew = 4;  // users that fit into the cache line of a link
  struct alignas(64) Link {
    double capacity = 0;
    double demand = 0;  // load if all its variables were at their limits
    std::uint32_t size = 0;
    std::uint32_t number = kEnd;  // in the part being solved
    std::uint32_t many = kEnd;    // where more than kFew users are
    bool touched = false;
    std::array<User, kFew> few{};  // in the order in which they came
  };
  struct Filling {       // a link of the part being solved
    double left;         // remaining capacity
    std::uint32_t open;  // users without a rate
    LinkNumber link;
  };
  struct alignas(64) State {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
    double weight = 1;
    double limit = 0;  // level at which it would stop alone
    double rate = 0;
    std::uint64_t narrow = 0;  // bit i: the link of entry i matters; not for more than 64 entries
    LinkNumber limited_by = kNoLink;
    LinkNumber fixed_by = kNoLink;
    bool gathered = false;
    bool used = false;
    bool plain = true;
  };

  bool matters(const Link& link) const { return link.demand > link.capacity * (1 + 1e-12); }
  std::span<const User> users(const Link& link) const {
    return {link.many == kEnd ? link.few.data() : many_[link.many].data(), link.size};
  }
  std::uint32_t take_entries(std::uint32_t size);
  void add_user(Link& link, User user);
  void remove_user(Link& link, std::uint32_t entry);
  void flip_narrow(const Link& link);
  // Calls take(entry) for each entry of a slot on a link that matters, in order.
  template <class Take>
  void each_narrow(const State& state, const Take& take) const {
    if (state.size <= 64) {
      for (std::uint64_t bits = state.narrow; bits != 0; bits &= bits - 1) {
        take(state.first + static_cast<std::uint32_t>(std::countr_zero(bits)));
      }
      return;
    }
    for (std::uint32_t e = state.first; e < state.first + state.size; ++e) {
      if (matters(links_[entries_[e].link])) take(e);
    }
  }
  void touch(LinkNumber link);
  void gather(Slot slot);
  void gather_users(const Link& link);
  void gather_part();
  void set_rate(Slot slot, double rate, LinkNumber by);
  void gather_plain();
  template <class Queue>
  void fill_plain(Queue& queue);
  void fix_plain(Slot slot, double level, LinkNumber by);

  std::vector<Link> links_;
  std::vector<LinkUse> entries_;
  std::vector<std::vector<User>> many_;
  std::vector<State> slots_;
  std::vector<Slot> free_slots_;
  std::vector<std::vector<std::uint32_t>> free_entries_;  // by size
  std::vector<std::uint32_t> free_many_;
  std::size_t not_plain_ = 0;  // slots in use

  std::vector<Slot> added_;
  std::vector<LinkNumber> touched_;
  std::vector<Slot> part_;  // gathered, then settled
  std::vector<LinkNumber> part_links_;
  std::vector<Slot> changed_;
  ShareSolver solver_;
  std::vector<Filling> filling_;
  RadixHeap<std::uint32_t> heap_;
  ShortQueue<std::uint32_t> short_;
  std::uint64_t solved_ = 0;
};

}  // namespace fatwood
