// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/climb.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "routing/tables/routing.hpp"

namespace fatwood {

namespace {

constexpr std::uint32_t kMostVariants = 64;

// Switches from the lowest to the highest.
std::vector<Switch> by_level(const Table<Switch, Level>& level) {
  std::vector<Switch> ascending;
  ascending.reserve(level.size());
  for (const Switch s : ids<Switch>(level.size())) ascending.push_back(s);
  std::ranges::stable_sort(ascending, {}, [&](Switch s) { return level[s]; });
  return ascending;
}

// Each one's place from the top.
Table<Switch, std::uint32_t> places(const std::vector<Switch>& ascending) {
  Table<Switch, std::uint32_t> position(ascending.size());
  auto place = static_cast<std::uint32_t>(ascending.size());
  for (const Switch s : ascending) position[s] = --place;
  return position;
}

// The lowest number among the roots above; a root's own.
Table<Switch, Switch> columns(const TreeGraph& graph, const Table<Switch, Level>& level,
                              const std::vector<Switch>& ascending) {
  Table<Switch, Switch> column(graph.size(), kNone<Switch>);
  for (std::size_t i = ascending.size(); i-- > 0;) {
    const Switch s = ascending[i];
    for (const Group g : graph.up(s)) {
      const Switch above = graph.neighbour(g);
      if (level[above] > level[s]) column[s] = std::min(column[s], column[above]);
    }
    if (column[s] == kNone<Switch>) column[s] = s;
  }
  return column;
}

TreeGraph sort_up_groups(const PortGraph& graph, const Table<Switch, Switch>& column) {
  PortGraph sorted;
  sorted.switches = graph.switches;
  sorted.first = graph.first;
  sorted.first_up = graph.first_up;
  sorted.first_port.push_back(0);
  const TreeGraph from(graph);
  std::vector<Group> groups;
  for (const Switch s : ids<Switch>(graph.switches)) {
    groups.clear();
    for (const Group g : from.groups(s)) groups.push_back(g);
    std::sort(groups.begin() + from.down(s).size(), groups.end(), [&](Group a, Group b) {
      const Switch x = from.neighbour(a);
      const Switch y = from.neighbour(b);
      return column[x] != column[y] ? column[x] < column[y] : x < y;
    });
    for (const Group g : groups) {
      sorted.neighbour.push_back(index(from.neighbour(g)));
      sorted.port.insert(sorted.port.end(), from.ports(g).begin(), from.ports(g).end());
      sorted.first_port.push_back(static_cast<std::uint32_t>(sorted.port.size()));
    }
  }
  return TreeGraph(std::move(sorted));
}

Table<Group, Group> reverse_groups(const TreeGraph& graph) {
  Table<Group, Group> reverse(graph.num_groups());
  Table<Switch, std::vector<std::pair<Switch, Group>>> into(graph.size());
  for (const Switch s : ids<Switch>(graph.size())) {
    for (const Group g : graph.groups(s)) into[graph.neighbour(g)].push_back({s, g});
  }
  Table<Switch, Group> group_to(graph.size());
  for (const Switch s : ids<Switch>(graph.size())) {
    for (const Group g : graph.groups(s)) group_to[graph.neighbour(g)] = g;
    for (const auto& [owner, g] : into[s]) reverse[g] = group_to[owner];
  }
  return reverse;
}

Table<PortSlot, Switch> where_ports_lead(const TreeGraph& graph) {
  Table<PortSlot, Switch> next(graph.size() * kPorts, kNone<Switch>);
  for (const Switch s : ids<Switch>(graph.size())) {
    for (const Group g : graph.groups(s)) {
      for (const Port port : graph.ports(g)) next[slot(s, port)] = graph.neighbour(g);
    }
  }
  return next;
}

}  // namespace

// Working memory of one search downwards; reused for every top.
struct DownSearch {
  Table<Switch, std::uint8_t> hops;
  Table<Switch, std::uint32_t> ports;  // that lead up in the fewest hops
  Table<Switch, Group> group;          // the last of those groups
  std::vector<Switch> queue;

  explicit DownSearch(std::size_t n) : hops(n, kNotBelow), ports(n), group(n) {}
};

static void search_down(const TreeClimb& climb, Switch top, DownSearch& search) {
  for (const Switch s : search.queue) search.hops[s] = kNotBelow;
  search.queue.assign(1, top);
  search.hops[top] = 0;
  const TreeGraph& graph = climb.graph();
  for (std::size_t i = 0; i < search.queue.size(); ++i) {
    const Switch s = search.queue[i];
    if (search.hops[s] >= kMostHops) continue;
    const auto hops = static_cast<std::uint8_t>(search.hops[s] + 1);
    for (const Group g : graph.down(s)) {
      const Switch child = graph.neighbour(g);
      if (search.hops[child] == kNotBelow) {
        search.hops[child] = hops;
        search.ports[child] = 0;
        search.queue.push_back(child);
      }
      if (search.hops[child] != hops) continue;
      search.group[child] = climb.reverse(g);
      search.ports[child] += graph.width(g);
    }
  }
}

// Entries of one peak of each class. Peaks of a class are as far from everyone, so that from two
// hops on the same ports lead to them.
class KnownBelow {
 public:
  // nullptr: none yet.
  const Below* find(const std::vector<Below>& below, PeakClass peaks, Switch s) const {
    if (index(peaks) >= of_class_.size() || of_class_[peaks].empty()) return nullptr;
    const std::uint32_t entry = of_class_[peaks][s];
    return entry == kNoEntry ? nullptr : &below[entry];
  }
  // That the last entry is of this class.
  void add(const std::vector<Below>& below, PeakClass peaks, std::size_t switches) {
    if (index(peaks) >= of_class_.size()) of_class_.resize(index(peaks) + 1);
    if (of_class_[peaks].empty()) of_class_[peaks].resize(switches, kNoEntry);
    of_class_[peaks][below.back().at] = static_cast<std::uint32_t>(below.size() - 1);
  }

 private:
  static constexpr std::uint32_t kNoEntry = 0xffffffffU;
  Table<PeakClass, Table<Switch, std::uint32_t>> of_class_;
};

// Finds the switches below each switch: fills the second half of the order.
class BelowFinder {
 public:
  explicit BelowFinder(TreeClimb& climb) : climb_(climb), search_(climb.size()) {}

  void run() {
    climb_.peak_.resize(climb_.size(), kNone<Peak>);
    climb_.first_below_.push_back(0);
    for (const Switch top : ids<Switch>(climb_.size())) {
      search_down(climb_, top, search_);
      list_below(top, is_peak(top) ? add_peak(top) : kNone<PeakClass>);
      climb_.first_below_.push_back(static_cast<std::uint32_t>(climb_.below_.size()));
    }
  }

 private:
  bool is_peak(Switch s) const {
    for (const Group g : climb_.graph().up(s)) {
      if (climb_.level(climb_.graph().neighbour(g)) > climb_.level(s)) return false;
    }
    return true;
  }

  PeakClass add_peak(Switch top) {
    climb_.peak_[top] = static_cast<Peak>(climb_.peaks_.size());
    climb_.peaks_.push_back(top);
    search_.hops[top] = kNotBelow;  // what rows of one column differ in
    const PeakClass peaks = find_class();
    climb_.class_.push_back(peaks);
    const std::size_t first = climb_.only_port_.size();
    climb_.only_port_.resize(first + climb_.size(), kNoRoute);
    for (const Switch s : search_.queue) {
      if (search_.hops[s] == kNotBelow || search_.ports[s] != 1) continue;
      climb_.only_port_[first + index(s)] = climb_.graph().ports(search_.group[s])[0];
    }
    return peaks;
  }

  // The class whose row of hops is that of the search; a new one where there is none.
  PeakClass find_class() {
    const std::size_t n = climb_.size();
    const std::string_view key(reinterpret_cast<const char*>(search_.hops.data()), n);
    std::vector<PeakClass>& alike = classes_[std::hash<std::string_view>{}(key)];
    for (const PeakClass known : alike) {
      if (std::equal(search_.hops.begin(), search_.hops.end(), climb_.hops_to(known))) return known;
    }
    alike.push_back(static_cast<PeakClass>(climb_.num_classes()));
    climb_.hops_.insert(climb_.hops_.end(), search_.hops.begin(), search_.hops.end());
    return alike.back();
  }

  // `peaks`: the class of the top, or kNone where it is no peak.
  void list_below(Switch top, PeakClass peaks) {
    const bool is_peak = peaks != kNone<PeakClass>;
    search_.hops[top] = 0;
    for (const Switch s : search_.queue) {
      if (s == top || (is_peak && search_.ports[s] == 1)) continue;
      const bool is_far = is_peak && search_.hops[s] > 1;
      const Below* const as = is_far ? known_.find(climb_.below_, peaks, s) : nullptr;
      if (as != nullptr) {
        climb_.below_.push_back(Below{*as});
        continue;
      }
      climb_.below_.push_back(with_choices(s));
      count_choices(climb_.below_.back().choices);
      if (is_far) known_.add(climb_.below_, peaks, climb_.size());
    }
  }

  // All ports of `s` that lead up in the fewest hops: firsts of the bundles, seconds, ...
  Below with_choices(Switch s) {
    const TreeGraph& graph = climb_.graph();
    Below entry{s, static_cast<std::uint32_t>(climb_.choice_.size()), 0, search_.hops[s]};
    std::size_t widest = 1;
    for (std::size_t copy = 0; copy < widest; ++copy) {
      for (const Group g : graph.up(s)) {
        if (search_.hops[graph.neighbour(g)] + 1 != entry.hops) continue;
        const auto ports = graph.ports(g);
        widest = std::max(widest, ports.size());
        if (copy >= ports.size()) continue;
        climb_.choice_.push_back(ports[copy]);
        ++entry.choices;
      }
    }
    return entry;
  }

  void count_choices(std::uint32_t choices) {
    const std::uint32_t both = std::lcm(climb_.most_choices_, choices);
    climb_.most_choices_ = both <= kMostVariants ? both : kMostVariants;
  }

  TreeClimb& climb_;
  DownSearch search_;
  KnownBelow known_;
  std::map<std::size_t, std::vector<PeakClass>> classes_;  // by the hash of their row
};

TreeClimb::TreeClimb(const PortGraph& graph, const Levels& levels)
    : level_(levels.level), ascending_(by_level(level_)), position_(places(ascending_)) {
  const PortGraph ordered = order_groups(graph, position_);
  column_ = columns(TreeGraph(ordered), level_, ascending_);
  graph_ = sort_up_groups(ordered, column_);
  reverse_ = reverse_groups(graph_);
  next_ = where_ports_lead(graph_);
  BelowFinder(*this).run();
}

}  // namespace fatwood
