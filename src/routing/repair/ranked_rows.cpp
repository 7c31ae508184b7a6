// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/ranked_rows.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <ranges>
#include <tuple>

#include "routing/tree/sub_tree.hpp"

namespace fatwood {

namespace {

// By switch: the rows in which packets turn there from down to up, by levels.
Table<Switch, std::uint64_t> turns_up(const Model& model, const DependencyCounts& dependencies) {
  const Fabric& fabric = model.fabric();
  const auto& level = model.levels().level;
  Table<Switch, std::uint64_t> turns(fabric.num_switches(), 0);
  for (const Switch s : ids<Switch>(turns.size())) {
    for (const SwitchLink& in : fabric.links(s)) {
      if (level[in.to] <= level[s]) continue;
      const std::span<const std::uint32_t> rows = dependencies.after(s, in.port);
      for (const SwitchLink& out : fabric.links(s)) {
        if (level[out.to] > level[s]) turns[s] += rows[index(out.port)];
      }
    }
  }
  return turns;
}

// The root of one component of which this is a part: see ranked_rows.hpp. kNone: no packet turns.
Switch turning_leaf(const UpDownOrder& up_down, std::span<const Switch> component,
                    const Table<Switch, std::uint64_t>& turns) {
  const PortGraph& graph = up_down.graph();
  // Of each leaf: the turns at the switches above it, each counted once.
  std::vector<std::uint32_t> seen(up_down.size(), 0);
  std::uint32_t now = 0;
  Switch best = kNone<Switch>;
  std::pair<std::uint64_t, std::uint64_t> most{0, 0};
  std::vector<Switch> above;
  for (const Switch leaf : component) {
    if (up_down.level(leaf) != up_down.lowest_level()) continue;
    above.assign(1, leaf);
    seen[index(leaf)] = ++now;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < above.size(); ++i) {
      sum += turns[above[i]];
      for (const Trunk g : graph.up(above[i])) {
        const Switch other = graph.neighbour(g);
        if (up_down.level(other) <= up_down.level(above[i]) || seen[index(other)] == now) continue;
        seen[index(other)] = now;
        above.push_back(other);
      }
    }
    const std::pair mine{sum, turns[leaf]};
    if (mine > most) {
      most = mine;
      best = leaf;
    }
  }
  return best;
}

// One row at a time.
class RankedRows {
 public:
  RankedRows(const Model& model, const ForwardingTables& old, ForwardingTables tables,
             const KnownTables& known, const Table<Switch, std::uint32_t>& rank)
      : model_(model),
        graph_(model.port_graph()),
        map_(model.hop_map()),
        level_(model.levels().level),
        old_(old),
        tables_(std::move(tables)),
        rank_(rank),
        highest_first_(rank.size()),
        terminals_(terminals_on(model.fabric())),
        use_(known.use()),
        state_(rank.size()),
        by_levels_(rank.size()),
        hops_(rank.size()),
        cost_(rank.size()) {
    for (const Switch s : ids<Switch>(rank.size())) highest_first_[rank[s]] = s;
  }

  void repair(Destination destination) {
    const Switch home = home_of(model_.fabric(), tables_, destination);
    if (home == kNone<Switch>) return;
    destination_ = destination;
    home_ = home;
    row_ = tables_.row(destination);
    was_ = old_.row(destination);
    open_changed();
    settle();
    for (const Switch s : highest_first_) {
      if (state_[s] == State::kOpen) fix_root(s);
    }
    take_back_idle();
  }
  ForwardingTables take() && { return std::move(tables_); }

 private:
  // In the order of the sub-tree.
  enum class State : std::uint8_t { kOpen, kDown, kUp };
  // By levels: not up*/down*, down only, up first.
  enum class Legal : std::uint8_t { kNo, kDown, kUp };

  bool is_higher(Switch a, Switch b) const { return rank_[a] < rank_[b]; }
  std::optional<Switch> next(Switch s) const {
    const Hop hop = map_.at(s, row_[index(s)]);
    if (!hop.to_switch()) return std::nullopt;
    return Switch{hop.next()};
  }

  void open_changed() {
    for (std::uint32_t s = 0; s < row_.size(); ++s) {
      if (Switch{s} == home_ || row_[s] == was_[s]) continue;
      set(Switch{s}, kNoRoute);
    }
  }
  void set(Switch s, Port port) {
    Port& entry = row_[index(s)];
    --use_[(std::size_t{index(s)} << 8) | index(entry)];
    ++use_[(std::size_t{index(s)} << 8) | index(port)];
    entry = port;
  }

  void settle() {
    std::ranges::fill(state_, State::kOpen);
    arrive(home_, State::kDown, home_);
    for (const Switch s : std::ranges::reverse_view(highest_first_)) {
      if (s != home_) settle_down(s);
    }
    settle_all_up();
  }
  void settle_down(Switch s) {
    const auto to = next(s);
    if (to && is_higher(*to, s)) return;
    if (to && state_[*to] == State::kDown) return arrive(s, State::kDown, *to);
    take_best(s, State::kDown);
  }
  void settle_all_up() {
    for (const Switch s : highest_first_) {
      if (state_[s] != State::kOpen) continue;
      const auto to = next(s);
      if (to && is_higher(*to, s) && state_[*to] != State::kOpen) {
        arrive(s, State::kUp, *to);
      } else {
        take_best(s, State::kUp);
      }
    }
  }

  // Records the route of s by the next switch. At home they are the same.
  void arrive(Switch s, State state, Switch to) {
    state_[s] = state;
    hops_[s] = s == to ? 0 : hops_[to] + 1;
    by_levels_[s] = s == to ? Legal::kDown : legal(s, to);
  }
  Legal legal(Switch s, Switch to) const {
    if (level_[to] < level_[s]) return by_levels_[to] == Legal::kDown ? Legal::kDown : Legal::kNo;
    return level_[to] > level_[s] && by_levels_[to] != Legal::kNo ? Legal::kUp : Legal::kNo;
  }

  void take_best(Switch s, State as) {
    // Not by levels, hops, use, port.
    using Choice = std::tuple<bool, std::uint32_t, std::uint32_t, Port>;
    std::optional<Choice> best;
    Switch to = kNone<Switch>;
    for (const Trunk g : graph_.trunks(s)) {
      const Switch n = graph_.neighbour(g);
      const bool fits = as == State::kDown ? is_higher(s, n) && state_[n] == State::kDown
                                           : is_higher(n, s) && state_[n] != State::kOpen;
      if (!fits) continue;
      for (const Port port : graph_.ports(g)) {
        const Choice choice{legal(s, n) == Legal::kNo, hops_[n],
                            use_[(std::size_t{index(s)} << 8) | index(port)], port};
        if (best && *best <= choice) continue;
        best = choice;
        to = n;
      }
    }
    if (!best) return;
    set(s, std::get<3>(*best));
    arrive(s, as, to);
  }

  // The highest switch of the component has no path down, and none up. Clears the entries that keep
  // it from one, on the path where these are fewest, and settles the row again.
  void fix_root(Switch root) {
    constexpr auto kNever = std::numeric_limits<std::uint32_t>::max();
    std::ranges::fill(cost_, kNever);
    cost_[home_] = 0;
    std::vector<Switch> by(state_.size(), kNone<Switch>);
    for (const Switch s : std::ranges::reverse_view(highest_first_)) {
      for (const Switch n : graph_.neighbours(s)) {
        if (s == home_ || !is_higher(s, n) || cost_[n] == kNever) continue;
        const std::uint32_t mine = cost_[n] + (next(s) == n ? 0U : 1U);
        if (mine >= cost_[s]) continue;
        cost_[s] = mine;
        by[index(s)] = n;
      }
    }
    if (cost_[root] == kNever) return;  // disconnected
    for (Switch s = root; s != home_; s = by[index(s)]) {
      if (next(s) != by[index(s)]) set(s, kNoRoute);
    }
    settle();
  }

  bool is_wanted(std::uint32_t s) const {
    return was_[s] != kNoRoute || (terminals_[Switch{s}] != 0 && !tables_.is_switch(destination_));
  }
  // Removes entries that no wanted route uses.
  void take_back_idle() {
    std::vector<std::uint8_t> needed(row_.size());
    for (std::uint32_t s = 0; s < row_.size(); ++s) {
      if (!is_wanted(s) || state_[Switch{s}] == State::kOpen) continue;
      for (Switch at{s}; at != home_ && needed[index(at)] == 0; at = *next(at)) {
        needed[index(at)] = 1;
      }
    }
    for (std::uint32_t s = 0; s < row_.size(); ++s) {
      if (Switch{s} != home_ && needed[s] == 0 && was_[s] == kNoRoute) set(Switch{s}, kNoRoute);
    }
  }

  const Model& model_;
  const PortGraph& graph_;
  const HopMap& map_;
  const Table<Switch, Level>& level_;
  const ForwardingTables& old_;
  ForwardingTables tables_;
  const Table<Switch, std::uint32_t>& rank_;
  std::vector<Switch> highest_first_;
  Table<Switch, std::uint32_t> terminals_;  // their number
  std::vector<std::uint32_t> use_;          // [switch * 256 + port]: destinations
  // The row at hand.
  Table<Switch, State> state_;
  Table<Switch, Legal> by_levels_;
  Table<Switch, std::uint32_t> hops_;
  Table<Switch, std::uint32_t> cost_;  // entries that change for a path down
  Destination destination_ = kNone<Destination>;
  Switch home_ = kNone<Switch>;
  std::span<Port> row_;
  std::span<const Port> was_;
};

}  // namespace

Table<Switch, std::uint32_t> rank_of_fallback(const Model& model, const KnownTables& known) {
  const UpDownOrder up_down(model.port_graph(), model.levels());
  const Table<Switch, std::uint64_t> turns = turns_up(model, known.dependencies());
  const Table<Switch, std::uint32_t>& component = model.components().component;
  std::vector<std::vector<Switch>> parts(model.components().count);
  for (const Switch s : up_down.ascending()) parts[component[s]].push_back(s);
  Table<Switch, std::uint32_t> rank(up_down.size());
  std::uint32_t next = 0;
  for (const std::vector<Switch>& part : parts) {
    Switch root = turning_leaf(up_down, part, turns);
    if (root == kNone<Switch>) {
      root = part.size() == up_down.size()
                 ? select_root(up_down, terminals_on(model.fabric()), std::nullopt)
                 : part.front();
    }
    for (const Switch s : sub_tree_order(up_down, root)) rank[s] = next++;
  }
  return rank;
}

ForwardingTables repair_by_rank(const Model& model, const ForwardingTables& old,
                                const ForwardingTables& by_levels, const KnownTables& known,
                                const Table<Switch, std::uint32_t>& rank,
                                std::span<const Destination> rows) {
  RankedRows ranked(model, old, by_levels, known, rank);
  for (const Destination destination : rows) ranked.repair(destination);
  return std::move(ranked).take();
}

}  // namespace fatwood
