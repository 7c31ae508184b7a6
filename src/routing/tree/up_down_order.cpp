// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/up_down_order.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "routing/tables/routing.hpp"

namespace fatwood {

namespace {

constexpr std::uint32_t kMostVariants = 64;

// The position of each switch from the top.
Table<Switch, std::uint32_t> places(const std::vector<Switch>& ascending) {
  Table<Switch, std::uint32_t> position(ascending.size());
  auto place = static_cast<std::uint32_t>(ascending.size());
  for (const Switch s : ascending) position[s] = --place;
  return position;
}

// The lowest number among the roots above; a root's own.
Table<Switch, Switch> columns(const PortGraph& graph, const Table<Switch, Level>& level,
                              const std::vector<Switch>& ascending) {
  Table<Switch, Switch> column(graph.size(), kNone<Switch>);
  for (std::size_t i = ascending.size(); i-- > 0;) {
    const Switch s = ascending[i];
    for (const Trunk g : graph.up(s)) {
      const Switch above = graph.neighbour(g);
      if (level[above] > level[s]) column[s] = std::min(column[s], column[above]);
    }
    if (column[s] == kNone<Switch>) column[s] = s;
  }
  return column;
}

PortGraph sort_up_trunks(const PortGraph& graph, const Table<Switch, Switch>& column) {
  return graph.arranged([&](Switch s, std::span<Trunk> trunks) {
    std::ranges::sort(trunks.subspan(graph.down(s).size()), {}, [&](Trunk g) {
      return std::pair(column[graph.neighbour(g)], graph.neighbour(g));
    });
    return graph.down(s).size();
  });
}

Table<Trunk, Trunk> trunks_back(const PortGraph& graph) {
  Table<Trunk, Trunk> reverse(graph.num_trunks());
  Table<Switch, std::vector<std::pair<Switch, Trunk>>> into(graph.size());
  for (const Switch s : ids<Switch>(graph.size())) {
    for (const Trunk g : graph.trunks(s)) into[graph.neighbour(g)].push_back({s, g});
  }
  Table<Switch, Trunk> trunk_to(graph.size());
  for (const Switch s : ids<Switch>(graph.size())) {
    for (const Trunk g : graph.trunks(s)) trunk_to[graph.neighbour(g)] = g;
    for (const auto& [owner, g] : into[s]) reverse[g] = trunk_to[owner];
  }
  return reverse;
}

Table<PortSlot, Switch> where_ports_lead(const PortGraph& graph) {
  Table<PortSlot, Switch> next(graph.size() * kPorts, kNone<Switch>);
  for (const Switch s : ids<Switch>(graph.size())) {
    for (const Trunk g : graph.trunks(s)) {
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
  Table<Switch, Trunk> trunk;          // the last of those trunks
  std::vector<Switch> queue;

  explicit DownSearch(std::size_t n) : hops(n, kNotBelow), ports(n), trunk(n) {}
};

static void search_down(const UpDownOrder& up_down, Switch top, DownSearch& search) {
  for (const Switch s : search.queue) search.hops[s] = kNotBelow;
  search.queue.assign(1, top);
  search.hops[top] = 0;
  const PortGraph& graph = up_down.graph();
  for (std::size_t i = 0; i < search.queue.size(); ++i) {
    const Switch s = search.queue[i];
    if (search.hops[s] >= kMostHops) continue;
    const auto hops = static_cast<std::uint8_t>(search.hops[s] + 1);
    for (const Trunk g : graph.down(s)) {
      const Switch child = graph.neighbour(g);
      if (search.hops[child] == kNotBelow) {
        search.hops[child] = hops;
        search.ports[child] = 0;
        search.queue.push_back(child);
      }
      if (search.hops[child] != hops) continue;
      search.trunk[child] = up_down.reverse(g);
      search.ports[child] += graph.width(g);
    }
  }
}

// The entries of one root of each class. Roots of a class have the same hops from every switch, so
// from two hops on the same ports lead to them.
class KnownBelow {
 public:
  // nullptr: none yet.
  const Below* find(const std::vector<Below>& below, RootClass roots, Switch s) const {
    if (index(roots) >= of_class_.size() || of_class_[roots].empty()) return nullptr;
    const std::uint32_t entry = of_class_[roots][s];
    return entry == kNoEntry ? nullptr : &below[entry];
  }
  // Notes that the last entry is of this class.
  void add(const std::vector<Below>& below, RootClass roots, std::size_t switches) {
    if (index(roots) >= of_class_.size()) of_class_.resize(index(roots) + 1);
    if (of_class_[roots].empty()) of_class_[roots].resize(switches, kNoEntry);
    of_class_[roots][below.back().at] = static_cast<std::uint32_t>(below.size() - 1);
  }

 private:
  static constexpr std::uint32_t kNoEntry = 0xffffffffU;
  Table<RootClass, Table<Switch, std::uint32_t>> of_class_;
};

// Finds the switches below each switch: fills the second half of the order.
class BelowFinder {
 public:
  explicit BelowFinder(UpDownOrder& up_down) : up_down_(up_down), search_(up_down.size()) {}

  void run() {
    up_down_.root_.resize(up_down_.size(), kNone<Root>);
    up_down_.first_below_.push_back(0);
    for (const Switch top : ids<Switch>(up_down_.size())) {
      search_down(up_down_, top, search_);
      list_below(top, is_root(top) ? add_root(top) : kNone<RootClass>);
      up_down_.first_below_.push_back(static_cast<std::uint32_t>(up_down_.below_.size()));
    }
  }

 private:
  bool is_root(Switch s) const {
    for (const Trunk g : up_down_.graph().up(s)) {
      if (up_down_.level(up_down_.graph().neighbour(g)) > up_down_.level(s)) return false;
    }
    return true;
  }

  RootClass add_root(Switch top) {
    up_down_.root_[top] = static_cast<Root>(up_down_.roots_.size());
    up_down_.roots_.push_back(top);
    search_.hops[top] = kNotBelow;  // the rows of roots of one column would differ here
    const RootClass roots = find_class();
    up_down_.class_.push_back(roots);
    const std::size_t first = up_down_.only_port_.size();
    up_down_.only_port_.resize(first + up_down_.size(), kNoRoute);
    for (const Switch s : search_.queue) {
      if (search_.hops[s] == kNotBelow || search_.ports[s] != 1) continue;
      up_down_.only_port_[first + index(s)] = up_down_.graph().ports(search_.trunk[s])[0];
    }
    return roots;
  }

  // The class with the same row of hops as the search, or a new one.
  RootClass find_class() {
    const std::size_t n = up_down_.size();
    const std::string_view key(reinterpret_cast<const char*>(search_.hops.data()), n);
    std::vector<RootClass>& alike = classes_[std::hash<std::string_view>{}(key)];
    for (const RootClass known : alike) {
      if (std::equal(search_.hops.begin(), search_.hops.end(), up_down_.hops_to(known)))
        return known;
    }
    alike.push_back(static_cast<RootClass>(up_down_.num_classes()));
    up_down_.hops_.insert(up_down_.hops_.end(), search_.hops.begin(), search_.hops.end());
    return alike.back();
  }

  // `roots`: the class of the top, or kNone if it is no root.
  void list_below(Switch top, RootClass roots) {
    const bool is_root = roots != kNone<RootClass>;
    search_.hops[top] = 0;
    for (const Switch s : search_.queue) {
      if (s == top || (is_root && search_.ports[s] == 1)) continue;
      const bool is_far = is_root && search_.hops[s] > 1;
      const Below* const as = is_far ? known_.find(up_down_.below_, roots, s) : nullptr;
      if (as != nullptr) {
        up_down_.below_.push_back(Below{*as});
        continue;
      }
      up_down_.below_.push_back(with_choices(s));
      count_choices(up_down_.below_.back().choices);
      if (is_far) known_.add(up_down_.below_, roots, up_down_.size());
    }
  }

  // All ports of `s` that lead up in the fewest hops: firsts of the bundles, seconds, ...
  Below with_choices(Switch s) {
    const PortGraph& graph = up_down_.graph();
    Below entry{s, static_cast<std::uint32_t>(up_down_.choice_.size()), 0, search_.hops[s]};
    std::size_t widest = 1;
    for (std::size_t copy = 0; copy < widest; ++copy) {
      for (const Trunk g : graph.up(s)) {
        if (search_.hops[graph.neighbour(g)] + 1 != entry.hops) continue;
        const auto ports = graph.ports(g);
        widest = std::max(widest, ports.size());
        if (copy >= ports.size()) continue;
        up_down_.choice_.push_back(ports[copy]);
        ++entry.choices;
      }
    }
    return entry;
  }

  void count_choices(std::uint32_t choices) {
    const std::uint32_t both = std::lcm(up_down_.choices_multiple_, choices);
    up_down_.choices_multiple_ = both <= kMostVariants ? both : kMostVariants;
  }

  UpDownOrder& up_down_;
  DownSearch search_;
  KnownBelow known_;
  std::map<std::size_t, std::vector<RootClass>> classes_;  // by the hash of their row
};

UpDownOrder::UpDownOrder(const PortGraph& graph, const Levels& levels)
    : level_(levels.level), ascending_(by_level(levels)), position_(places(ascending_)) {
  const PortGraph ordered = order_trunks(graph, position_);
  column_ = columns(ordered, level_, ascending_);
  graph_ = sort_up_trunks(ordered, column_);
  reverse_ = trunks_back(graph_);
  next_ = where_ports_lead(graph_);
  BelowFinder(*this).run();
}

}  // namespace fatwood
