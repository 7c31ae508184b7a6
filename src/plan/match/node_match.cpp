// SPDX-License-Identifier: BSD-3-Clause
#include "plan/match/node_match.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <set>
#include <unordered_map>

#include "plan/match/assignment.hpp"
#include "plan/match/node_votes.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kAnchors = 8;  // planned switches that are tried
constexpr std::size_t kTrials = 64;  // found candidates of each
constexpr std::size_t kRoundsWithoutGain = 4;
constexpr std::size_t kMostAssigned = 256;
constexpr std::uint32_t kLeastForStranger = 2;  // a cable at a planned port

struct Trial {
  Pairing pairing;
  std::size_t right = 0;
  Node anchor = kNone<Node>;
};

class NodeMatcher {
 public:
  NodeMatcher(const MatchSide& planned, const MatchSide& found)
      : planned_(planned),
        found_(found),
        votes_(planned, found),
        pairing_{Table<Node, Node>(planned.fabric.num_nodes(), kNone<Node>),
                 Table<Node, Node>(found.fabric.num_nodes(), kNone<Node>)},
        by_(planned.fabric.num_nodes(), MatchedBy::kNothing),
        fixed_(planned.fabric.num_nodes()),
        is_stranger_(found.fabric.num_nodes()) {}

  NodeMatch run() {
    by_guid();
    by_name(planned_.name, found_.name);
    if (numbers_are_planned()) votes_.trust_numbers();
    by_host_order();
    for (const Node p : ids<Node>(planned_.fabric.num_nodes())) {
      fixed_[p] = pairing_.found_of[p] == kNone<Node> ? 0 : 1;
    }
    find_strangers();
    by_votes();
    while (by_structure()) by_votes();
    by_assignment();
    correct_early_votes();
    return {std::move(pairing_.found_of), std::move(pairing_.planned_of), std::move(by_),
            std::move(alternatives_)};
  }

 private:
  bool free_planned(Node p) const { return pairing_.found_of[p] == kNone<Node>; }
  bool free_found(Node u) const { return pairing_.planned_of[u] == kNone<Node>; }
  void join(Node p, Node u, MatchedBy by) {
    pairing_.join(p, u);
    by_[p] = by;
  }

  void by_guid() {
    std::unordered_map<std::uint64_t, Node> found;
    for (const Node u : ids<Node>(found_.fabric.num_nodes())) {
      if (found_.guid[u] != 0) found.emplace(found_.guid[u], u);
    }
    for (const Node p : ids<Node>(planned_.fabric.num_nodes())) {
      const auto at = planned_.guid[p] == 0 ? found.end() : found.find(planned_.guid[p]);
      if (at == found.end() || !free_found(at->second)) continue;
      if (same_kind(p, at->second)) join(p, at->second, MatchedBy::kGuid);
    }
  }
  bool same_kind(Node p, Node u) const {
    return planned_.fabric.is_switch(p) == found_.fabric.is_switch(u);
  }

  using ByName = std::unordered_map<std::string, std::vector<Node>>;
  template <class Free>
  static ByName by_key(const Table<Node, std::string>& key, const Free& free) {
    ByName result;
    for (const Node node : ids<Node>(key.size())) {
      if (!key[node].empty() && free(node)) result[key[node]].push_back(node);
    }
    return result;
  }
  void by_name(const Table<Node, std::string>& planned, const Table<Node, std::string>& found) {
    const ByName in_plan = by_key(planned, [&](Node p) { return free_planned(p); });
    const ByName there = by_key(found, [&](Node u) { return free_found(u); });
    for (const Node p : ids<Node>(planned.size())) {
      const auto at = there.find(planned[p]);
      if (!free_planned(p) || at == there.end() || at->second.size() != 1) continue;
      if (in_plan.at(planned[p]).size() != 1 || !same_kind(p, at->second.front())) continue;
      join(p, at->second.front(), MatchedBy::kName);
    }
  }
  // Hosts whose adapters have other names: as many of them, in their order.
  void by_host_order() {
    ByName in_plan = by_key(planned_.host, [&](Node p) { return free_planned(p); });
    ByName there = by_key(found_.host, [&](Node u) { return free_found(u); });
    for (auto& [host, mine] : in_plan) {
      std::vector<Node>& theirs = there[host];
      if (mine.size() != theirs.size()) continue;
      std::ranges::sort(mine, {}, [&](Node p) { return planned_.name[p]; });
      std::ranges::sort(theirs, {}, [&](Node u) { return found_.name[u]; });
      const auto differ = [&](std::size_t i) { return !votes_.may_be(mine[i], theirs[i]); };
      if (std::ranges::any_of(std::views::iota(std::size_t{0}, mine.size()), differ)) continue;
      for (std::size_t i = 0; i < mine.size(); ++i) join(mine[i], theirs[i], MatchedBy::kName);
    }
  }

  // At least half of the hosts on both sides have adapters with exactly the planned names.
  bool numbers_are_planned() const {
    std::unordered_map<std::string, bool> same;  // by found host
    for (const Node u : ids<Node>(found_.fabric.num_nodes())) {
      if (!found_.host[u].empty())
        same.try_emplace(found_.host[u], true).first->second &= !free_found(u);
    }
    std::unordered_map<std::string, bool> both;
    for (const Node p : ids<Node>(planned_.fabric.num_nodes())) {
      const auto at = planned_.host[p].empty() ? same.end() : same.find(planned_.host[p]);
      if (at != same.end()) both[at->first] = at->second;
    }
    const auto exact = std::ranges::count_if(both, [](const auto& one) { return one.second; });
    return static_cast<std::size_t>(exact) * 2 >= both.size();
  }

  // Where names are those of the plan, one that is not belongs to another device: a weak vote does
  // not make it a planned one. They are if half of the nodes that could be matched by name were.
  void find_strangers() {
    struct Count {
      std::size_t planned = 0, named = 0, matched = 0;
    };
    std::array<Count, 2> count;  // of adapters, of switches
    for (const Node p : ids<Node>(planned_.fabric.num_nodes())) {
      ++count[planned_.fabric.is_switch(p) ? 1 : 0].planned;
    }
    for (const Node u : ids<Node>(found_.fabric.num_nodes())) {
      if (found_.name[u].empty()) continue;
      Count& mine = count[found_.fabric.is_switch(u) ? 1 : 0];
      ++mine.named;
      if (!free_found(u)) ++mine.matched;
    }
    for (const Node u : ids<Node>(found_.fabric.num_nodes())) {
      const Count& mine = count[found_.fabric.is_switch(u) ? 1 : 0];
      const bool used = mine.matched * 2 >= std::min(mine.named, mine.planned);
      is_stranger_[u] = used && !found_.name[u].empty() && free_found(u) ? 1 : 0;
    }
  }

  // Rounds of strict majorities.
  void by_votes() {
    bool changed = true;
    while (changed) {
      changed = false;
      struct Claim {
        Node planned = kNone<Node>;
        std::uint32_t points = 0;
        bool tie = false;
        MatchedBy by = MatchedBy::kNeighbours;
      };
      std::unordered_map<std::uint32_t, Claim> claims;
      for (const Node p : ids<Node>(planned_.fabric.num_nodes())) {
        if (!free_planned(p)) continue;
        const Tally tally = votes_.tally(pairing_, p, Candidates::kFree);
        if (tally.best == kNone<Node> || tally.points == tally.second) continue;
        Claim& claim = claims[index(tally.best)];
        if (tally.points > claim.points) {
          claim = {
              p, tally.points, false,
              tally.from_hosts * 2 > tally.points ? MatchedBy::kHosts : MatchedBy::kNeighbours};
        } else if (tally.points == claim.points) {
          claim.tie = true;
        }
      }
      for (const auto& [u, claim] : claims) {
        if (claim.tie) continue;
        join(claim.planned, static_cast<Node>(u), claim.by);
        changed = true;
      }
    }
  }

  // Some free switches with many cables, evenly spread.
  std::vector<Node> anchors() const {
    std::vector<Node> free;
    for (const Node p : ids<Node>(planned_.fabric.num_nodes())) {
      if (!planned_.fabric.is_switch(p) || !free_planned(p) || tried_.contains(p)) continue;
      const auto has_cable = [&](Channel c) { return planned_.peer[c] != kNone<Channel>; };
      if (std::ranges::any_of(planned_.fabric.channels(p), has_cable)) free.push_back(p);
    }
    if (free.size() <= kAnchors) return free;
    std::vector<Node> some;
    for (std::size_t i = 0; i < kAnchors; ++i) some.push_back(free[i * free.size() / kAnchors]);
    return some;
  }

  std::vector<Node> candidates(Node p) const {
    std::vector<std::pair<std::size_t, Node>> ranked;
    for (const Node u : ids<Node>(found_.fabric.num_nodes())) {
      if (!found_.fabric.is_switch(u) || !free_found(u)) continue;
      if (const std::size_t overlap = votes_.overlap(p, u); overlap > 0)
        ranked.emplace_back(overlap, u);
    }
    std::ranges::stable_sort(ranked, std::greater{}, [](const auto& one) { return one.first; });
    std::vector<Node> result;
    for (const auto& [overlap, u] : ranked) {
      if (result.size() == kTrials || overlap * 2 < ranked.front().first) break;
      result.push_back(u);
    }
    return result;
  }

  Trial trial(Node p, Node u) const {
    Trial made{pairing_, 0, p};
    made.pairing.join(p, u);
    votes_.follow(made.pairing, {p});
    votes_.sweep(made.pairing, fixed_);
    votes_.sweep(made.pairing, fixed_);
    made.right = votes_.right_cables(made.pairing);
    return made;
  }

  // Whether something was matched.
  bool by_structure() {
    std::vector<Trial> best;
    const std::size_t before = votes_.right_cables(pairing_);
    std::vector<Node> tried = anchors();
    for (const Node p : tried) {
      for (const Node u : candidates(p)) {
        Trial made = trial(p, u);
        if (made.right <= before) continue;
        if (best.empty() || made.right > best.front().right) best.clear();
        // Equally good trials count as alternatives if they place the same switch.
        if (best.empty() || (made.right == best.front().right && best.front().anchor == p)) {
          best.push_back(std::move(made));
        }
      }
    }
    if (best.empty()) {
      tried_.insert(tried.begin(), tried.end());
      return !tried.empty() && ++without_gain_ < kRoundsWithoutGain;
    }
    tried_.clear();
    for (const Node p : ids<Node>(planned_.fabric.num_nodes())) {
      const Node u = best.front().pairing.found_of[p];
      if (u == kNone<Node> || pairing_.found_of[p] == u) continue;
      by_[p] = MatchedBy::kNeighbours;
      std::vector<Node> others;
      for (const Trial& other : best) {
        const Node v = other.pairing.found_of[p];
        if (v != u && v != kNone<Node> && std::ranges::find(others, v) == others.end()) {
          others.push_back(v);
        }
      }
      if (!others.empty()) alternatives_[p] = std::move(others);
    }
    pairing_ = std::move(best.front().pairing);
    return true;
  }

  void by_assignment() {
    std::vector<Node> rows, columns;
    for (const Node p : ids<Node>(planned_.fabric.num_nodes())) {
      if (free_planned(p)) rows.push_back(p);
    }
    for (const Node u : ids<Node>(found_.fabric.num_nodes())) {
      if (free_found(u)) columns.push_back(u);
    }
    if (rows.empty() || columns.empty()) return;
    if (rows.size() > kMostAssigned || columns.size() > kMostAssigned) return;
    std::vector<std::vector<std::int64_t>> scores;
    for (const Node p : rows) {
      std::vector<std::int64_t>& row = scores.emplace_back();
      for (const Node u : columns) {
        const std::uint32_t points = votes_.may_be(p, u) ? votes_.affinity(pairing_, p, u) : 0;
        row.push_back(is_stranger_[u] != 0 && points < kLeastForStranger ? 0 : points);
      }
    }
    const std::vector<std::size_t> chosen = best_assignment(scores);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (chosen[i] == kUnassigned) continue;
      note_ties(rows[i], columns, scores[i], chosen[i]);
      join(rows[i], columns[chosen[i]], MatchedBy::kAssignment);
    }
  }
  void note_ties(Node p, const std::vector<Node>& columns, const std::vector<std::int64_t>& row,
                 std::size_t chosen) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      if (j != chosen && row[j] == row[chosen]) alternatives_[p].push_back(columns[j]);
    }
  }

  // They may have been misled by a wrong cable.
  void correct_early_votes() {
    const std::size_t before = votes_.right_cables(pairing_);
    Pairing swept = pairing_;
    votes_.sweep(swept, fixed_);
    if (votes_.right_cables(swept) <= before) return;
    for (const Node p : ids<Node>(planned_.fabric.num_nodes())) {
      if (swept.found_of[p] == pairing_.found_of[p]) continue;
      by_[p] = swept.found_of[p] == kNone<Node> ? MatchedBy::kNothing : MatchedBy::kNeighbours;
      alternatives_.erase(p);
    }
    pairing_ = std::move(swept);
  }

  const MatchSide& planned_;
  const MatchSide& found_;
  NodeVotes votes_;
  Pairing pairing_;
  Table<Node, MatchedBy> by_;
  Table<Node, std::uint8_t> fixed_;        // by planned node: by GUID or name
  Table<Node, std::uint8_t> is_stranger_;  // by found node: a name that is not planned
  std::set<Node> tried_;
  std::size_t without_gain_ = 0;
  std::map<Node, std::vector<Node>> alternatives_;
};

}  // namespace

NodeMatch match_nodes(const MatchSide& planned, const MatchSide& found) {
  return NodeMatcher(planned, found).run();
}

}  // namespace fatwood
