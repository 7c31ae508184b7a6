// SPDX-License-Identifier: BSD-3-Clause
#include "topology/recognise/tree_map.hpp"

#include <algorithm>
#include <map>

#include "core/sort_unique.hpp"
#include "core/union_find.hpp"
#include "topology/recognise/missing_cables.hpp"

namespace fatwood {
namespace {

constexpr double kLeastMainShare = 0.8;
constexpr std::size_t kIrregularShare = 10;  // at most a tenth of the switches in such blocks

// The two nestings: parts[l][s] names the part of switch s of level l, kNoPlace if it has none.
using PartsByLevel = std::vector<std::vector<std::uint32_t>>;

class Mapper {
 public:
  Mapper(const Fabric& fabric, const PortGraph& graph, const Levels& levels,
         const TreeBlocks& blocks, const SideParts& side)
      : fabric_(fabric), graph_(graph), levels_(levels), blocks_(blocks), side_(side) {}

  std::optional<TreeMap> run() {
    if (side_.main_share < kLeastMainShare || !collect_switches() || !find_widths()) {
      return std::nullopt;
    }
    if (!nest_down() || !nest_up()) return std::nullopt;
    find_hosts();
    if (!fault_of(map_.shape).empty() || !half_full()) return std::nullopt;
    if (map_.trees > 1) {
      count_missing();
      return std::move(map_);
    }
    if (!place_switches()) return std::nullopt;
    place_orphans();
    place_terminals();
    place_channels();
    count_missing();
    return std::move(map_);
  }

 private:
  bool is_main(Switch s) const { return side_.off[s] == 0 && is_member_[s] != 0; }
  const std::vector<Switch>& at(unsigned level) const { return by_level_[level]; }

  // Switches of the tree by level; the height is that of the highest.
  bool collect_switches() {
    is_member_.resize(graph_.size());
    by_level_.assign(levels_.height + 1U, {});
    for (const Switch s : ids<Switch>(graph_.size())) {
      const bool lonely = blocks_.up[s] == kNoBlock && blocks_.down[s] == kNoBlock;
      if (side_.off[s] != 0 || (lonely && levels_.height > 1)) continue;
      is_member_[s] = 1;
      by_level_[levels_.level[s]].push_back(s);
    }
    while (by_level_.size() > 1 && by_level_.back().empty()) by_level_.pop_back();
    height_ = static_cast<unsigned>(by_level_.size() - 1);
    return height_ > 0;
  }

  std::vector<Switch> members(const std::vector<Switch>& switches) const {
    std::vector<Switch> result;
    for (const Switch s : switches) {
      if (is_main(s)) result.push_back(s);
    }
    return result;
  }

  bool find_widths() {
    map_.shape.m.assign(height_, 1);
    map_.shape.w.assign(height_, 1);
    map_.shape.p.assign(height_, 1);
    std::size_t all = 0;
    std::size_t irregular = 0;
    for (std::size_t i = 0; i < blocks_.block.size(); ++i) {
      const TreeBlock& block = blocks_.block[i];
      if (side_.main_block[i] == 0 || block.level >= height_) continue;
      all += block.below.size();
      irregular += block.regular() ? 0 : block.below.size();
      const auto above = static_cast<std::uint32_t>(members(block.above).size());
      if (above == 0 || members(block.below).empty()) continue;
      map_.shape.w[block.level] = std::max(map_.shape.w[block.level], above);
      map_.shape.p[block.level] = block.cables;
      tree_blocks_.push_back(static_cast<std::uint32_t>(i));
      in_blocks_ += block.filled;
    }
    return irregular * kIrregularShare <= all;
  }

  // t: parts of the tree cut off above each level.
  bool nest_down() {
    down_.assign(height_ + 1, std::vector<std::uint32_t>(graph_.size(), kNoPlace));
    for (const Switch s : at(1)) down_[1][index(s)] = index(s);
    for (unsigned l = 1; l < height_; ++l) {
      inner_down_.push_back(nest(down_, l, l, l + 1));
      map_.shape.m[l] = largest(inner_down_.back());
    }
    std::vector<std::uint32_t> trees;
    for (const Switch s : at(height_)) {
      if (down_[height_][index(s)] != kNoPlace) trees.push_back(down_[height_][index(s)]);
    }
    sort_unique(trees);
    map_.trees = static_cast<std::uint32_t>(trees.size());
    return map_.trees > 0;
  }

  // x: parts of the tree cut off below each level.
  bool nest_up() {
    up_.assign(height_ + 1, std::vector<std::uint32_t>(graph_.size(), kNoPlace));
    inner_up_.resize(height_);
    for (const Switch s : at(height_)) up_[height_][index(s)] = index(s);
    for (unsigned l = height_ - 1; l >= 1; --l) {
      inner_up_[l] = nest(up_, l, l + 1, l);
      if (largest(inner_up_[l]) != map_.shape.w[l]) return false;
    }
    return true;
  }

  // Outer part -> its inner parts, ascending.
  using Nesting = std::map<std::uint32_t, std::vector<std::uint32_t>>;

  // Over the blocks above level l: the parts of level `from` that share a block are one part of
  // level `to`.
  Nesting nest(PartsByLevel& parts, unsigned l, unsigned from, unsigned to) const {
    UnionFind sets(graph_.size());
    const auto side = [&](std::uint32_t block, unsigned level) {
      return members(level == l ? blocks_.block[block].below : blocks_.block[block].above);
    };
    const auto part = [&](Switch s) { return parts[from][index(s)]; };
    std::vector<std::uint32_t> blocks = tree_blocks_;
    std::erase_if(blocks, [&](std::uint32_t i) { return blocks_.block[i].level != l; });
    for (const std::uint32_t i : blocks) {
      const std::vector<Switch> inner = side(i, from);
      const std::uint32_t first = part(inner.front());
      for (const Switch s : inner) {
        if (first != kNoPlace && part(s) != kNoPlace) sets.join(first, part(s));
      }
    }
    for (const std::uint32_t i : blocks) {
      const std::uint32_t first = part(side(i, from).front());
      for (const Switch s : side(i, to)) {
        if (first != kNoPlace) parts[to][index(s)] = sets.find(first);
      }
    }
    Nesting nesting;
    for (const Switch s : at(from)) {
      if (part(s) != kNoPlace) nesting[sets.find(part(s))].push_back(part(s));
    }
    for (auto& [outer, inner] : nesting) sort_unique(inner);
    return nesting;
  }
  static std::uint32_t largest(const Nesting& nesting) {
    std::size_t most = 1;
    for (const auto& [outer, inner] : nesting) most = std::max(most, inner.size());
    return static_cast<std::uint32_t>(most);
  }

  void find_hosts() {
    hosts_.resize(graph_.size());
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      const Switch s = fabric_.leaf(t);
      if (levels_.role[t] == TerminalRole::kOnLeaf && is_main(s)) hosts_[s].push_back(t);
    }
    for (const Switch s : at(1)) {
      map_.shape.m[0] = std::max(map_.shape.m[0], static_cast<std::uint32_t>(hosts_[s].size()));
    }
  }

  bool half_full() const {
    for (unsigned l = 1; l <= height_; ++l) {
      const std::uint64_t places = map_.shape.nodes_at(l) * map_.trees;
      if (at(l).size() > places || at(l).size() * 2 < places) return false;
    }
    return true;
  }

  // Number of each part at each level, from the outermost inwards.
  bool place_switches() {
    t_.assign(height_ + 1, {});
    x_.assign(height_ + 1, {});
    for (const Switch s : at(height_)) {
      if (down_[height_][index(s)] != kNoPlace) t_[height_][down_[height_][index(s)]] = 0;
    }
    for (unsigned l = height_ - 1; l >= 1; --l) {
      t_[l] = numbered(inner_down_[l - 1], t_[l + 1], map_.shape.m[l]);
    }
    for (const Switch s : at(1)) {
      if (up_[1][index(s)] != kNoPlace) x_[1].emplace(up_[1][index(s)], 0);
    }
    if (height_ > 1 && x_[1].size() != 1) return false;
    for (unsigned l = 1; l < height_; ++l) {
      x_[l + 1] = numbered(inner_up_[l], x_[l], map_.shape.w[l]);
    }
    map_.place.resize(graph_.size(), kNoPlace);
    map_.switch_at.assign(map_.shape.nodes() - map_.shape.terminals(), kNone<Switch>);
    for (unsigned l = 1; l <= height_; ++l) {
      for (const Switch s : at(l)) {
        const std::uint32_t t = number(t_[l], down_[l][index(s)]);
        const std::uint32_t x = number(x_[l], up_[l][index(s)]);
        if (t == kNoPlace || x == kNoPlace) continue;
        if (!put(s, l, t, x)) return false;
      }
    }
    return true;
  }

  using Numbers = std::map<std::uint32_t, std::uint32_t>;  // by part

  // Inner parts by the number of the part around them, then in order.
  static Numbers numbered(const Nesting& nesting, const Numbers& outer, std::uint32_t base) {
    Numbers numbers;
    for (const auto& [around, inner] : nesting) {
      const auto at = outer.find(around);
      if (at == outer.end()) continue;
      std::uint32_t digit = 0;
      for (const std::uint32_t part : inner) numbers[part] = at->second * base + digit++;
    }
    return numbers;
  }

  static std::uint32_t number(const Numbers& numbers, std::uint32_t part) {
    const auto found = part == kNoPlace ? numbers.end() : numbers.find(part);
    return found == numbers.end() ? kNoPlace : found->second;
  }

  Switch& slot(unsigned l, std::uint64_t t, std::uint64_t x) {
    return map_
        .switch_at[map_.shape.first_at(l) - map_.shape.terminals() + t * map_.shape.W(l) + x];
  }
  bool put(Switch s, unsigned l, std::uint64_t t, std::uint64_t x) {
    Switch& there = slot(l, t, x);
    if (there != kNone<Switch>) return false;
    there = s;
    map_.place[s] = static_cast<std::uint32_t>(map_.shape.first_at(l) + t * map_.shape.W(l) + x);
    return true;
  }

  // A switch that lost all cables on one side knows one of its two coordinates.
  void place_orphans() {
    for (unsigned l = 1; l <= height_; ++l) {
      for (const Switch s : at(l)) {
        if (map_.place[s] != kNoPlace) continue;
        const std::uint32_t t = number(t_[l], down_[l][index(s)]);
        const std::uint32_t x = number(x_[l], up_[l][index(s)]);
        const std::uint64_t trees = map_.shape.terminals() / map_.shape.M(l);
        std::vector<std::pair<std::uint64_t, std::uint64_t>> free;
        for (std::uint64_t i = 0; i < (t == kNoPlace ? trees : 1); ++i) {
          for (std::uint64_t j = 0; j < (x == kNoPlace ? map_.shape.W(l) : 1); ++j) {
            const std::uint64_t ti = t == kNoPlace ? i : t;
            const std::uint64_t xj = x == kNoPlace ? j : x;
            if (slot(l, ti, xj) == kNone<Switch>) free.emplace_back(ti, xj);
          }
        }
        if (free.size() == 1) put(s, l, free.front().first, free.front().second);
      }
    }
  }

  void place_terminals() {
    map_.terminal_place.resize(fabric_.num_terminals(), kNoPlace);
    map_.terminal_at.assign(map_.shape.terminals(), kNone<Terminal>);
    for (const Switch s : at(1)) {
      if (map_.place[s] == kNoPlace) continue;
      auto number =
          static_cast<std::uint32_t>((map_.place[s] - map_.shape.first_at(1)) * map_.shape.m[0]);
      for (const Terminal t : hosts_[s]) {
        map_.terminal_at[number] = t;
        map_.terminal_place[t] = number++;
      }
    }
  }

  void place_channels() {
    const TreeShape& shape = map_.shape;
    std::uint32_t slots = 0;
    for (unsigned l = 0; l <= height_; ++l) {
      for (std::uint64_t i = 0; i < shape.nodes_at(l); ++i) {
        map_.first_slot.push_back(slots);
        slots += shape.radix(l) + 1;
      }
    }
    map_.first_slot.push_back(slots);
    map_.channel.assign(slots, kNone<Channel>);
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      const std::uint32_t number = map_.terminal_place[t];
      if (number == kNoPlace) continue;
      const Channel c = fabric_.terminal_channel(t);
      const std::uint64_t leaf = shape.first_at(1) + number / shape.m[0];
      channel(number, 0) = c;
      channel(leaf, shape.up_ports(1) + number % shape.m[0]) = fabric_.peer(c);
    }
    for (unsigned l = 1; l < height_; ++l) {
      for (const Switch s : at(l)) {
        if (map_.place[s] != kNoPlace) place_up_channels(s, l);
      }
    }
  }

  // At port q of the papers, which is port q+1.
  Channel& channel(std::uint64_t node, std::uint32_t q) {
    return map_.channel[map_.first_slot[node] + q + 1];
  }

  using Cable = std::pair<Switch, Channel>;  // where it leads

  void place_up_channels(Switch s, unsigned l) {
    const TreeShape& shape = map_.shape;
    const std::uint64_t position = map_.place[s] - shape.first_at(l);
    const std::uint64_t t = position / shape.W(l);
    const std::uint64_t x = position % shape.W(l);
    const std::uint32_t w = shape.w[l];
    const std::uint32_t m = shape.m[l];
    std::vector<Cable> cables;  // by where they lead and then by port
    for (const SwitchLink& link : fabric_.links(s)) cables.emplace_back(link.to, link.channel);
    std::ranges::sort(cables);
    for (std::uint32_t b = 0; b < w; ++b) {
      const Switch parent = slot(l + 1, t / m, x * w + b);
      if (parent == kNone<Switch>) continue;
      std::uint32_t copy = 0;
      for (auto at = std::ranges::lower_bound(cables, parent, {}, &Cable::first);
           at != cables.end() && at->first == parent && copy < shape.p[l]; ++at) {
        const Channel c = at->second;
        channel(map_.place[s], copy * w + b) = c;
        channel(map_.place[parent], shape.up_ports(l + 1) + copy * m +
                                        static_cast<std::uint32_t>(t % m)) = fabric_.peer(c);
        ++copy;
        ++placed_cables_;
      }
    }
  }

  bool in_tree(Switch s) const { return map_.trees == 1 ? map_.place[s] != kNoPlace : is_main(s); }

  void count_missing() {
    std::vector<std::uint64_t> present(height_ + 1);
    std::uint64_t hosts = 0;
    for (const Switch s : ids<Switch>(graph_.size())) {
      if (!in_tree(s)) {
        ++map_.extra_switches;
        continue;
      }
      ++present[levels_.level[s]];
      if (levels_.level[s] == 1) hosts += hosts_[s].size();
    }
    for (unsigned l = 1; l <= height_; ++l) {
      map_.missing_at.push_back(map_.shape.nodes_at(l) * map_.trees - present[l]);
    }
    map_.missing_hosts = present[1] * map_.shape.m[0] - hosts;
    for (const CableGap& gap : missing_cables(graph_, blocks_, side_, &map_)) {
      map_.missing_cables += gap.usual - gap.there;
    }
    count_extra(hosts);
  }

  void count_extra(std::uint64_t placed_ports) {
    std::uint64_t ends = 0;  // of cables between switches of the tree
    for (const Switch s : ids<Switch>(graph_.size())) {
      for (const Trunk g : graph_.trunks(s)) {
        if (in_tree(s) && in_tree(graph_.neighbour(g))) ends += graph_.width(g);
      }
    }
    map_.extra_cables = ends / 2 - (map_.trees > 1 ? in_blocks_ : placed_cables_);
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      const Switch s = fabric_.leaf(t);
      const bool elsewhere = s != kNone<Switch> && !in_tree(s);  // that switch is extra
      if (!elsewhere && levels_.role[t] != TerminalRole::kAggregation) ++map_.extra_ports;
    }
    map_.extra_ports -= placed_ports;
  }

  const Fabric& fabric_;
  const PortGraph& graph_;
  const Levels& levels_;
  const TreeBlocks& blocks_;
  const SideParts& side_;
  TreeMap map_;
  unsigned height_ = 0;
  Table<Switch, std::uint8_t> is_member_;
  std::vector<std::vector<Switch>> by_level_;
  std::vector<std::uint32_t> tree_blocks_;
  std::uint64_t in_blocks_ = 0;      // cables of these blocks, at most p for each pair
  std::uint64_t placed_cables_ = 0;  // between switches of one tree
  PartsByLevel down_, up_;
  std::vector<Nesting> inner_down_;  // [l-1]: parts of level l+1 -> parts of level l
  std::vector<Nesting> inner_up_;    // [l]: parts of level l -> parts of level l+1
  std::vector<Numbers> t_, x_;
  Table<Switch, std::vector<Terminal>> hosts_;
};

}  // namespace

std::optional<TreeMap> map_tree(const Fabric& fabric, const PortGraph& graph, const Levels& levels,
                                const TreeBlocks& blocks, const SideParts& side) {
  return Mapper(fabric, graph, levels, blocks, side).run();
}

}  // namespace fatwood
