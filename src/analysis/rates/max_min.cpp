// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rates/max_min.hpp"

#include <algorithm>
#include <cassert>

namespace fatwood {
namespace {

// A link that is asked for no more than this share of its capacity never holds anybody back.
constexpr double kFull = 1 + 1e-12;

double weight_of(const ShareProblem& problem, std::size_t v) {
  return problem.weight.empty() ? 1 : problem.weight[v];
}

}  // namespace

// The level at which each variable would stop if it were alone, into rate, and what its links get
// at most, into demand_.
void ShareSolver::find_limits(const ShareProblem& problem) {
  demand_.resize(std::max(demand_.size(), problem.capacity.size()), 0);
  narrow_of_.resize(demand_.size(), 0);
  shares_.rate.resize(problem.size());
  shares_.fixed_by.assign(problem.size(), kNoLink);
  touched_.clear();
  for (std::size_t v = 0; v < problem.size(); ++v) {
    const double weight = weight_of(problem, v);
    double most = problem.cap.empty() ? kNoCap : problem.cap[v] / weight;
    for (const LinkUse& use : problem.of(v)) {
      if (problem.capacity[use.link] < most * (use.amount * weight)) {
        most = problem.capacity[use.link] / (use.amount * weight);
        shares_.fixed_by[v] = use.link;
      }
    }
    assert(most < kNoCap);
    shares_.rate[v] = most;
    for (const LinkUse& use : problem.of(v)) {
      if (demand_[use.link] == 0) touched_.push_back(use.link);
      demand_[use.link] += use.amount * weight * most;
    }
  }
}

void ShareSolver::begin() {
  narrow_.clear();
  variable_.clear();
  uses_.clear();
  limit_.clear();
  first_.assign(1, 0);
}

// Links that can fill up, and the variables on them.
void ShareSolver::keep_narrow(const ShareProblem& problem) {
  begin();
  for (const LinkNumber link : touched_) {
    if (demand_[link] > problem.capacity[link] * kFull) {
      narrow_of_[link] = add_link(problem.capacity[link], link) + 1;
    }
    demand_[link] = 0;
  }
  for (std::size_t v = 0; v < problem.size(); ++v) {
    const double weight = weight_of(problem, v);
    for (const LinkUse& use : problem.of(v)) {
      const std::uint32_t found = narrow_of_[use.link];
      if (found != 0) add_use(found - 1, use.amount * weight, shares_.rate[v]);
    }
    if (!has_uses()) continue;
    end_variable(shares_.rate[v]);
    variable_.back() = static_cast<std::uint32_t>(v);
  }
  for (const Narrow& narrow : narrow_) narrow_of_[narrow.link] = 0;
}

void ShareSolver::list_users() {
  std::uint32_t at = 0;
  for (Narrow& narrow : narrow_) {
    at += narrow.users;
    narrow.begin = at;
  }
  users_.resize(at);
  for (auto i = static_cast<std::uint32_t>(variable_.size()); i-- > 0;) {
    for (std::uint32_t e = first_[i]; e < first_[i + 1]; ++e) {
      users_[--narrow_[uses_[e].narrow].begin] = i;
    }
  }
}

void ShareSolver::fix(std::uint32_t open, double level, LinkNumber by) {
  done_[open] = 1;
  shares_.rate[variable_[open]] = level;
  shares_.fixed_by[variable_[open]] = by;
  for (std::uint32_t e = first_[open]; e < first_[open + 1]; ++e) {
    Narrow& narrow = narrow_[uses_[e].narrow];
    narrow.left -= uses_[e].amount * level;
    narrow.open -= uses_[e].amount;
    --narrow.users;
  }
}

// Variables that stop below the level at which their link is full. Every link of theirs looks
// before it goes beyond their limit, so none is late.
void ShareSolver::fix_limited(std::uint32_t narrow, double level) {
  const std::uint32_t begin = narrow_[narrow].begin;
  const std::uint32_t end = narrow + 1 < narrow_.size() ? narrow_[narrow + 1].begin
                                                        : static_cast<std::uint32_t>(users_.size());
  double least = kNoCap;
  for (std::uint32_t i = begin; i < end; ++i) {
    const std::uint32_t open = users_[i];
    if (done_[open] != 0) continue;
    if (limit_[open] < level) {
      fix(open, limit_[open], shares_.fixed_by[variable_[open]]);
    } else {
      least = std::min(least, limit_[open]);
    }
  }
  narrow_[narrow].least_limit = least;
}

void ShareSolver::fill() {
  if (narrow_.size() <= kShort) {
    fill_by(short_);
  } else {
    fill_by(heap_);
  }
}

template <class Queue>
void ShareSolver::fill_by(Queue& queue) {
  done_.assign(variable_.size(), 0);
  queue.clear();
  for (std::uint32_t n = 0; n < narrow_.size(); ++n) {
    queue.push(double_bits(narrow_[n].left / narrow_[n].open), n);
  }
  while (!queue.empty()) {
    const auto [key, n] = queue.pop();
    Narrow& narrow = narrow_[n];
    if (narrow.users == 0) continue;
    std::uint64_t now = double_bits(std::max(narrow.left, 0.0) / narrow.open);
    if (now <= key && narrow.least_limit < std::bit_cast<double>(key)) {
      fix_limited(n, std::bit_cast<double>(key));
      if (narrow.users == 0) continue;
      now = double_bits(std::max(narrow.left, 0.0) / narrow.open);
    }
    if (now > key) {
      queue.push(now, n);
      continue;
    }
    const std::uint32_t end =
        n + 1 < narrow_.size() ? narrow_[n + 1].begin : static_cast<std::uint32_t>(users_.size());
    for (std::uint32_t i = narrow.begin; i < end; ++i) {
      if (done_[users_[i]] == 0) fix(users_[i], std::bit_cast<double>(key), narrow.link);
    }
  }
}

const Shares& ShareSolver::solve_added() {
  shares_.rate.resize(variable_.size());
  shares_.fixed_by.assign(variable_.size(), kNoLink);
  list_users();
  fill();
  return shares_;
}

const Shares& ShareSolver::solve(const ShareProblem& problem) {
  find_limits(problem);
  keep_narrow(problem);
  list_users();
  fill();
  for (std::size_t v = 0; v < problem.weight.size(); ++v) shares_.rate[v] *= problem.weight[v];
  return shares_;
}

}  // namespace fatwood
