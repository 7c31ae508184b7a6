// SPDX-License-Identifier: BSD-3-Clause
#include "report/load/recommendation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace fatwood {

namespace {

bool qualifies(const EngineRow& row) {
  return row.result && !row.source_routes && !row.result->adaptive && row.result->deadlock_free &&
         row.result->reachability.loops == 0;
}

std::uint64_t lost(const EngineRow& row) { return row.result->reachability.lost().total(); }
const Fraction& fullest(const EngineRow& row) { return row.result->flows.largest; }
double hops(const EngineRow& row) { return row.result->hops.terminals.mean(); }

// Less is better.
auto first_key(const EngineRow& row) { return std::pair(lost(row), fullest(row)); }
auto key(const EngineRow& row) {
  const EngineResult& result = *row.result;
  return std::tuple(first_key(row), result.shift.largest, result.shift.mean_largest(), result.lanes,
                    hops(row), !row.for_trees);
}

std::string flows_text(const Fraction& flows) {
  return flows.den() == 1 ? flows.to_string() : fmt::format("{:.2f}", flows.value());
}

// What sets `best` apart from `next`, which is as good by first_key.
std::string difference(const EngineRow& best, const EngineRow& next) {
  const EngineResult& a = *best.result;
  const EngineResult& b = *next.result;
  if (a.shift.largest != b.shift.largest) {
    return fmt::format(
        "it has the fewest flows on a channel in any shift permutation: {}, where {} has {}",
        a.shift.largest, next.name, b.shift.largest);
  }
  if (a.shift.mean_largest() != b.shift.mean_largest()) {
    return fmt::format(
        "it has the fewest flows on the fullest channel of a shift, on average: {:.3f}, where {} "
        "has {:.3f}",
        a.shift.mean_largest(), next.name, b.shift.mean_largest());
  }
  if (a.lanes != b.lanes) {
    return fmt::format("it takes the fewest lanes: {}, where {} takes {}", a.lanes, next.name,
                       b.lanes);
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

// Why the first of `ranked` stands before the others.
std::string why(const std::vector<const EngineRow*>& ranked) {
  const EngineRow& best = *ranked.front();
  const std::string load =
      fmt::format("{} flows when every host sends to every other", flows_text(fullest(best)));
  const std::string group =
      lost(best) == 0
          ? fmt::format("{} joins every pair{} without deadlock", best.name,
                        best.result->reachability.apart.total() == 0 ? "" : " that cables join")
          : fmt::format("{} is free of deadlock and leaves the fewest pairs without a route ({})",
                        best.name, lost(best));
  const auto equal = std::ranges::count_if(
      ranked, [&](const EngineRow* row) { return first_key(*row) == first_key(best); });
  const auto same =
      std::ranges::count_if(ranked, [&](const EngineRow* row) { return lost(*row) == lost(best); });
  if (same == 1) {
    return fmt::format(
        "{}, and no other engine compared here does. Its fullest channel carries {}.", group, load);
  }
  if (equal == 1) {
    return fmt::format(
        "{}, and of the {} engines that do it has the least on its fullest channel: {}; {} has {}.",
        group, same, load, ranked[1]->name, flows_text(fullest(*ranked[1])));
  }
  return fmt::format(
      "{}. Of the {} engines that do, {} have the least on their fullest channel: {}. Of these {}.",
      group, same, equal, load, difference(best, *ranked[1]));
}

}  // namespace

std::optional<Recommendation> recommend(const std::vector<EngineRow>& rows) {
  std::vector<const EngineRow*> ranked;
  for (const EngineRow& row : rows) {
    if (qualifies(row)) ranked.push_back(&row);
  }
  if (ranked.empty()) return std::nullopt;
  std::ranges::stable_sort(
      ranked, [](const EngineRow* a, const EngineRow* b) { return key(*a) < key(*b); });
  return Recommendation{.engine = ranked.front()->name, .reason = why(ranked)};
}

}  // namespace fatwood
