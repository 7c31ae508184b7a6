// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/sub_tree.hpp"

#include <algorithm>
#include <queue>

#include "routing/routing.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kRestRows = 60;  // a multiple of most numbers of ports to choose from

// Puts the switches in the sub-tree's order, one by one.
class Ordering {
 public:
  explicit Ordering(const TreeClimb& climb)
      : climb_(climb), missing_(climb.size()), joined_(climb.size()), placed_(climb.size()) {
    for (std::uint32_t s = 0; s < climb.size(); ++s) {
      missing_[s] = climb.graph.first[s + 1] - climb.graph.first_up[s];
    }
  }

  std::vector<std::uint32_t> run(std::uint32_t root) {
    for (const std::uint32_t s : above(root)) place(s);
    while (order_.size() < climb_.size()) {
      if (ready_.empty()) {
        const std::uint32_t ahead = next_ahead();
        if (ahead == kNobody) break;  // not connected
        place(ahead);
        continue;
      }
      const std::uint32_t s = climb_.ascending[climb_.size() - 1 - ready_.top()];
      ready_.pop();
      if (!placed_[s]) place(s);
    }
    return std::move(order_);
  }

 private:
  // The root and all that is above it, level by level.
  std::vector<std::uint32_t> above(std::uint32_t root) const {
    const PortGraph& graph = climb_.graph;
    std::vector<std::uint32_t> found{root};
    std::vector<bool> seen(climb_.size());
    seen[root] = true;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::uint32_t s = found[i];
      for (std::uint32_t g = graph.first_up[s]; g < graph.first[s + 1]; ++g) {
        const std::uint32_t other = graph.neighbour[g];
        if (seen[other] || climb_.level[other] <= climb_.level[s]) continue;
        seen[other] = true;
        found.push_back(other);
      }
    }
    std::stable_sort(found.begin(), found.end(), [&](std::uint32_t a, std::uint32_t b) {
      return climb_.level[a] < climb_.level[b];
    });
    return found;
  }
  void place(std::uint32_t s) {
    const PortGraph& graph = climb_.graph;
    placed_[s] = true;
    order_.push_back(s);
    for (std::uint32_t g = graph.first[s]; g < graph.first[s + 1]; ++g) {
      const std::uint32_t other = graph.neighbour[g];
      joined_[other] = true;
      if (g < graph.first_up[s]) --missing_[other];
      if (!placed_[other] && missing_[other] == 0) ready_.push(climb_.position[other]);
    }
  }
  std::uint32_t next_ahead() const {
    std::uint32_t best = kNobody;
    const auto better = [&](std::uint32_t a, std::uint32_t b) {
      if (climb_.level[a] != climb_.level[b]) return climb_.level[a] > climb_.level[b];
      if (missing_[a] != missing_[b]) return missing_[a] < missing_[b];
      return climb_.position[a] < climb_.position[b];
    };
    for (std::uint32_t s = 0; s < climb_.size(); ++s) {
      if (placed_[s] || !joined_[s]) continue;
      if (best == kNobody || better(s, best)) best = s;
    }
    return best;
  }

  const TreeClimb& climb_;
  std::vector<std::uint32_t> missing_;  // upper neighbours not yet placed
  std::vector<bool> joined_;            // has a neighbour that is placed
  std::vector<bool> placed_;
  std::vector<std::uint32_t> order_;
  // Positions in the tree of switches that may come: the highest first.
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready_;
};

// Hops of the shortest climbs to the root in the sub-tree's order.
std::vector<std::uint32_t> climbs_to_root(const TreeClimb& climb, const SubTree& tree) {
  std::vector<std::uint32_t> hops(climb.size(), kNobody - 1);
  hops[tree.root] = 0;
  for (const std::uint32_t s : tree.descending) {
    for (std::uint32_t g = climb.graph.first[s]; g < climb.graph.first[s + 1]; ++g) {
      const std::uint32_t other = climb.graph.neighbour[g];
      if (tree.rank[other] < tree.rank[s]) hops[s] = std::min(hops[s], hops[other] + 1);
    }
  }
  return hops;
}

// Each switch has its first port in the first row, its second in the second, and so on in turn.
RestRows rows_to_root(const TreeClimb& climb, const SubTree& tree) {
  const std::vector<std::uint32_t> hops = climbs_to_root(climb, tree);
  RestRows rows{.count = kRestRows,
                .ports = std::vector<std::uint8_t>(kRestRows * climb.size(), kNoRoute)};
  std::vector<std::uint8_t> choice;
  for (std::uint32_t s = 0; s < climb.size(); ++s) {
    choice.clear();
    for (std::uint32_t g = climb.graph.first[s]; g < climb.graph.first[s + 1]; ++g) {
      const std::uint32_t other = climb.graph.neighbour[g];
      if (tree.rank[other] > tree.rank[s] || hops[other] + 1 != hops[s]) continue;
      choice.insert(choice.end(), climb.graph.ports(g).begin(), climb.graph.ports(g).end());
    }
    for (std::size_t row = 0; row < kRestRows && !choice.empty(); ++row) {
      rows.ports[row * climb.size() + s] = choice[(row + s) % choice.size()];
    }
  }
  return rows;
}

// Steps (from, to) that descend in the sub-tree's order although a route of the tree may climb in
// it from there.
std::vector<std::pair<std::uint32_t, std::uint32_t>> find_suspects(const TreeClimb& climb,
                                                                   const SubTree& tree) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> suspects;
  const PortGraph& graph = climb.graph;
  for (std::uint32_t at = 0; at < climb.size(); ++at) {
    for (std::uint32_t in = graph.first[at]; in < graph.first[at + 1]; ++in) {
      const std::uint32_t from = graph.neighbour[in];
      if (tree.rank[from] > tree.rank[at]) continue;
      const bool was_climbing = in < graph.first_up[at];
      const std::uint32_t end = was_climbing ? graph.first[at + 1] : graph.first_up[at];
      for (std::uint32_t out = graph.first[at]; out < end; ++out) {
        const std::uint32_t to = graph.neighbour[out];
        if (to == from || tree.rank[to] > tree.rank[at]) continue;
        suspects.push_back({from, at});
        break;
      }
    }
  }
  return suspects;
}

// What a row makes of a switch, in the sub-tree's order.
enum class State : std::uint8_t { kNotWalked, kBroken, kClimbs, kDescends };

class Mending {
 public:
  Mending(const TreeClimb& climb, const SubTree& tree, std::uint32_t destination,
          std::span<std::uint8_t> row)
      : climb_(climb),
        tree_(tree),
        row_(row),
        destination_(destination),
        state_(climb.size(), State::kNotWalked),
        hops_(climb.size()) {}

  void run() {
    look_at_row();
    attach_descending();
    attach_climbing();
    if (state_[tree_.root] != State::kBroken) return;
    // The root has no way down left: who can descend must.
    for (std::uint32_t s = 0; s < climb_.size(); ++s) {
      if (state_[s] != State::kDescends) state_[s] = State::kBroken;
    }
    attach_descending();
    attach_climbing();
  }

 private:
  bool descends(std::uint32_t from, std::uint32_t to) const {
    return tree_.rank[to] > tree_.rank[from];
  }

  void look_at_row() {
    state_[destination_] = State::kDescends;
    std::vector<std::uint32_t> path;
    for (std::uint32_t start = 0; start < climb_.size(); ++start) {
      path.clear();
      std::uint32_t s = start;
      while (state_[s] == State::kNotWalked) {
        path.push_back(s);
        state_[s] = State::kBroken;  // also what a loop finds
        const std::uint32_t next =
            row_[s] == kNoRoute ? kNobody : climb_.next[s * kPorts + row_[s]];
        if (next == kNobody) break;
        s = next;
      }
      for (std::size_t i = path.size(); i-- > 0;) judge(path[i]);
    }
  }
  void judge(std::uint32_t s) {
    if (row_[s] == kNoRoute) return;
    const std::uint32_t next = climb_.next[s * kPorts + row_[s]];
    if (next == kNobody || state_[next] == State::kBroken) return;
    if (descends(s, next) && state_[next] != State::kDescends) return;
    state_[s] = descends(s, next) ? State::kDescends : State::kClimbs;
    hops_[s] = hops_[next] + 1;
  }

  void attach_descending() {
    for (std::size_t i = climb_.size(); i-- > 0;) {
      attach(tree_.descending[i], State::kDescends);
    }
  }
  void attach_climbing() {
    for (const std::uint32_t s : tree_.descending) attach(s, State::kClimbs);
  }
  void attach(std::uint32_t s, State as) {
    if (state_[s] != State::kBroken) return;
    const PortGraph& graph = climb_.graph;
    std::uint32_t best = kNobody;
    for (std::uint32_t g = graph.first[s]; g < graph.first[s + 1]; ++g) {
      const std::uint32_t next = graph.neighbour[g];
      const bool fits = as == State::kDescends
                            ? descends(s, next) && state_[next] == State::kDescends
                            : !descends(s, next) && state_[next] != State::kBroken;
      if (fits && (best == kNobody || hops_[next] < hops_[graph.neighbour[best]])) best = g;
    }
    if (best == kNobody) return;
    state_[s] = as;
    hops_[s] = hops_[graph.neighbour[best]] + 1;
    const auto ports = graph.ports(best);
    row_[s] = ports[destination_ % ports.size()];
  }

  const TreeClimb& climb_;
  const SubTree& tree_;
  std::span<std::uint8_t> row_;
  std::uint32_t destination_;
  std::vector<State> state_;
  std::vector<std::uint32_t> hops_;
};

// Switches of the lowest level, those with the most cables upwards for their terminals first.
std::vector<std::uint32_t> roomy_leaves(const TreeClimb& climb,
                                        std::span<const std::uint32_t> terminals) {
  std::vector<std::uint32_t> leaves;
  std::vector<std::int64_t> room(climb.size());
  for (const std::uint32_t s : climb.ascending) {
    if (climb.level[s] != climb.level[climb.ascending.front()]) break;
    leaves.push_back(s);
    const PortGraph& graph = climb.graph;
    room[s] = std::int64_t{graph.first_port[graph.first[s + 1]]} -
              graph.first_port[graph.first_up[s]] - terminals[s];
  }
  std::stable_sort(leaves.begin(), leaves.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return room[a] > room[b]; });
  return leaves;
}

}  // namespace

std::uint32_t select_root(const TreeClimb& climb, std::span<const std::uint32_t> terminals,
                          std::optional<Switch> avoided) {
  TreeView view(climb);
  std::uint32_t best = kNobody;
  std::ptrdiff_t most = -1;
  for (const std::uint32_t s : roomy_leaves(climb, terminals)) {
    if (avoided && index(*avoided) == s) continue;
    view.look(s);
    const auto reached =
        std::count_if(view.hops.begin(), view.hops.end(), [](auto h) { return h != kNotBelow; });
    if (reached > most) {
      most = reached;
      best = s;
    }
    if (static_cast<std::size_t>(most) == climb.size()) break;
  }
  return best == kNobody ? climb.ascending.front() : best;
}

SubTree sub_tree(const TreeClimb& climb, std::uint32_t root) {
  SubTree tree;
  tree.root = root;
  tree.descending = Ordering(climb).run(root);
  tree.rank.assign(climb.size(), kNobody);
  for (std::uint32_t i = 0; i < tree.descending.size(); ++i) tree.rank[tree.descending[i]] = i;
  tree.to_root = rows_to_root(climb, tree);
  tree.suspects = find_suspects(climb, tree);
  return tree;
}

bool RowMender::is_fine(std::uint32_t destination, std::span<const std::uint8_t> row) const {
  if (row[tree_.root] == kNoRoute) return false;
  for (const auto& [from, at] : tree_.suspects) {
    if (at == destination || from == destination) continue;
    if (row[from] == kNoRoute || climb_.next[from * kPorts + row[from]] != at) continue;
    if (tree_.rank[climb_.next[at * kPorts + row[at]]] < tree_.rank[at]) return false;
  }
  return true;
}

void RowMender::mend(std::uint32_t destination, std::span<std::uint8_t> row) const {
  if (!is_fine(destination, row)) Mending(climb_, tree_, destination, row).run();
}

}  // namespace fatwood
