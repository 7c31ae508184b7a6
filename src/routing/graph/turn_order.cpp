// SPDX-License-Identifier: BSD-3-Clause
#include "routing/graph/turn_order.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/parallel.hpp"
#include "routing/shortest/balance.hpp"

namespace fatwood {

namespace {

using Number = std::uint32_t;  // of a switch

struct UpReach {
  std::vector<Number> order;         // by (rank, number)
  std::vector<Number> place;         // its inverse
  std::vector<Number> roots;         // no earlier neighbour, in order
  std::vector<std::uint64_t> reach;  // [switch][word]: roots above it
  std::size_t words = 0;

  std::span<const std::uint64_t> row(Number s) const { return {reach.data() + s * words, words}; }
  unsigned count(Number s) const {
    unsigned sum = 0;
    for (const std::uint64_t word : row(s)) sum += static_cast<unsigned>(std::popcount(word));
    return sum;
  }
};

UpReach reach_roots(const PortGraph& graph, const Table<Switch, std::uint32_t>& rank) {
  UpReach up_reach;
  up_reach.order.resize(graph.size());
  std::iota(up_reach.order.begin(), up_reach.order.end(), 0U);
  std::ranges::stable_sort(up_reach.order, {}, [&](Number s) { return rank[Switch{s}]; });
  up_reach.place.resize(graph.size());
  for (Number i = 0; i < up_reach.order.size(); ++i) up_reach.place[up_reach.order[i]] = i;
  for (const Number s : up_reach.order) {
    const auto is_earlier = [&](Switch n) { return up_reach.place[index(n)] < up_reach.place[s]; };
    if (std::ranges::none_of(graph.neighbours(Switch{s}), is_earlier)) up_reach.roots.push_back(s);
  }
  up_reach.words = (up_reach.roots.size() + 63) / 64;
  up_reach.reach.assign(graph.size() * up_reach.words, 0);
  for (std::size_t r = 0; r < up_reach.roots.size(); ++r) {
    up_reach.reach[up_reach.roots[r] * up_reach.words + r / 64] |= std::uint64_t{1} << (r % 64);
  }
  for (const Number s : up_reach.order) {
    for (const Switch n : graph.neighbours(Switch{s})) {
      if (up_reach.place[index(n)] > up_reach.place[s]) continue;
      for (std::size_t w = 0; w < up_reach.words; ++w) {
        up_reach.reach[s * up_reach.words + w] |= up_reach.reach[index(n) * up_reach.words + w];
      }
    }
  }
  return up_reach;
}

// One per component: its only root, or the switch with the most roots above it; then the latest
// rank, then the lowest number.
std::vector<Number> find_joints(const PortGraph& graph, const UpReach& up_reach,
                                const Table<Switch, std::uint32_t>& rank,
                                std::optional<Switch> avoid) {
  const auto [component, count] = connected_components(graph);
  std::vector<Number> roots_in(count);
  for (const Number root : up_reach.roots) ++roots_in[component[Switch{root}]];
  const auto better = [&](Number a, Number b) {
    const auto key = [&](Number s) {
      const bool one_root = roots_in[component[Switch{s}]] == 1;
      return std::tuple(one_root ? 0U : unsigned{avoid != Switch{s}}, up_reach.count(s),
                        one_root ? 0U - up_reach.place[s] : rank[Switch{s}]);
    };
    return key(a) > key(b);
  };
  std::vector<Number> best(count, kNone<Number>);
  for (Number s = 0; s < graph.size(); ++s) {
    Number& joint = best[component[Switch{s}]];
    if (joint == kNone<Number> || better(s, joint)) joint = s;
  }
  return best;
}

// Appends to `joints` all switches above them, the latest first, so that each comes after the
// switches that it is above. This reverses all cables above a joint, and keeps all its shortest
// paths.
void place_all_above(const PortGraph& graph, const UpReach& up_reach, std::vector<Number>& joints) {
  enum class State : std::uint8_t { kElsewhere, kJoint, kAbove };
  std::vector<State> state(graph.size(), State::kElsewhere);
  for (const Number joint : joints) state[joint] = State::kJoint;
  for (std::size_t i = graph.size(); i-- > 0;) {
    const Number s = up_reach.order[i];
    if (state[s] == State::kElsewhere) continue;
    if (state[s] == State::kAbove) joints.push_back(s);
    for (const Switch to : graph.neighbours(Switch{s})) {
      const Number n = index(to);
      if (up_reach.place[n] < i && state[n] == State::kElsewhere) state[n] = State::kAbove;
    }
  }
}

// Appends to `placed` the switches that lead from it to roots that it does not contain, nearest
// first.
void grow_to_roots(const PortGraph& graph, const std::vector<Number>& roots,
                   std::vector<Number>& placed) {
  std::vector<Number> before(graph.size(), kNone<Number>);
  std::vector<Number> queue = placed;
  for (const Number s : placed) before[s] = s;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Number s = queue[i];
    for (const Switch n : graph.neighbours(Switch{s})) {
      if (before[index(n)] != kNone<Number>) continue;
      before[index(n)] = s;
      queue.push_back(index(n));
    }
  }
  std::vector<char> wanted(graph.size());
  for (const Number root : roots) {
    if (before[root] == kNone<Number>) continue;
    for (Number s = root; wanted[s] == 0 && before[s] != s; s = before[s]) wanted[s] = 1;
  }
  std::ranges::copy_if(queue, std::back_inserter(placed), [&](Number s) { return wanted[s] != 0; });
}

Switch centre(const std::vector<std::uint16_t>& hops, const Components& components, Number of) {
  const std::size_t n = components.component.size();
  Switch best = kNone<Switch>;
  auto best_key = std::pair(~std::uint64_t{0}, ~std::uint64_t{0});
  for (const Switch s : ids<Switch>(n)) {
    if (components.component[s] != of) continue;
    std::pair<std::uint64_t, std::uint64_t> key{0, 0};
    for (Number d = 0; d < n; ++d) {
      const std::uint16_t left = hops[index(s) * n + d];
      if (left == kFar) continue;
      key.first = std::max<std::uint64_t>(key.first, left);
      key.second += left;
    }
    if (key < best_key) {
      best_key = key;
      best = s;
    }
  }
  return best;
}

}  // namespace

Position joined_order(const PortGraph& graph, const Table<Switch, std::uint32_t>& rank,
                      std::optional<Switch> avoid) {
  const UpReach up_reach = reach_roots(graph, rank);
  std::vector<Number> placed = find_joints(graph, up_reach, rank, avoid);
  place_all_above(graph, up_reach, placed);
  grow_to_roots(graph, up_reach.roots, placed);
  Position position(graph.size(), kNone<Number>);
  std::uint32_t next = 0;
  for (const Number s : placed) position[Switch{s}] = next++;
  for (const Number s : up_reach.order) {
    if (position[Switch{s}] == kNone<Number>) position[Switch{s}] = next++;
  }
  return position;
}

Table<Switch, std::uint32_t> rank_from(const PortGraph& graph, std::vector<Switch> roots,
                                       int threads) {
  const Components components = connected_components(graph);
  std::vector<char> has_root(components.count);
  for (const Switch root : roots) has_root[components.component[root]] = 1;
  std::vector<std::uint16_t> hops;
  for (Number i = 0; i < components.count; ++i) {
    if (has_root[i] != 0) continue;
    if (hops.empty()) hops = hop_counts(graph, threads);
    roots.push_back(centre(hops, components, i));
  }
  Table<Switch, std::uint32_t> rank(graph.size(), kNone<Number>);
  std::vector<Switch> queue;
  for (const Switch root : roots) {
    if (rank[root] == 0) continue;
    rank[root] = 0;
    queue.push_back(root);
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Switch s = queue[i];
    for (const Switch n : graph.neighbours(s)) {
      if (rank[n] != kNone<Number>) continue;
      rank[n] = rank[s] + 1;
      queue.push_back(n);
    }
  }
  return rank;
}

std::vector<std::uint16_t> legal_distances(const PortGraph& graph, const Position& position,
                                           DownPaths down, int threads) {
  const std::size_t n = graph.size();
  std::vector<Number> order(n);
  for (Number s = 0; s < n; ++s) order[position[Switch{s}]] = s;
  std::vector<std::uint16_t> left(n * n, kFar);
  parallel_for(
      n, threads,
      [&](std::size_t d, int) {
        std::uint16_t* row = left.data() + d * n;
        // Paths that only go down: search up from the destination.
        std::vector<Number> queue{static_cast<Number>(d)};
        row[d] = 0;
        for (std::size_t i = 0; i < queue.size(); ++i) {
          const Number s = queue[i];
          for (const Trunk g : graph.up(Switch{s})) {
            const Number above = index(graph.neighbour(g));
            if (row[above] != kFar) continue;
            row[above] = static_cast<std::uint16_t>(row[s] + 1);
            queue.push_back(above);
          }
        }
        // From the first switch on, so the distances of those above are known.
        for (const Number s : order) {
          if (row[s] != kFar && down == DownPaths::kAlways) continue;
          std::uint16_t best = kFar;
          bool from_above = s == d;
          for (const Trunk g : graph.up(Switch{s})) {
            const std::uint16_t there = row[index(graph.neighbour(g))];
            from_above = from_above || there == row[s] + 1;
            best = std::min(best, static_cast<std::uint16_t>(there & ~kUpward));
          }
          if (from_above || best >= row[s]) continue;
          row[s] = static_cast<std::uint16_t>((best + 1) | kUpward);
        }
      },
      16);
  return left;
}

}  // namespace fatwood
