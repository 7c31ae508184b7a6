// SPDX-License-Identifier: BSD-3-Clause
#include "routing/improve/optimiser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.hpp"

namespace fatwood {

namespace {

constexpr std::uint64_t kMostPatience = 200'000;

std::uint64_t count_alternatives(const MovableRoutes& routes) {
  std::uint64_t sum = 0;
  const auto switches = static_cast<std::uint32_t>(routes.links().switches);
  for (std::uint32_t address = 0; address < routes.num_addresses(); ++address) {
    for (std::uint32_t s = 0; s < switches; ++s) sum += routes.alternatives(address, s).size();
  }
  return sum;
}

struct CandidateEntry {
  std::uint64_t flow;
  std::uint32_t address;
  std::uint32_t place;  // of its link in `cables`
};

// Shares the entries of one switch over its cables to one neighbour.
void share_duplicates(MovableRoutes& routes, IdRange<Link> cables, OptimiseResult& result) {
  const std::uint32_t s = routes.links().from[cables.first];
  std::vector<CandidateEntry> entries;
  std::vector<std::uint64_t> load(cables.size()), planned(cables.size());
  for (std::uint32_t address = 0; address < routes.num_addresses(); ++address) {
    const std::uint16_t hops = routes.hops(address, s);
    if (hops == 0 || hops == MovableRoutes::kNoHops) continue;
    const Link used = routes.next(address, s);
    if (!cables.has(used)) continue;
    entries.push_back({routes.flow(address, s), address, index(used) - index(cables.first)});
    load[entries.back().place] += entries.back().flow;
  }
  std::ranges::stable_sort(entries, std::greater{}, &CandidateEntry::flow);
  std::vector<std::uint32_t> choice;
  for (const CandidateEntry& entry : entries) {
    const auto lightest =
        static_cast<std::uint32_t>(std::ranges::min_element(planned) - planned.begin());
    // Avoid needless moves: keep the cable in use if it is as light as the lightest.
    choice.push_back(planned[entry.place] == planned[lightest] ? entry.place : lightest);
    planned[choice.back()] += entry.flow;
  }
  const auto squares = [](const std::vector<std::uint64_t>& loads) {
    __int128 sum = 0;
    for (const std::uint64_t value : loads) sum += static_cast<__int128>(value) * value;
    return sum;
  };
  if (squares(planned) >= squares(load)) return;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (choice[i] == entries[i].place) continue;
    if (routes.move(entries[i].address, s, cables[choice[i]])) {
      ++result.duplicate_moves;
    } else {
      ++result.refused;
    }
  }
}

void share_all_duplicates(MovableRoutes& routes, OptimiseResult& result) {
  const LinkGraph& links = routes.links();
  for (std::uint32_t first = 0; first < links.size();) {
    std::uint32_t end = first + 1;
    const auto parallel = [&](Link a, Link b) {
      return links.from[a] == links.from[b] && links.to[a] == links.to[b];
    };
    while (end < links.size() && parallel(Link{first}, Link{end})) ++end;
    if (end - first > 1) share_duplicates(routes, {Link{first}, Link{end}}, result);
    first = end;
  }
}

void hill_climb(MovableRoutes& routes, const OptimiseOptions& options, OptimiseResult& result) {
  if (result.alternatives == 0) return;
  const std::uint64_t patience =
      options.patience.value_or(std::min(result.alternatives, kMostPatience));
  Random random(options.seed, 0);
  const auto switches = static_cast<std::uint32_t>(routes.links().switches);
  for (std::uint64_t failed = 0; failed < patience;) {
    const std::uint32_t address = random.below(routes.num_addresses());
    const std::uint32_t s = random.below(switches);
    const std::vector<Link> choice = routes.alternatives(address, s);
    if (choice.empty()) continue;
    ++result.trials;
    const Link link = choice[random.below(static_cast<std::uint32_t>(choice.size()))];
    if (routes.change_of_squares(address, s, link) < 0) {
      if (routes.move(address, s, link)) {
        ++result.moves;
        failed = 0;
        continue;
      }
      ++result.refused;
    }
    ++failed;
    if (failed % 4096 == 0) {
      report(options.progress, static_cast<double>(failed) / static_cast<double>(patience),
             fmt::format("{} moves in {} trials", result.moves, result.trials));
    }
  }
}

}  // namespace

double UsageStatistics::deviation() const { return std::sqrt(variance); }

UsageStatistics usage_statistics(const Table<Link, std::uint64_t>& usage) {
  UsageStatistics result;
  result.links = usage.size();
  long double squares = 0;
  for (const std::uint64_t value : usage) {
    result.flows += value;
    result.largest = std::max(result.largest, value);
    squares += static_cast<long double>(value) * static_cast<long double>(value);
  }
  if (usage.empty()) return result;
  const auto links = static_cast<long double>(usage.size());
  const long double mean = static_cast<long double>(result.flows) / links;
  result.mean = static_cast<double>(mean);
  result.variance = std::max(0.0, static_cast<double>(squares / links - mean * mean));
  return result;
}

OptimiseResult optimise(MovableRoutes& routes, const OptimiseOptions& options) {
  OptimiseResult result;
  result.before = usage_statistics(routes.usage());
  result.alternatives = count_alternatives(routes);
  share_all_duplicates(routes, result);
  result.after_duplicates = usage_statistics(routes.usage());
  hill_climb(routes, options, result);
  result.after = usage_statistics(routes.usage());
  return result;
}

}  // namespace fatwood
