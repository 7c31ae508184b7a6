// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Max-min fair rates for flows over shared links: no flow can get more without taking from a flow
// that has no more than it.
//
// Problem. A variable v is a flow, or several that move together (the edges of one ring channel).
// At rate x(v) it loads each link l that it uses with amount(v, l) * x(v). Links have capacities;
// variables have weights and, optionally, caps. Of all feasible rates, the max-min fair ones have
// the lexicographically largest sorted vector of x(v) / weight(v). They are unique.
//
// Method: progressive filling. A level t rises from 0, and every open (not yet fixed) variable has
// x = weight * t.
// - A link is full at t = remaining capacity / sum of its open amounts. Its variables are then
//   fixed.
// - A variable is fixed at its own limit: its cap, or its narrowest link if it were alone there.
// - Links that cannot fill up even with all variables at their limits are left out first. On a tree
//   these are most links.
// - The others are in a radix heap (keys are the bits of t and never decrease). Keys and limits are
//   updated only when they reach the top.
//
// Encoding: variable v has the entries first[v] .. first[v+1] of `uses`. A link may occur twice in
// a variable. The result names the link that fixed each variable, kNoLink for a cap. This is a
// certificate: the link is full, and no variable on it has more, by weight.
// Cost: O(entries + links touched * 64). Doubles; the relative error is a few 1e-16 per entry on a
// link. Deterministic.
//
// Bertsekas and Gallager, Data Networks, 1992, section 6.5.2.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/radix_heap.hpp"
#include "core/short_queue.hpp"

namespace fatwood {

using LinkNumber = std::uint32_t;
inline constexpr LinkNumber kNoLink = 0xffffffffU;
inline constexpr double kNoCap = std::numeric_limits<double>::infinity();

struct LinkUse {
  LinkNumber link;
  float amount;  // positive
};

struct ShareProblem {
  std::vector<double> capacity;      // by link, positive
  std::vector<std::uint32_t> first;  // by variable, and the end; starts with 0
  std::vector<LinkUse> uses;
  std::vector<double> weight;  // by variable; empty: all 1
  std::vector<double> cap;     // by variable; empty: none

  std::size_t size() const { return first.empty() ? 0 : first.size() - 1; }
  std::span<const LinkUse> of(std::size_t v) const {
    return {uses.data() + first[v], first[v + 1] - first[v]};
  }
};

struct Shares {
  std::vector<double> rate;          // by variable
  std::vector<LinkNumber> fixed_by;  // its bottleneck
};

// Reuses its buffers.
class ShareSolver {
 public:
  // So few links need no radix heap; most parts of live_shares.hpp have fewer.
  static constexpr std::size_t kShort = 16;

  // REQUIRES that every variable has a link or a cap. The result is valid until the next call.
  const Shares& solve(const ShareProblem& problem);

  // For callers that know which links can fill up, and the limit of each variable: begin(), then
  // for each variable its uses of such links and end_variable(), then solve_added(). Rates are
  // divided by weight; a variable at its limit is fixed by kNoLink.
  void begin();
  std::uint32_t add_link(double capacity, LinkNumber name) {
    narrow_.push_back({capacity, 0, kNoCap, name, 0, 0});
    return static_cast<std::uint32_t>(narrow_.size() - 1);
  }
  void add_use(std::uint32_t link, double amount_times_weight, double limit) {
    uses_.push_back({link, amount_times_weight});
    Narrow& narrow = narrow_[link];
    narrow.open += amount_times_weight;
    narrow.least_limit = std::min(narrow.least_limit, limit);
    ++narrow.users;
  }
  bool has_uses() const { return uses_.size() > first_.back(); }  // the variable being added
  void end_variable(double limit) {
    variable_.push_back(static_cast<std::uint32_t>(variable_.size()));
    limit_.push_back(limit);
    first_.push_back(static_cast<std::uint32_t>(uses_.size()));
  }
  const Shares& solve_added();

 private:
  void find_limits(const ShareProblem& problem);
  void keep_narrow(const ShareProblem& problem);
  void list_users();
  void fill();
  template <class Queue>
  void fill_by(Queue& queue);
  void fix_limited(std::uint32_t narrow, double level);
  void fix(std::uint32_t open, double level, LinkNumber by);

  struct Use {
    std::uint32_t narrow;
    double amount;  // times weight
  };
  struct Narrow {  // a link that can fill up
    double left;   // remaining capacity
    double open;   // sum of the open amounts
    double least_limit;
    LinkNumber link;
    std::uint32_t users;  // open entries
    std::uint32_t begin;  // index in users_
  };

  // By link; all zero between calls.
  std::vector<double> demand_;
  std::vector<std::uint32_t> narrow_of_;  // plus 1
  std::vector<LinkNumber> touched_;
  // By narrow link, and by variable on one.
  std::vector<Narrow> narrow_;
  std::vector<std::uint32_t> users_;
  std::vector<std::uint32_t> variable_;
  std::vector<std::uint32_t> first_;
  std::vector<Use> uses_;
  std::vector<double> limit_;
  std::vector<std::uint8_t> done_;
  RadixHeap<std::uint32_t> heap_;
  ShortQueue<std::uint32_t> short_;
  Shares shares_;
};

inline Shares max_min_shares(const ShareProblem& problem) { return ShareSolver().solve(problem); }

}  // namespace fatwood
