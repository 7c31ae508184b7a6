// SPDX-License-Identifier: BSD-3-Clause
#include "io/opensm/opensm_lists.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fatwood {

namespace {

constexpr std::uint32_t kUnranked = 0xffffffffU;

Table<Switch, std::uint32_t> ranks_below(const Fabric& fabric, const std::vector<Switch>& roots) {
  Table<Switch, std::uint32_t> rank(fabric.num_switches(), kUnranked);
  std::vector<Switch> queue = roots;
  for (const Switch root : roots) rank[root] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const SwitchLink& link : fabric.links(queue[i])) {
      if (rank[link.to] != kUnranked) continue;
      rank[link.to] = rank[queue[i]] + 1;
      queue.push_back(link.to);
    }
  }
  return rank;
}

class Lists {
 public:
  Lists(const Fabric& fabric, const Levels& levels) : fabric_(fabric), levels_(levels) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (levels.level[s] == levels.height) lists_.roots.push_back(s);
    }
    rank_ = ranks_below(fabric, lists_.roots);
    leaf_rank_ = rank_with_most_hosts();
  }

  OpensmLists run() {
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      if (levels_.role[t] == TerminalRole::kAggregation || fabric_.leaf(t) == kNone<Switch>) {
        continue;
      }
      (is_compute(t) && !drags_along(t) ? lists_.compute : lists_.io).push_back(t);
    }
    return std::move(lists_);
  }

 private:
  // The rank, not 0, whose switches have the most hosts of leaves.
  std::uint32_t rank_with_most_hosts() const {
    std::vector<std::size_t> hosts(fabric_.num_switches() + 1);
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      if (levels_.role[t] != TerminalRole::kOnLeaf) continue;
      const std::uint32_t rank = rank_[fabric_.leaf(t)];
      if (rank != 0 && rank != kUnranked) ++hosts[rank];
    }
    const auto most = std::max_element(hosts.begin(), hosts.end());
    return *most == 0 ? kUnranked : static_cast<std::uint32_t>(most - hosts.begin());
  }
  bool is_compute(Terminal t) const {
    return leaf_rank_ != kUnranked && levels_.role[t] == TerminalRole::kOnLeaf &&
           rank_[fabric_.leaf(t)] == leaf_rank_;
  }
  // Whether a later port of the same adapter is attached to a switch of another rank.
  bool drags_along(Terminal t) const {
    const Channel own = fabric_.terminal_channel(t);
    for (const Channel c : fabric_.channels(fabric_.owner(own))) {
      if (c <= own || !fabric_.to_switch(c)) continue;
      if (rank_[fabric_.next_switch(c)] != leaf_rank_) return true;
    }
    return false;
  }

  const Fabric& fabric_;
  const Levels& levels_;
  Table<Switch, std::uint32_t> rank_;
  std::uint32_t leaf_rank_ = kUnranked;
  OpensmLists lists_;
};

}  // namespace

OpensmLists opensm_lists(const Fabric& fabric, const Levels& levels) {
  return Lists(fabric, levels).run();
}

void write_guids(std::ostream& out, const Fabric& fabric, std::span<const Switch> switches) {
  for (const Switch s : switches) {
    out << fmt::format("0x{:016x}\n", fabric.guid(fabric.node(s)));
  }
}

void write_guids(std::ostream& out, const Fabric& fabric, std::span<const Terminal> terminals) {
  for (const Terminal t : terminals) out << fmt::format("0x{:016x}\n", fabric.address(t).guid);
}

}  // namespace fatwood
