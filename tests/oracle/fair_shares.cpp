// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/fair_shares.hpp"

#include <algorithm>
#include <optional>

namespace fatwood::oracle {

std::vector<Exact> fair_shares(const ShareProblem& problem) {
  const std::size_t n = problem.size();
  std::vector<Exact> rate(n);
  std::vector<bool> open(n, true);
  const auto weight = [&](std::size_t v) -> Exact {
    return problem.weight.empty() ? Exact(1) : Exact(problem.weight[v]);
  };
  const auto capped = [&](std::size_t v) {
    return !problem.cap.empty() && problem.cap[v] < kNoCap;
  };
  for (std::size_t left = n; left > 0;) {
    // How far the level can rise beyond what open variables have: the least over links and caps.
    std::vector<Exact> used(problem.capacity.size()), speed(problem.capacity.size());
    for (std::size_t v = 0; v < n; ++v) {
      for (const LinkUse& use : problem.of(v)) {
        used[use.link] += Exact(use.amount) * rate[v];
        if (open[v]) speed[use.link] += Exact(use.amount) * weight(v);
      }
    }
    std::optional<Exact> rise;
    const auto lower = [&](const Exact& value) {
      if (!rise || value < *rise) rise = value;
    };
    for (std::size_t l = 0; l < used.size(); ++l) {
      if (speed[l] > 0) lower((Exact(problem.capacity[l]) - used[l]) / speed[l]);
    }
    for (std::size_t v = 0; v < n; ++v) {
      if (open[v] && capped(v)) lower((Exact(problem.cap[v]) - rate[v]) / weight(v));
    }
    for (std::size_t v = 0; v < n; ++v) {
      if (!open[v]) continue;
      rate[v] += *rise * weight(v);
      for (const LinkUse& use : problem.of(v)) {
        used[use.link] += *rise * Exact(use.amount) * weight(v);
      }
    }
    for (std::size_t v = 0; v < n; ++v) {
      if (!open[v]) continue;
      bool stopped = capped(v) && rate[v] == Exact(problem.cap[v]);
      for (const LinkUse& use : problem.of(v)) {
        stopped = stopped || used[use.link] == Exact(problem.capacity[use.link]);
      }
      if (stopped) {
        open[v] = false;
        --left;
      }
    }
  }
  return rate;
}

bool is_max_min(const ShareProblem& problem, const Shares& shares, double slack) {
  std::vector<double> load(problem.capacity.size(), 0);
  std::vector<double> largest(problem.capacity.size(), 0);
  const auto fair = [&](std::size_t v) {
    return shares.rate[v] / (problem.weight.empty() ? 1 : problem.weight[v]);
  };
  for (std::size_t v = 0; v < problem.size(); ++v) {
    for (const LinkUse& use : problem.of(v)) {
      load[use.link] += use.amount * shares.rate[v];
      largest[use.link] = std::max(largest[use.link], fair(v));
    }
  }
  for (std::size_t l = 0; l < load.size(); ++l) {
    if (!(load[l] <= problem.capacity[l] * (1 + slack))) return false;
  }
  for (std::size_t v = 0; v < problem.size(); ++v) {
    const double cap = problem.cap.empty() ? kNoCap : problem.cap[v];
    if (!(shares.rate[v] <= cap * (1 + slack))) return false;
    bool held = shares.rate[v] >= cap * (1 - slack);
    for (const LinkUse& use : problem.of(v)) {
      held = held || (load[use.link] >= problem.capacity[use.link] * (1 - slack) &&
                      fair(v) >= largest[use.link] * (1 - slack));
    }
    if (!held) return false;
  }
  return true;
}

}  // namespace fatwood::oracle
