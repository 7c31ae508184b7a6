// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/climb.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>

#include "routing/routing.hpp"

namespace fatwood {

namespace {

constexpr std::uint32_t kMostVariants = 64;

// Switches from the lowest to the highest, and each one's place from the top.
void put_in_order(TreeClimb& climb, const Levels& levels) {
  const std::size_t n = levels.level.size();
  climb.level.assign(levels.level.begin(), levels.level.end());
  climb.ascending.resize(n);
  std::iota(climb.ascending.begin(), climb.ascending.end(), 0U);
  std::stable_sort(
      climb.ascending.begin(), climb.ascending.end(),
      [&](std::uint32_t a, std::uint32_t b) { return climb.level[a] < climb.level[b]; });
  climb.position.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    climb.position[climb.ascending[i]] = static_cast<std::uint32_t>(n - 1 - i);
  }
}

// The lowest number among the roots above; a root's own.
std::vector<std::uint32_t> columns(const PortGraph& graph, const TreeClimb& climb) {
  std::vector<std::uint32_t> column(graph.switches, kNobody);
  for (std::size_t i = graph.switches; i-- > 0;) {
    const std::uint32_t s = climb.ascending[i];
    for (std::uint32_t g = graph.first_up[s]; g < graph.first[s + 1]; ++g) {
      const std::uint32_t above = graph.neighbour[g];
      if (climb.level[above] > climb.level[s]) column[s] = std::min(column[s], column[above]);
    }
    if (column[s] == kNobody) column[s] = s;
  }
  return column;
}

PortGraph sort_up_groups(const PortGraph& graph, const std::vector<std::uint32_t>& column) {
  PortGraph sorted;
  sorted.switches = graph.switches;
  sorted.first = graph.first;
  sorted.first_up = graph.first_up;
  sorted.first_port.push_back(0);
  std::vector<std::uint32_t> groups;
  for (std::uint32_t s = 0; s < graph.switches; ++s) {
    groups.resize(graph.first[s + 1] - graph.first[s]);
    std::iota(groups.begin(), groups.end(), graph.first[s]);
    const auto by_column = [&](std::uint32_t a, std::uint32_t b) {
      const std::uint32_t x = graph.neighbour[a];
      const std::uint32_t y = graph.neighbour[b];
      return column[x] != column[y] ? column[x] < column[y] : x < y;
    };
    std::sort(groups.begin() + (graph.first_up[s] - graph.first[s]), groups.end(), by_column);
    for (const std::uint32_t g : groups) {
      sorted.neighbour.push_back(graph.neighbour[g]);
      sorted.port.insert(sorted.port.end(), graph.ports(g).begin(), graph.ports(g).end());
      sorted.first_port.push_back(static_cast<std::uint32_t>(sorted.port.size()));
    }
  }
  return sorted;
}

std::vector<std::uint32_t> reverse_groups(const PortGraph& graph) {
  std::vector<std::uint32_t> reverse(graph.neighbour.size());
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> into(graph.switches);
  for (std::uint32_t s = 0; s < graph.switches; ++s) {
    for (std::uint32_t g = graph.first[s]; g < graph.first[s + 1]; ++g) {
      into[graph.neighbour[g]].push_back({s, g});
    }
  }
  std::vector<std::uint32_t> group_to(graph.switches);
  for (std::uint32_t s = 0; s < graph.switches; ++s) {
    for (std::uint32_t g = graph.first[s]; g < graph.first[s + 1]; ++g) {
      group_to[graph.neighbour[g]] = g;
    }
    for (const auto& [owner, g] : into[s]) reverse[g] = group_to[owner];
  }
  return reverse;
}

// What one search downwards needs; reused for every top.
struct Search {
  std::vector<std::uint8_t> hops;
  std::vector<std::uint32_t> ports;  // that lead up in the fewest hops
  std::vector<std::uint32_t> group;  // the last such group
  std::vector<std::uint32_t> queue;

  explicit Search(std::size_t n) : hops(n, kNotBelow), ports(n), group(n) {}
};

void search_down(const TreeClimb& climb, std::uint32_t top, Search& search) {
  for (const std::uint32_t s : search.queue) search.hops[s] = kNotBelow;
  search.queue.assign(1, top);
  search.hops[top] = 0;
  const PortGraph& graph = climb.graph;
  for (std::size_t i = 0; i < search.queue.size(); ++i) {
    const std::uint32_t s = search.queue[i];
    if (search.hops[s] >= kMostHops) continue;
    const auto hops = static_cast<std::uint8_t>(search.hops[s] + 1);
    for (std::uint32_t g = graph.first[s]; g < graph.first_up[s]; ++g) {
      const std::uint32_t child = graph.neighbour[g];
      if (search.hops[child] == kNotBelow) {
        search.hops[child] = hops;
        search.ports[child] = 0;
        search.queue.push_back(child);
      }
      if (search.hops[child] != hops) continue;
      search.group[child] = climb.reverse[g];
      search.ports[child] += graph.first_port[g + 1] - graph.first_port[g];
    }
  }
}

// All ports of `s` that lead up in the fewest hops: firsts of the bundles, seconds, ...
Below with_choices(TreeClimb& climb, const Search& search, std::uint32_t s) {
  const PortGraph& graph = climb.graph;
  Below entry{s, static_cast<std::uint32_t>(climb.choice.size()), 0, search.hops[s]};
  std::size_t widest = 1;
  for (std::size_t copy = 0; copy < widest; ++copy) {
    for (std::uint32_t g = graph.first_up[s]; g < graph.first[s + 1]; ++g) {
      if (search.hops[graph.neighbour[g]] + 1 != entry.hops) continue;
      const auto ports = graph.ports(g);
      widest = std::max(widest, ports.size());
      if (copy >= ports.size()) continue;
      climb.choice.push_back(ports[copy]);
      ++entry.choices;
    }
  }
  return entry;
}

void count_choices(TreeClimb& climb, std::uint32_t choices) {
  const std::uint32_t both = std::lcm(climb.most_choices, choices);
  climb.most_choices = both <= kMostVariants ? both : kMostVariants;
}

// The rows of a peak: hops by class, and the port where there is but one.
class PeakRows {
 public:
  explicit PeakRows(TreeClimb& climb) : climb_(climb) {}

  // The class that the peak is of. Its own entry is kNotBelow: what rows of one column differ in.
  std::uint32_t add(Search& search) {
    const std::size_t n = climb_.size();
    search.hops[search.queue.front()] = kNotBelow;
    const std::string_view key(reinterpret_cast<const char*>(search.hops.data()), n);
    const auto [at, is_new] = classes_.try_emplace(std::hash<std::string_view>{}(key));
    auto& rows = at->second;
    std::uint32_t row = kNobody;
    for (const std::uint32_t known : rows) {
      if (std::equal(search.hops.begin(), search.hops.end(),
                     climb_.hops.begin() + static_cast<std::ptrdiff_t>(known * n))) {
        row = known;
      }
    }
    if (row == kNobody) {
      row = static_cast<std::uint32_t>(climb_.hops.size() / n);
      rows.push_back(row);
      climb_.hops.insert(climb_.hops.end(), search.hops.begin(), search.hops.end());
    }
    climb_.hop_row.push_back(row);
    const std::size_t first = climb_.only_port.size();
    climb_.only_port.resize(first + n, kNoRoute);
    for (const std::uint32_t s : search.queue) {
      if (search.hops[s] == kNotBelow || search.ports[s] != 1) continue;
      climb_.only_port[first + s] = climb_.graph.ports(search.group[s])[0];
    }
    return row;
  }

 private:
  TreeClimb& climb_;
  std::map<std::size_t, std::vector<std::uint32_t>> classes_;
};

// Entries of one peak of each class. Peaks of a class are as far from everyone, so that from two
// hops on the same ports lead to them.
class KnownBelow {
 public:
  // nullptr: none yet.
  const Below* find(const TreeClimb& climb, std::uint32_t row, std::uint32_t s) const {
    if (row >= of_class_.size() || of_class_[row].empty()) return nullptr;
    const std::uint32_t entry = of_class_[row][s];
    return entry == kNobody ? nullptr : &climb.below[entry];
  }
  // That the last entry is of this class.
  void add(const TreeClimb& climb, std::uint32_t row) {
    if (row >= of_class_.size()) of_class_.resize(row + 1);
    if (of_class_[row].empty()) of_class_[row].assign(climb.size(), kNobody);
    of_class_[row][climb.below.back().at] = static_cast<std::uint32_t>(climb.below.size() - 1);
  }

 private:
  std::vector<std::vector<std::uint32_t>> of_class_;  // [class][switch]
};

void find_below(TreeClimb& climb) {
  const std::size_t n = climb.size();
  Search search(n);
  PeakRows rows(climb);
  KnownBelow known;
  climb.peak.assign(n, kNobody);
  climb.first_below.push_back(0);
  for (std::uint32_t top = 0; top < n; ++top) {
    const PortGraph& graph = climb.graph;
    const bool is_peak =
        std::none_of(graph.neighbour.begin() + graph.first_up[top],
                     graph.neighbour.begin() + graph.first[top + 1],
                     [&](std::uint32_t above) { return climb.level[above] > climb.level[top]; });
    search_down(climb, top, search);
    std::uint32_t row = kNobody;
    if (is_peak) {
      climb.peak[top] = static_cast<std::uint32_t>(climb.peaks.size());
      climb.peaks.push_back(top);
      row = rows.add(search);
    }
    for (const std::uint32_t s : search.queue) {
      if (s == top || (is_peak && search.ports[s] == 1)) continue;
      search.hops[top] = 0;
      const bool is_far = is_peak && search.hops[s] > 1;
      if (const Below* as = is_far ? known.find(climb, row, s) : nullptr; as != nullptr) {
        climb.below.push_back(Below{*as});
        continue;
      }
      climb.below.push_back(with_choices(climb, search, s));
      count_choices(climb, climb.below.back().choices);
      if (is_far) known.add(climb, row);
    }
    climb.first_below.push_back(static_cast<std::uint32_t>(climb.below.size()));
  }
}

}  // namespace

TreeClimb tree_climb(const PortGraph& graph, const Levels& levels) {
  TreeClimb climb;
  put_in_order(climb, levels);
  Table<Switch, std::uint32_t> position(climb.position);
  const PortGraph ordered = order_groups(graph, position);
  climb.column = columns(ordered, climb);
  climb.graph = sort_up_groups(ordered, climb.column);
  climb.reverse = reverse_groups(climb.graph);
  climb.next.assign(climb.size() * kPorts, kNobody);
  for (std::uint32_t s = 0; s < climb.size(); ++s) {
    for (std::uint32_t g = climb.graph.first[s]; g < climb.graph.first[s + 1]; ++g) {
      for (const std::uint8_t port : climb.graph.ports(g)) {
        climb.next[s * kPorts + port] = climb.graph.neighbour[g];
      }
    }
  }
  find_below(climb);
  climb.even_hops.assign(climb.hops.begin(),
                         climb.hops.begin() + static_cast<std::ptrdiff_t>(climb.size()));
  for (std::size_t i = 0; i < climb.hops.size(); ++i) {
    std::uint8_t& even = climb.even_hops[i % climb.size()];
    if (climb.hops[i] != even) even = kNotBelow;
  }
  return climb;
}

}  // namespace fatwood
