// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "topology/levels/level_steps.hpp"

namespace fatwood {
namespace {

constexpr std::uint32_t kPeelShare = 5;  // a fifth
constexpr double kExtremeShare = 0.8;    // of a switch's cables to one level: in doubt
constexpr double kMargin = 0.25;         // between two similarities that differ
constexpr double kTwin = 0.75;   // likeness to a switch with terminals below that settles it
constexpr double kInside = 0.6;  // share of neighbours that makes a resemblance
constexpr std::uint32_t kFewTerminals = 4;  // a quarter of what the median terminal's leaf has
constexpr int kMostPasses = 16;
constexpr std::size_t kMostLevelsByPorts = 16;  // deeper trees do without that hint

// The number of terminals on the leaf of the median terminal.
std::uint32_t usual_terminals(const LevelSeeds& seeds) {
  std::vector<std::uint32_t> counts;
  std::uint64_t sum = 0;
  for (const Switch s : ids<Switch>(seeds.terminals.size())) {
    if (seeds.leaf[s] != 0 && seeds.terminals[s] > 0) counts.push_back(seeds.terminals[s]);
  }
  std::sort(counts.begin(), counts.end());
  for (const std::uint32_t count : counts) sum += count;
  std::uint64_t below = 0;
  for (const std::uint32_t count : counts) {
    below += count;
    if (below * 2 >= sum) return count;
  }
  return 0;
}

struct Evidence {
  double like_low = 0;    // best Jaccard with a settled switch of level n-1
  double like_high = 0;   // and with a switch of level n+1
  double inside_low = 0;  // largest share of its neighbours that one of level n-1 has too
  Switch low = kNone<Switch>, high = kNone<Switch>;  // those switches
  bool above_something = false;
};

class Settler {
 public:
  Settler(const Fabric& fabric, const PortGraph& graph, const LevelSeeds& seeds,
          Table<Switch, Level> level)
      : fabric_(fabric),
        graph_(graph),
        seeds_(seeds),
        level_(std::move(level)),
        above_(graph.size()),
        below_(graph.size()),
        common_(graph.size()) {
    const std::uint32_t usual = usual_terminals(seeds);
    sure_.resize(graph.size());
    for (const Switch s : ids<Switch>(graph.size())) {
      const std::uint32_t terminals = seeds.terminals[s];
      sure_[s] = seeds.leaf[s] != 0 && (terminals == 0 || terminals * kFewTerminals >= usual ||
                                        terminals * kFewTerminals >= graph.width(s));
    }
  }

  Table<Switch, Level> run() {
    for (const Switch s : ids<Switch>(graph_.size())) count_neighbours(s);
    std::vector<Switch> order;
    for (const Switch s : ids<Switch>(graph_.size())) {
      if (sure_[s] == 0 && graph_.width(s) > 0) order.push_back(s);
    }
    const bool doubtful_seeds =
        std::ranges::any_of(order, [&](Switch s) { return seeds_.leaf[s] != 0; });
    for (pass_ = 0; pass_ < kMostPasses; ++pass_) {
      std::stable_sort(order.begin(), order.end(),
                       [&](Switch a, Switch b) { return level_[a] < level_[b]; });
      find_usual_ports();
      bool moved = false;
      for (const Switch s : order) {
        const Level best = better_level(s);
        if (best == level_[s]) continue;
        moved = true;
        level_[s] = best;
        count_neighbours(s);
        for (const Switch to : graph_.neighbours(s)) count_neighbours(to);
      }
      if (!moved && (pass_ > 0 || !doubtful_seeds)) break;
    }
    return std::move(level_);
  }

 private:
  void count_neighbours(Switch s) {
    above_[s] = below_[s] = 0;
    for (const Switch to : graph_.neighbours(s)) {
      if (level_[to] == level_[s] + 1) ++above_[s];
      if (level_[to] + 1 == level_[s]) ++below_[s];
    }
  }

  // The most frequent number of ports at each level.
  void find_usual_ports() {
    std::vector<std::array<std::uint32_t, kMaxPorts + 1>> counts;
    for (const Switch s : ids<Switch>(graph_.size())) {
      if (level_[s] >= kMostLevelsByPorts) continue;
      if (counts.size() <= level_[s]) counts.resize(level_[s] + std::size_t{1});
      ++counts[level_[s]][fabric_.ports(fabric_.node(s))];
    }
    usual_ports_.fill(0);
    for (std::size_t l = 0; l < counts.size(); ++l) {
      const auto most = std::max_element(counts[l].begin(), counts[l].end());
      usual_ports_[l] = static_cast<std::uint32_t>(most - counts[l].begin());
    }
  }

  // 1 or -1: its number of ports is usual at level n+1 or n-1, and not at the other.
  int by_ports(Switch s, Level n) const {
    if (n + 1U >= kMostLevelsByPorts) return 0;
    const std::uint32_t ports = fabric_.ports(fabric_.node(s));
    const std::uint32_t low = usual_ports_[n - 1U];
    const std::uint32_t high = usual_ports_[n + 1U];
    if (low == high || low == 0 || high == 0) return 0;
    return ports == high ? 1 : ports == low ? -1 : 0;
  }

  Level better_level(Switch s) {
    if (const auto n = single_level(s)) {
      if (*n == 1) return seeds_.leaf[s] != 0 ? level_[s] : Level{2};
      return decide(s, *n);
    }
    if (may_hang(s)) return decide(s, static_cast<Level>(level_[s] - 1));
    return cheapest(s);
  }

  // The level that (nearly) all cables lead to, if there is one.
  std::optional<Level> single_level(Switch s) const {
    for (const Switch other : graph_.neighbours(s)) {
      const Level n = level_[other];
      std::uint32_t cables = 0;
      for (const Trunk g : graph_.trunks(s))
        cables += level_[graph_.neighbour(g)] == n ? graph_.width(g) : 0;
      if (cables >= kExtremeShare * graph_.width(s)) return n;
      // An extreme level holds most cables: two looks at different levels are enough.
      if (cables * 2 >= graph_.width(s)) return std::nullopt;
    }
    return std::nullopt;
  }

  // Whether it may be the spine of a pod without terminals, that peeling reached from above.
  bool may_hang(Switch s) const {
    return level_[s] >= 4 && seeds_.terminals[s] == 0 &&
           above_[s] + below_[s] == graph_.trunks(s).size();
  }

  bool has_children(Switch s, Switch but) const {
    return std::ranges::any_of(graph_.neighbours(s), [&](Switch to) {
      return to != but && level_[to] < level_[s] && is_settled(to);
    });
  }
  // A leaf with terminals, or a switch above something.
  bool is_settled(Switch s) const {
    if (level_[s] == 1) return sure_[s] != 0 || (seeds_.leaf[s] != 0 && pass_ > 0);
    return std::ranges::any_of(graph_.neighbours(s),
                               [&](Switch to) { return level_[to] < level_[s]; });
  }

  Evidence gather(Switch s, Level n) {
    Evidence evidence;
    std::vector<Switch> met;
    double own = 0;
    for (const Switch to : graph_.neighbours(s)) {
      if (level_[to] != n) continue;
      ++own;
      evidence.above_something = evidence.above_something || has_children(to, s);
      for (const Switch second : graph_.neighbours(to)) {
        if (second != s && common_[second]++ == 0) met.push_back(second);
      }
    }
    // Of switches that are alike the lowest number counts, whatever the order here.
    const auto better = [](double like, Switch t, double best, Switch known) {
      return like > best || (like == best && t < known);
    };
    for (const Switch t : met) {
      const double both = common_[t];
      common_[t] = 0;
      const bool is_low = level_[t] + 1 == n && is_settled(t);
      const bool is_high = level_[t] == n + 1 && sure_[t] == 0;
      if (!is_low && !is_high) continue;
      const double like = both / (own + (is_low ? above_[t] : below_[t]) - both);
      if (is_low) {
        if (better(like, t, evidence.like_low, evidence.low)) evidence.low = t;
        evidence.like_low = std::max(evidence.like_low, like);
        evidence.inside_low = std::max(evidence.inside_low, both / own);
      } else {
        if (better(like, t, evidence.like_high, evidence.high)) evidence.high = t;
        evidence.like_high = std::max(evidence.like_high, like);
      }
    }
    return evidence;
  }

  Level decide(Switch s, Level n) {
    const Level low = static_cast<Level>(n - 1);
    const Level high = static_cast<Level>(n + 1);
    const Evidence evidence = gather(s, n);
    if (!evidence.above_something) return low;
    if (evidence.like_high > evidence.like_low + kMargin) return high;
    if (evidence.inside_low < kInside) return high;
    if (const int ports = by_ports(s, n)) return ports > 0 ? high : low;
    if (evidence.like_low > evidence.like_high + kMargin) return low;
    if (evidence.high == kNone<Switch>) return low;
    if (evidence.like_low >= kTwin) {
      return in_chassis(s) && !in_chassis(evidence.low) ? high : low;
    }
    return tie(s, evidence) > 0 ? high : low;
  }

  // Positive: it belongs to the higher level.
  int tie(Switch s, const Evidence& evidence) const {
    const auto lacks = [&](Switch t) {
      return std::abs(static_cast<int>(graph_.width(t)) - static_cast<int>(graph_.width(s)));
    };
    const int as_low =
        lacks(evidence.low) + std::abs(static_cast<int>(seeds_.terminals[evidence.low]) -
                                       static_cast<int>(seeds_.terminals[s]));
    return as_low > lacks(evidence.high) ? 1 : -1;
  }

  // Whether it is in one box with a neighbour: a board of a director switch.
  bool in_chassis(Switch s) const {
    const std::uint64_t box = fabric_.hardware(fabric_.node(s)).system_guid;
    return box != 0 && std::ranges::any_of(graph_.neighbours(s), [&](Switch to) {
             return fabric_.hardware(fabric_.node(to)).system_guid == box;
           });
  }

  std::uint64_t cost(Switch s, Level at) const {
    std::uint64_t sum = std::uint64_t{seeds_.terminals[s]} * (at - 1U);
    for (const Trunk g : graph_.trunks(s)) {
      const int distance =
          std::abs(static_cast<int>(level_[graph_.neighbour(g)]) - static_cast<int>(at));
      sum += std::uint64_t{graph_.width(g)} *
             static_cast<std::uint64_t>(distance == 0 ? 1 : distance - 1);
    }
    return sum;
  }

  Level cheapest(Switch s) const {
    Level best = level_[s];
    std::uint64_t least = cost(s, best);
    for (const Switch to : graph_.neighbours(s)) {
      for (const int by : {-1, 1}) {
        if (least == 0) return best;
        const int at = static_cast<int>(level_[to]) + by;
        if (at < (seeds_.lifted[s] != 0 ? 2 : 1)) continue;
        const std::uint64_t sum = cost(s, static_cast<Level>(at));
        if (sum < least || (sum == least && at < best && best != level_[s])) {
          best = static_cast<Level>(at);
          least = sum;
        }
      }
    }
    return best;
  }

  const Fabric& fabric_;
  const PortGraph& graph_;
  const LevelSeeds& seeds_;
  Table<Switch, Level> level_;
  Table<Switch, std::uint8_t> sure_;
  Table<Switch, std::uint32_t> above_, below_;  // neighbours one level up, one level down
  std::array<std::uint32_t, kMostLevelsByPorts> usual_ports_{};
  int pass_ = 0;
  Table<Switch, std::uint32_t> common_;  // scratch: neighbours shared with the switch at hand
};

}  // namespace

Table<Switch, Level> levels_by_peeling(const PortGraph& graph, const LevelSeeds& seeds) {
  Table<Switch, Level> level(graph.size());
  Table<Switch, std::uint32_t> below(graph.size());  // cables to ranked switches
  std::vector<Switch> newest, rim;                   // rim: unranked with below > 0
  for (const Switch s : ids<Switch>(graph.size())) {
    if (seeds.leaf[s] != 0) newest.push_back(s);
  }
  for (Level k = 1; !newest.empty(); k = std::max(k, static_cast<Level>(k + 1))) {
    for (const Switch s : newest) level[s] = k;
    for (const Switch s : newest) {
      for (const Trunk g : graph.trunks(s)) {
        const Switch to = graph.neighbour(g);
        if (level[to] != 0) continue;
        if (below[to] == 0) rim.push_back(to);
        below[to] += graph.width(g);
      }
    }
    std::sort(rim.begin(), rim.end());
    newest.clear();
    double most = 0;
    for (const Switch s : rim) {
      most = std::max(most, static_cast<double>(below[s]) / graph.width(s));
    }
    const double enough = std::min(most, 1.0 / kPeelShare);
    std::vector<Switch> rest;
    for (const Switch s : rim) {
      const bool taken = static_cast<double>(below[s]) / graph.width(s) >= enough;
      (taken ? newest : rest).push_back(s);
    }
    rim = std::move(rest);
  }
  for (Level& l : level) l = std::max(l, Level{1});
  return level;
}

Table<Switch, Level> settle(const Fabric& fabric, const PortGraph& graph, const LevelSeeds& seeds,
                            Table<Switch, Level> level) {
  return Settler(fabric, graph, seeds, std::move(level)).run();
}

}  // namespace fatwood
