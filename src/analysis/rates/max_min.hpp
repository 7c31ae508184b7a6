// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Max-min fair rates: what flows over shared links get, when no flow can get more without
// taking from one that has no more than it.
//
// Problem. A variable v is a flow, or several that move together (the edges of one ring channel):
// at rate x(v) it puts amount(v, l) * x(v) on each link l it uses. Links have capacities, variables
// weights and, if wanted, caps. Of all rates that fit, the max-min fair ones have the
// lexicographically largest sorted vector of x(v) / weight(v). They are unique.
//
// Method: progressive filling. The level t rises from 0, every open variable has x = weight * t; a
// link is full at t = remaining / sum of the open amounts on it, and its variables are then fixed,
// as is a variable that reaches its own limit: its cap, or its narrowest link if it were alone
// there. Links that can't fill up even with all their variables at their limits are left out first:
// on a tree most links. The others wait in a radix heap (keys are the bits of t, and never fall);
// keys are brought up to date only when they come up, and limits are looked at then. All links that
// are full at one level go in one round.
//
// Encoding: variable v has the entries first[v] .. first[v+1] of `uses`. A link may occur twice in
// one variable. The result names the link that fixed each variable, kNoLink for a cap: a
// certificate, since that link is full and no variable on it has more, by weight (is_max_min).
// Cost: O(entries + links touched * 64), doubles; the relative error is a few 1e-16 an entry on a
// link. Deterministic.
//
// Bertsekas and Gallager, Data Networks, 1992, section 6.5.2.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/radix_heap.hpp"

namespace fatwood {

using LinkNumber = std::uint32_t;
inline constexpr LinkNumber kNoLink = 0xffffffffU;
inline constexpr double kNoCap = std::numeric_limits<double>::infinity();

struct LinkUse {
  LinkNumber link;
  float amount;  // above 0
};

struct ShareProblem {
  std::vector<double> capacity;      // of each link, above 0
  std::vector<std::uint32_t> first;  // of each variable, and the end; starts with 0
  std::vector<LinkUse> uses;
  std::vector<double> weight;  // of each variable; empty: all 1
  std::vector<double> cap;     // of each variable's rate; empty: none

  std::size_t size() const { return first.empty() ? 0 : first.size() - 1; }
  std::span<const LinkUse> of(std::size_t v) const {
    return {uses.data() + first[v], first[v + 1] - first[v]};
  }
};

struct Shares {
  std::vector<double> rate;          // of each variable
  std::vector<LinkNumber> fixed_by;  // its bottleneck
  std::size_t rounds = 0;            // levels at which something was fixed
};

// Keeps its buffers from one problem to the next.
class ShareSolver {
 public:
  // REQUIRES that every variable has a link or a cap. The result lives until the next call.
  const Shares& solve(const ShareProblem& problem);

 private:
  void find_limits(const ShareProblem& problem);
  void keep_narrow(const ShareProblem& problem);
  void list_users();
  void fill();
  void fix_limited(std::uint32_t narrow, double level);
  void fix(std::uint32_t open, double level, LinkNumber by);

  struct Use {
    std::uint32_t narrow;
    double amount;  // by weight
  };
  struct Narrow {  // a link that can fill up
    double left;   // of its capacity
    double open;   // sum of the open amounts
    double least_limit;
    LinkNumber link;
    std::uint32_t users;  // open entries
    std::uint32_t begin;  // in users_
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
  Shares shares_;
};

inline Shares max_min_shares(const ShareProblem& problem) { return ShareSolver().solve(problem); }

// Whether the shares fit and every variable has a full link on which it is among the largest, or
// is at its cap: by theorem they are the max-min fair ones then. `slack` is relative.
bool is_max_min(const ShareProblem& problem, const Shares& shares, double slack);

}  // namespace fatwood
