// SPDX-License-Identifier: BSD-3-Clause
// Findings about the cables between switches: missing, too many, leading elsewhere, within a level;
// and about side parts.

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include "topology/recognise/recognition.hpp"

namespace fatwood {
namespace {

constexpr std::size_t kFewPairs = 4;  // are findings of their own

// Cables to the upper switches of its block.
std::uint32_t cables_up(const Recognition& known, Switch s) {
  std::uint32_t count = 0;
  for (const Trunk g : known.graph.trunks(s)) {
    const Switch to = known.graph.neighbour(g);
    if (known.levels.level[to] != known.levels.level[s] + 1) continue;
    if (known.blocks.down[to] == known.blocks.up[s]) count += known.graph.width(g);
  }
  return count;
}

class Cabling {
 public:
  Cabling(const Fabric& fabric, const Recognition& known) : fabric_(fabric), known_(known) {}

  std::vector<Finding> run() {
    missing();
    too_many();
    small_groups();
    elsewhere();
    side();
    sideways(FindingKind::kHorizontal, known_.levels.horizontal);
    sideways(FindingKind::kSkipping, known_.levels.skipping);
    return std::move(found_);
  }

 private:
  const Table<Switch, Level>& level() const { return known_.levels.level; }

  // One finding for each lower switch with missing cables.
  void missing() {
    const auto& all = known_.missing;
    for (std::size_t i = 0; i < all.size();) {
      std::size_t end = i;
      while (end < all.size() && all[end].below == all[i].below) ++end;
      missing_of(std::span(all).subspan(i, end - i));
      i = end;
    }
  }

  void missing_of(std::span<const CableGap> gaps) {
    const Switch s = gaps.front().below;
    const std::uint32_t block = known_.blocks.up[s];
    std::uint32_t lacks = 0;
    for (const auto& gap : gaps) lacks += gap.usual - gap.there;
    const std::uint32_t there = cables_up(known_, s);
    std::uint32_t usual = there + lacks;
    if (block != kNoBlock) {
      const TreeBlock& b = known_.blocks.block[block];
      usual = static_cast<std::uint32_t>(b.cables * b.above.size());
    }
    if (there >= usual) {
      uneven(s);
      return;
    }
    Finding finding{FindingKind::kMissingCable, {}, {fabric_.node(s)}};
    LackingLinks facts{there, usual, {}};
    for (const auto& gap : gaps) {
      FreePorts ports = where_missing(fabric_, known_.blocks, gap);
      finding.ports.insert(finding.ports.end(), ports.below.begin(), ports.below.end());
      finding.ports.insert(finding.ports.end(), ports.above.begin(), ports.above.end());
      finding.nodes.push_back(fabric_.node(gap.above));
      facts.gaps.push_back({gap, std::move(ports)});
    }
    finding.facts = std::move(facts);
    found_.push_back(std::move(finding));
  }

  // As many cables as usual, to other switches than usual.
  void uneven(Switch s) {
    const TreeBlock& block = known_.blocks.block[known_.blocks.up[s]];
    Finding finding{FindingKind::kUnevenCables, {}, {fabric_.node(s)}};
    CablesEach facts{block.cables, {}};
    for (const Switch u : block.above) {
      facts.to.push_back({u, cables_between(known_.graph, s, u)});
      finding.nodes.push_back(fabric_.node(u));
      for (const Channel c : cables_from(fabric_, s, u)) finding.ports.push_back(c);
    }
    finding.facts = std::move(facts);
    uneven_.push_back(s);
    found_.push_back(std::move(finding));
  }

  // More cables between two switches than usual in their block.
  void too_many() {
    for (std::size_t i = 0; i < known_.blocks.block.size(); ++i) {
      const TreeBlock& block = known_.blocks.block[i];
      if (!block.regular()) continue;
      for (const Switch s : block.below) {
        if (known_.side.off[s] != 0 || std::count(uneven_.begin(), uneven_.end(), s) > 0) continue;
        Finding finding{FindingKind::kExtraCable, {}, {fabric_.node(s)}};
        CablesEach facts{block.cables, {}};
        for (const Switch u : block.above) {
          const std::uint32_t there = cables_between(known_.graph, s, u);
          if (there <= block.cables) continue;
          facts.to.push_back({u, there});
          for (const Channel c : cables_from(fabric_, s, u)) finding.ports.push_back(c);
          finding.nodes.push_back(fabric_.node(u));
        }
        if (facts.to.empty()) continue;
        finding.facts = std::move(facts);
        found_.push_back(std::move(finding));
      }
    }
  }

  // Blocks with fewer lower switches than the largest have: pods that are not full.
  void small_groups() {
    if (!known_.map) return;
    const auto height = static_cast<Level>(known_.map->shape.height());
    for (Level l = 1; l < height; ++l) {
      std::map<std::size_t, std::vector<std::uint32_t>, std::greater<>> by_size;
      for (std::uint32_t i = 0; i < known_.blocks.block.size(); ++i) {
        const TreeBlock& block = known_.blocks.block[i];
        if (block.level != l || known_.side.main_block[i] == 0) continue;
        const auto off = [&](Switch s) { return known_.side.off[s] != 0; };
        const auto aside = std::count_if(block.below.begin(), block.below.end(), off);
        by_size[block.below.size() - static_cast<std::size_t>(aside)].push_back(i);
      }
      for (const auto& [size, blocks] : by_size) {
        if (size != by_size.begin()->first) small_group(size, by_size.begin()->first, blocks);
      }
    }
  }

  void small_group(std::size_t size, std::size_t usual, const std::vector<std::uint32_t>& blocks) {
    Finding finding{FindingKind::kSmallGroup};
    const TreeBlock& first = known_.blocks.block[blocks.front()];
    SmallGroups facts{first.level, size, usual, first.above.size(), {}};
    for (const std::uint32_t i : blocks) {
      const TreeBlock& block = known_.blocks.block[i];
      for (const Switch s : block.below) finding.nodes.push_back(fabric_.node(s));
      facts.with.push_back(block.below.front());
    }
    finding.facts = std::move(facts);
    found_.push_back(std::move(finding));
  }

  std::vector<Switch> neighbours_by_number(Switch s) const {
    const std::span<const Switch> by_port = known_.graph.neighbours(s);
    std::vector<Switch> sorted(by_port.begin(), by_port.end());
    std::ranges::sort(sorted);
    return sorted;
  }

  // Cables of the tree between switches of different blocks: likely swapped.
  void elsewhere() {
    for (const Switch s : ids<Switch>(known_.graph.size())) {
      const std::uint32_t block = known_.blocks.up[s];
      if (block == kNoBlock || !known_.blocks.block[block].regular()) continue;
      for (const Switch to : neighbours_by_number(s)) {
        if (level()[to] != level()[s] + 1 || known_.blocks.down[to] == block) continue;
        for (const Channel c : cables_from(fabric_, s, to)) {
          found_.push_back({FindingKind::kForeignCable,
                            {c, fabric_.peer(c)},
                            {},
                            UsualEnds{known_.blocks.block[block].above}});
        }
      }
    }
  }

  void side() {
    for (const Switch s : ids<Switch>(known_.graph.size())) {
      if (known_.side.off[s] == 0) continue;
      Finding finding{FindingKind::kSide, {}, {fabric_.node(s)}};
      SideSwitch facts{known_.levels.terminals[s], {}};
      for (const Switch to : neighbours_by_number(s)) {
        if (level()[to] <= level()[s]) continue;
        facts.up.push_back({to, cables_between(known_.graph, s, to)});
        for (const Channel c : cables_from(fabric_, s, to)) finding.ports.push_back(c);
      }
      finding.facts = std::move(facts);
      found_.push_back(std::move(finding));
    }
  }

  // One finding for each two switches, or for all pairs of a kind when there are many.
  void sideways(FindingKind kind, const std::vector<Channel>& cables) {
    std::map<std::pair<Node, Node>, std::vector<Channel>> pairs;
    for (const Channel c : cables) pairs[{fabric_.owner(c), fabric_.neighbour(c)}].push_back(c);
    using Kind = std::tuple<Level, Level, std::size_t>;
    std::map<Kind, std::vector<std::vector<Channel>>> kinds;
    for (const auto& [ends, channels] : pairs) {
      const Level a = level()[fabric_.as_switch(ends.first)];
      const Level b = level()[fabric_.as_switch(ends.second)];
      kinds[{a, b, channels.size()}].push_back(channels);
    }
    for (const auto& [key, all] : kinds) {
      const JoinedPairs joined{std::get<0>(key), std::get<1>(key), {}};
      if (all.size() > kFewPairs) {
        add_pairs(kind, joined, all);
      } else {
        for (const auto& channels : all) add_pairs(kind, joined, {channels});
      }
    }
  }

  void add_pairs(FindingKind kind, JoinedPairs joined, std::vector<std::vector<Channel>> pairs) {
    const Channel first = pairs.front().front();
    Finding finding{kind, {}, {fabric_.owner(first), fabric_.neighbour(first)}};
    for (const auto& channels : pairs) {
      for (const Channel c : channels) {
        finding.ports.push_back(c);
        finding.ports.push_back(fabric_.peer(c));
      }
    }
    joined.pairs = std::move(pairs);
    finding.facts = std::move(joined);
    found_.push_back(std::move(finding));
  }

  const Fabric& fabric_;
  const Recognition& known_;
  std::vector<Finding> found_;
  std::vector<Switch> uneven_;  // known already
};

}  // namespace

std::vector<Finding> cabling_findings(const Fabric& fabric, const Recognition& known) {
  return Cabling(fabric, known).run();
}

}  // namespace fatwood
