// SPDX-License-Identifier: BSD-3-Clause
#include "topology/recognise/tree_blocks.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace fatwood {
namespace {

constexpr double kAlike = 0.6;
constexpr std::size_t kSmallWidth = 6;

class BlockFinder {
 public:
  BlockFinder(const PortGraph& graph, const Levels& levels)
      : graph_(graph), levels_(levels), shared_(graph.size()) {
    result_.up.resize(graph.size(), kNoBlock);
    result_.down.resize(graph.size(), kNoBlock);
  }

  TreeBlocks run() {
    for (Level level = 1; level < levels_.height; ++level) {
      const auto first = static_cast<std::uint32_t>(blocks_);
      seed_blocks(level);
      place_upper(level);
      move_lower(level, first);
      place_upper(level);
    }
    collect();
    return std::move(result_);
  }

 private:
  bool goes_up(Switch s, Switch to) const { return levels_.level[to] == levels_.level[s] + 1; }
  std::uint32_t parents(Switch s) const {
    std::uint32_t count = 0;
    for (const Switch to : graph_.neighbours(s)) count += goes_up(s, to) ? 1U : 0U;
    return count;
  }

  void seed_blocks(Level level) {
    std::vector<std::pair<std::uint32_t, Switch>> order;
    for (const Switch s : ids<Switch>(graph_.size())) {
      if (levels_.level[s] != level) continue;
      if (const std::uint32_t count = parents(s)) order.emplace_back(count, s);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [count, s] : order) {
      if (result_.up[s] == kNoBlock) grow_block(s);
    }
  }

  void grow_block(Switch seed) {
    const auto block = static_cast<std::uint32_t>(blocks_++);
    result_.up[seed] = block;
    std::vector<Switch> met;
    for (const Switch to : graph_.neighbours(seed)) {
      if (!goes_up(seed, to)) continue;
      for (const Switch back : graph_.neighbours(to)) {
        if (levels_.level[back] != levels_.level[seed]) continue;
        if (shared_[back]++ == 0) met.push_back(back);
      }
    }
    for (const Switch t : met) {
      if (result_.up[t] == kNoBlock && shared_[t] >= kAlike * parents(t)) result_.up[t] = block;
      shared_[t] = 0;
    }
  }

  // The block with the most votes, the first of equals; kNoBlock without votes.
  static std::uint32_t winner(const std::map<std::uint32_t, std::uint32_t>& votes) {
    const auto most =
        std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
    return most == votes.end() ? kNoBlock : most->first;
  }

  void place_upper(Level level) {
    for (const Switch s : ids<Switch>(graph_.size())) {
      if (levels_.level[s] != level + 1) continue;
      std::map<std::uint32_t, std::uint32_t> votes;
      for (const Trunk g : graph_.trunks(s)) {
        const Switch to = graph_.neighbour(g);
        if (levels_.level[to] == level) votes[result_.up[to]] += graph_.width(g);
      }
      result_.down[s] = winner(votes);
    }
  }

  void move_lower(Level level, std::uint32_t first) {
    std::vector<std::uint32_t> up(graph_.size(), kNoBlock);
    for (const Switch s : ids<Switch>(graph_.size())) {
      if (levels_.level[s] != level || result_.up[s] < first) continue;
      std::map<std::uint32_t, std::uint32_t> votes;
      for (const Switch to : graph_.neighbours(s)) {
        if (goes_up(s, to)) ++votes[result_.down[to]];
      }
      up[index(s)] = winner(votes);
    }
    for (const Switch s : ids<Switch>(graph_.size())) {
      if (levels_.level[s] == level) result_.up[s] = up[index(s)];
    }
  }

  // A block that lost all its upper switches to other blocks is not a block.
  void drop_blocks_without_upper() {
    std::vector<char> has_upper(blocks_, 0);
    for (const std::uint32_t block : result_.down) {
      if (block != kNoBlock) has_upper[block] = 1;
    }
    for (std::uint32_t& block : result_.up) {
      if (block != kNoBlock && has_upper[block] == 0) block = kNoBlock;
    }
  }

  // Renumbers the blocks in use and fills in their members.
  void collect() {
    drop_blocks_without_upper();
    std::map<std::pair<Level, std::uint32_t>, std::uint32_t> number;  // in order of level, switch
    std::vector<std::uint32_t> first(blocks_, kNoBlock);
    for (const Switch s : ids<Switch>(graph_.size())) {
      const std::uint32_t block = result_.up[s];
      if (block != kNoBlock && first[block] == kNoBlock) {
        first[block] = index(s);
        number[{levels_.level[s], index(s)}] = block;
      }
    }
    std::vector<std::uint32_t> renamed(blocks_, kNoBlock);
    for (const auto& [key, block] : number) {
      renamed[block] = static_cast<std::uint32_t>(result_.block.size());
      result_.block.emplace_back().level = key.first;
    }
    for (const Switch s : ids<Switch>(graph_.size())) {
      for (std::uint32_t* which : {&result_.up[s], &result_.down[s]}) {
        if (*which != kNoBlock) *which = renamed[*which];
      }
      if (result_.down[s] != kNoBlock) result_.block[result_.down[s]].above.push_back(s);
    }
    for (const Switch s : ids<Switch>(graph_.size())) place_member(s);
    count_cables();
    mark_mixed();
  }

  // Calls take(cables) for each upper switch of its block that a lower switch has cables to.
  template <class Take>
  void each_in_block(Switch s, const Take& take) const {
    for (const Trunk g : graph_.trunks(s)) {
      const Switch to = graph_.neighbour(g);
      if (goes_up(s, to) && result_.down[to] == result_.up[s]) take(graph_.width(g));
    }
  }

  void place_member(Switch s) {
    if (result_.up[s] == kNoBlock) return;
    TreeBlock& block = result_.block[result_.up[s]];
    std::size_t reached = 0;
    each_in_block(s, [&](std::uint32_t) { ++reached; });
    const std::size_t enough = block.above.size() < kSmallWidth ? 4 : 2;
    (reached * enough >= block.above.size() ? block.below : block.aside).push_back(s);
  }

  using Histogram = std::map<std::uint32_t, std::uint64_t>;  // cables -> pairs of members
  static std::uint32_t most_frequent(const Histogram& counts) {
    std::uint32_t best = 0;
    std::uint64_t most = 0;
    for (const auto& [cables, count] : counts) {
      if (count >= most) best = cables, most = count;
    }
    return best;
  }

  // Blocks of one level, width and cables in which 7 of 10 lower switches have the same number of
  // cables, and that is not `cables` for each pair.
  void mark_mixed() {
    std::map<TreeBlock::Kind, Histogram> totals;
    for (const TreeBlock& block : result_.block) {
      for (const Switch s : block.below) {
        std::uint32_t total = 0;
        each_in_block(s, [&](std::uint32_t cables) { total += cables; });
        ++totals[block.kind()][total];
      }
    }
    for (TreeBlock& block : result_.block) {
      const Histogram& counts = totals[block.kind()];
      std::uint64_t all = 0;
      for (const auto& [total, count] : counts) all += count;
      const std::uint32_t usual = most_frequent(counts);
      block.mixed =
          all > 2 && usual != block.cables * block.above.size() && counts.at(usual) * 10 >= all * 7;
    }
  }

  void count_cables() {
    std::vector<Histogram> of_block(result_.block.size());
    std::vector<Histogram> of_level(levels_.height + 1U);
    for (const Switch s : ids<Switch>(graph_.size())) {
      const std::uint32_t block = result_.up[s];
      if (block == kNoBlock) continue;
      if (std::ranges::binary_search(result_.block[block].aside, s)) continue;
      each_in_block(s, [&](std::uint32_t cables) {
        ++of_block[block][cables];
        ++of_level[levels_.level[s]][cables];
      });
    }
    for (std::size_t i = 0; i < of_block.size(); ++i) {
      TreeBlock& block = result_.block[i];
      for (const auto& [cables, count] : of_block[i]) block.joined += count;
      block.cables = most_frequent(of_block[i]);
      const std::uint32_t level_usual = most_frequent(of_level[block.level]);
      if (of_block[i][level_usual] * 5 >= block.joined) block.cables = level_usual;
      for (const auto& [cables, count] : of_block[i]) {
        block.filled += std::min(cables, block.cables) * count;
      }
    }
  }

  const PortGraph& graph_;
  const Levels& levels_;
  TreeBlocks result_;
  std::size_t blocks_ = 0;
  Table<Switch, std::uint32_t> shared_;  // scratch: parents in common with the seed
};

}  // namespace

TreeBlocks find_blocks(const PortGraph& graph, const Levels& levels) {
  return BlockFinder(graph, levels).run();
}

}  // namespace fatwood
