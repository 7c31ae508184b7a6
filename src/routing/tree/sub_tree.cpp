// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/sub_tree.hpp"

#include <algorithm>
#include <functional>
#include <queue>

#include "routing/tables/routing.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kRestRows = 60;  // a multiple of most numbers of ports to choose from
constexpr std::uint32_t kUnranked = 0xffffffffU;  // of a switch that no cable joins to the root
constexpr std::uint32_t kNoUpPath = 0xfffffffeU;  // more hops than any path up has

// Puts the switches in the sub-tree's order, one by one.
class Ordering {
 public:
  explicit Ordering(const UpDownOrder& up_down)
      : up_down_(up_down),
        missing_(up_down.size()),
        joined_(up_down.size()),
        placed_(up_down.size()) {
    for (const Switch s : ids<Switch>(up_down.size())) {
      missing_[s] = up_down.graph().up(s).size();
    }
  }

  std::vector<Switch> run(Switch root) {
    for (const Switch s : above(root)) place(s);
    while (order_.size() < up_down_.size()) {
      if (ready_.empty()) {
        const Switch ahead = next_ahead();
        if (ahead == kNone<Switch>) break;  // not connected
        place(ahead);
        continue;
      }
      const Switch s = up_down_.ascending()[up_down_.size() - 1 - ready_.top()];
      ready_.pop();
      if (!placed_[s]) place(s);
    }
    return std::move(order_);
  }

 private:
  // The root and all switches above it, level by level.
  std::vector<Switch> above(Switch root) const {
    const PortGraph& graph = up_down_.graph();
    std::vector<Switch> found{root};
    Table<Switch, bool> seen(up_down_.size());
    seen[root] = true;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Switch s = found[i];
      for (const Trunk g : graph.up(s)) {
        const Switch other = graph.neighbour(g);
        if (seen[other] || up_down_.level(other) <= up_down_.level(s)) continue;
        seen[other] = true;
        found.push_back(other);
      }
    }
    std::ranges::stable_sort(found, {}, [&](Switch s) { return up_down_.level(s); });
    return found;
  }
  void place(Switch s) {
    const PortGraph& graph = up_down_.graph();
    placed_[s] = true;
    order_.push_back(s);
    for (const Trunk g : graph.trunks(s)) {
      const Switch other = graph.neighbour(g);
      joined_[other] = true;
      if (graph.down(s).has(g)) --missing_[other];
      if (!placed_[other] && missing_[other] == 0) ready_.push(up_down_.position()[other]);
    }
  }
  Switch next_ahead() const {
    Switch best = kNone<Switch>;
    const auto better = [&](Switch a, Switch b) {
      if (up_down_.level(a) != up_down_.level(b)) return up_down_.level(a) > up_down_.level(b);
      if (missing_[a] != missing_[b]) return missing_[a] < missing_[b];
      return up_down_.position()[a] < up_down_.position()[b];
    };
    for (const Switch s : ids<Switch>(up_down_.size())) {
      if (placed_[s] || !joined_[s]) continue;
      if (best == kNone<Switch> || better(s, best)) best = s;
    }
    return best;
  }

  const UpDownOrder& up_down_;
  Table<Switch, std::uint32_t> missing_;  // upper neighbours not yet placed
  Table<Switch, bool> joined_;            // has a neighbour that is placed
  Table<Switch, bool> placed_;
  std::vector<Switch> order_;
  // Positions in the tree of switches that may come: the highest first.
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready_;
};

// Hops of the shortest paths up to the root in the sub-tree's order.
Table<Switch, std::uint32_t> up_hops_to_root(const UpDownOrder& up_down, const SubTree& tree) {
  Table<Switch, std::uint32_t> hops(up_down.size(), kNoUpPath);
  hops[tree.root] = 0;
  for (const Switch s : tree.descending) {
    for (const Trunk g : up_down.graph().trunks(s)) {
      const Switch other = up_down.graph().neighbour(g);
      if (tree.rank[other] < tree.rank[s]) hops[s] = std::min(hops[s], hops[other] + 1);
    }
  }
  return hops;
}

// Each switch has its first port in the first row, its second in the second, and so on in turn.
RestRows rows_to_root(const UpDownOrder& up_down, const SubTree& tree) {
  const Table<Switch, std::uint32_t> hops = up_hops_to_root(up_down, tree);
  RestRows rows{.count = kRestRows,
                .ports = std::vector<Port>(kRestRows * up_down.size(), kNoRoute)};
  std::vector<Port> choice;
  for (const Switch s : ids<Switch>(up_down.size())) {
    choice.clear();
    for (const Trunk g : up_down.graph().trunks(s)) {
      const Switch other = up_down.graph().neighbour(g);
      if (tree.rank[other] > tree.rank[s] || hops[other] + 1 != hops[s]) continue;
      choice.insert(choice.end(), up_down.graph().ports(g).begin(), up_down.graph().ports(g).end());
    }
    for (std::size_t row = 0; row < kRestRows && !choice.empty(); ++row) {
      rows.ports[row * up_down.size() + index(s)] = choice[(row + index(s)) % choice.size()];
    }
  }
  return rows;
}

// Steps (from, to) that go down in the order of the sub-tree, although a route of the tree may then
// go up in that order.
std::vector<std::pair<Switch, Switch>> find_suspects(const UpDownOrder& up_down,
                                                     const SubTree& tree) {
  std::vector<std::pair<Switch, Switch>> suspects;
  const PortGraph& graph = up_down.graph();
  for (const Switch at : ids<Switch>(up_down.size())) {
    for (const Trunk in : graph.trunks(at)) {
      const Switch from = graph.neighbour(in);
      if (tree.rank[from] > tree.rank[at]) continue;
      const bool was_upward = graph.down(at).has(in);
      for (const Trunk out : was_upward ? graph.trunks(at) : graph.down(at)) {
        const Switch to = graph.neighbour(out);
        if (to == from || tree.rank[to] > tree.rank[at]) continue;
        suspects.push_back({from, at});
        break;
      }
    }
  }
  return suspects;
}

// The direction of a switch in a row, in the sub-tree's order.
enum class State : std::uint8_t { kNotWalked, kBroken, kGoesUp, kGoesDown };

class Mending {
 public:
  Mending(const UpDownOrder& up_down, const SubTree& tree, Switch destination, std::span<Port> row)
      : up_down_(up_down),
        tree_(tree),
        row_(row),
        destination_(destination),
        state_(up_down.size(), State::kNotWalked),
        hops_(up_down.size()) {}

  void run() {
    look_at_row();
    attach_down();
    attach_up();
    if (state_[tree_.root] != State::kBroken) return;
    // The root found no path down and cannot go up, so every switch that can go down must do so.
    for (const Switch s : ids<Switch>(up_down_.size())) {
      if (state_[s] != State::kGoesDown) state_[s] = State::kBroken;
    }
    attach_down();
    attach_up();
  }

 private:
  bool goes_down(Switch from, Switch to) const { return tree_.rank[to] > tree_.rank[from]; }

  // The next switch by the row; kNone if it leads to no switch.
  Switch next(Switch s) const {
    const Port port = row_[index(s)];
    return port == kNoRoute ? kNone<Switch> : up_down_.next(s, port);
  }

  void look_at_row() {
    state_[destination_] = State::kGoesDown;
    std::vector<Switch> path;
    for (const Switch start : ids<Switch>(up_down_.size())) {
      path.clear();
      Switch s = start;
      while (state_[s] == State::kNotWalked) {
        path.push_back(s);
        state_[s] = State::kBroken;  // also what a loop finds
        if (next(s) == kNone<Switch>) break;
        s = next(s);
      }
      for (std::size_t i = path.size(); i-- > 0;) evaluate(path[i]);
    }
  }
  void evaluate(Switch s) {
    const Switch to = next(s);
    if (to == kNone<Switch> || state_[to] == State::kBroken) return;
    if (goes_down(s, to) && state_[to] != State::kGoesDown) return;
    state_[s] = goes_down(s, to) ? State::kGoesDown : State::kGoesUp;
    hops_[s] = hops_[to] + 1;
  }

  void attach_down() {
    for (std::size_t i = up_down_.size(); i-- > 0;) {
      attach(tree_.descending[i], State::kGoesDown);
    }
  }
  void attach_up() {
    for (const Switch s : tree_.descending) attach(s, State::kGoesUp);
  }
  void attach(Switch s, State as) {
    if (state_[s] != State::kBroken) return;
    const PortGraph& graph = up_down_.graph();
    Trunk best = kNone<Trunk>;
    for (const Trunk g : graph.trunks(s)) {
      const Switch to = graph.neighbour(g);
      const bool fits = as == State::kGoesDown ? goes_down(s, to) && state_[to] == State::kGoesDown
                                               : !goes_down(s, to) && state_[to] != State::kBroken;
      if (fits && (best == kNone<Trunk> || hops_[to] < hops_[graph.neighbour(best)])) best = g;
    }
    if (best == kNone<Trunk>) return;
    state_[s] = as;
    hops_[s] = hops_[graph.neighbour(best)] + 1;
    const auto ports = graph.ports(best);
    row_[index(s)] = ports[index(destination_) % ports.size()];
  }

  const UpDownOrder& up_down_;
  const SubTree& tree_;
  std::span<Port> row_;
  Switch destination_;
  Table<Switch, State> state_;
  Table<Switch, std::uint32_t> hops_;
};

bool is_fine(const UpDownOrder& up_down, const SubTree& tree, Switch destination,
             std::span<const Port> row) {
  if (row[index(tree.root)] == kNoRoute) return false;
  for (const auto& [from, at] : tree.suspects) {
    if (at == destination || from == destination) continue;
    const Port port = row[index(from)];
    if (port == kNoRoute || up_down.next(from, port) != at) continue;
    if (tree.rank[up_down.next(at, row[index(at)])] < tree.rank[at]) return false;
  }
  return true;
}

// Switches of the lowest level, those with the most cables upwards for their terminals first.
std::vector<Switch> roomy_leaves(const UpDownOrder& up_down,
                                 const Table<Switch, std::uint32_t>& terminals) {
  const PortGraph& graph = up_down.graph();
  std::vector<Switch> leaves;
  for (const Switch s : up_down.ascending()) {
    if (up_down.level(s) == up_down.lowest_level()) leaves.push_back(s);
  }
  std::ranges::stable_sort(leaves, std::greater{}, [&](Switch s) {
    return std::int64_t{graph.width(graph.up(s))} - terminals[s];
  });
  return leaves;
}

}  // namespace

Switch select_root(const UpDownOrder& up_down, const Table<Switch, std::uint32_t>& terminals,
                   std::optional<Switch> avoided) {
  TreeView view(up_down);
  Switch best = kNone<Switch>;
  std::ptrdiff_t most = -1;
  for (const Switch s : roomy_leaves(up_down, terminals)) {
    if (avoided == s) continue;
    view.look(s);
    const auto reached =
        std::count_if(view.hops.begin(), view.hops.end(), [](auto h) { return h != kNotBelow; });
    if (reached > most) {
      most = reached;
      best = s;
    }
    if (static_cast<std::size_t>(most) == up_down.size()) break;
  }
  return best == kNone<Switch> ? up_down.ascending().front() : best;
}

std::vector<Switch> sub_tree_order(const UpDownOrder& up_down, Switch root) {
  return Ordering(up_down).run(root);
}

SubTree sub_tree(const UpDownOrder& up_down, Switch root) {
  SubTree tree;
  tree.root = root;
  tree.descending = sub_tree_order(up_down, root);
  tree.rank.resize(up_down.size(), kUnranked);
  for (std::uint32_t i = 0; i < tree.descending.size(); ++i) tree.rank[tree.descending[i]] = i;
  tree.to_root = rows_to_root(up_down, tree);
  tree.suspects = find_suspects(up_down, tree);
  return tree;
}

void mend_row(const UpDownOrder& up_down, const SubTree& tree, Switch destination,
              std::span<Port> row) {
  if (!is_fine(up_down, tree, destination, row)) Mending(up_down, tree, destination, row).run();
}

}  // namespace fatwood
