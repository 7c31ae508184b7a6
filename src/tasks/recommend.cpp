// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/recommend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace fatwood {

namespace {

bool qualifies(const EngineRow& row) {
  return row.result && !row.source_routes && !row.result->adaptive && row.result->deadlock_free &&
         row.result->reachability.loops == 0;
}

std::uint64_t lost(const EngineRow& row) { return row.result->reachability.lost().total(); }
double hops(const EngineRow& row) { return row.result->hops.terminals.mean(); }
long percent(const Fraction& rate) { return std::lround(100 * rate.value()); }

// Jobs together with the worst pair, then worst, 1st percentile and median to 1% of a port,
// evenness to 0.01. Less is better.
std::array<long, 5> figures(const EngineRow& row) {
  const EngineResult& result = *row.result;
  const double worst = result.rates.worst.value();
  const long jobs = result.jobs ? std::lround(50 * (result.jobs->at_once().mean + worst)) : 0;
  return {-jobs, -percent(result.rates.worst), -percent(result.rates.p1),
          -percent(result.rates.median), std::lround(100 * result.evenness_mean)};
}

auto shifts(const EngineRow& row) {
  const auto& shift = row.result->shift;
  return shift ? std::pair(double(shift->largest), shift->mean_largest()) : std::pair(0.0, 0.0);
}

auto key(const EngineRow& row) {
  return std::tuple(lost(row), figures(row), shifts(row), row.result->lanes, hops(row),
                    !row.for_trees);
}

int group(const EngineRow& row) {
  if (!row.result) return 4;
  if (qualifies(row)) return 0;
  if (row.source_routes) return 3;
  return row.result->adaptive && row.result->deadlock_free && row.result->reachability.loops == 0
             ? 1
             : 2;
}

// The difference between `best` and `next`.
std::string difference(const EngineRow& best, const EngineRow& next) {
  constexpr std::array<std::string_view, 5> kNames{"mean of jobs and worst pair", "worst pair",
                                                   "1st-percentile pair", "median pair",
                                                   "mean evenness of cuts"};
  const auto a = figures(best);
  const auto b = figures(next);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    const auto text = [i](long value) {
      return i < 4 ? fmt::format("{}% of a port", -value)
                   : fmt::format("{:.2f}", static_cast<double>(value) / 100);
    };
    return fmt::format("it has the best {}: {}, where {} has {}", kNames[i], text(a[i]), next.name,
                       text(b[i]));
  }
  if (shifts(best) != shifts(next)) {
    return fmt::format("it has the fewest flows on a link in shifts; {} has more", next.name);
  }
  if (best.result->lanes != next.result->lanes) {
    return fmt::format("it takes the fewest VLs: {}, where {} takes {}", best.result->lanes,
                       next.name, next.result->lanes);
  }
  if (hops(best) != hops(next)) {
    return fmt::format("it has the shortest routes: {:.3f} hops on average, where {} has {:.3f}",
                       hops(best), next.name, hops(next));
  }
  if (best.for_trees != next.for_trees) {
    return fmt::format("it is made for trees; {} is for any fabric", next.name);
  }
  return fmt::format("it comes first in the list; {} is as good", next.name);
}

std::string why(const std::vector<const EngineRow*>& ranked) {
  const EngineRow& best = *ranked.front();
  const std::string group =
      lost(best) == 0
          ? fmt::format(
                "{} connects every pair{} without deadlock", best.name,
                best.result->reachability.disconnected.total() == 0 ? "" : " that cables connect")
          : fmt::format("{} is free of deadlock and leaves the fewest pairs without a route ({})",
                        best.name, lost(best));
  const auto same =
      std::ranges::count_if(ranked, [&](const EngineRow* row) { return lost(*row) == lost(best); });
  if (same == 1) return fmt::format("{}, and no other engine compared here does.", group);
  return fmt::format("{}. Of the {} that do, {}.", group, same, difference(best, *ranked[1]));
}

}  // namespace

void rank_rows(std::vector<EngineRow>& rows) {
  std::ranges::stable_sort(rows, [](const EngineRow& a, const EngineRow& b) {
    if (group(a) != group(b)) return group(a) < group(b);
    return a.result && b.result && key(a) < key(b);
  });
}

std::string_view default_engine(const Model& model) {
  return model.levels().is_tree() ? "even" : "nue";
}

std::optional<Recommendation> recommend(const std::vector<EngineRow>& rows) {
  std::vector<const EngineRow*> ranked;
  const EngineRow* current = nullptr;
  for (const EngineRow& row : rows) {
    if (row.current) current = &row;
    if (qualifies(row) && !row.current) ranked.push_back(&row);
  }
  if (ranked.empty()) return std::nullopt;
  std::ranges::stable_sort(
      ranked, [](const EngineRow* a, const EngineRow* b) { return key(*a) < key(*b); });
  const EngineRow& best = *ranked.front();
  const auto alike = [&](const EngineRow* row) {
    return lost(*row) == lost(best) && figures(*row) == figures(best);
  };
  Recommendation result{best.name, why(ranked), std::ranges::all_of(ranked, alike), false};
  result.keep_current =
      current != nullptr && qualifies(*current) &&
      std::pair(lost(*current), figures(*current)) <= std::pair(lost(best), figures(best));
  return result;
}

}  // namespace fatwood
