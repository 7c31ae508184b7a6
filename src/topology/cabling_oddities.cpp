// SPDX-License-Identifier: BSD-3-Clause
// Oddities of the cables between switches: missing, too many, leading elsewhere, sideways, and
// parts that hang off the side.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include "topology/recognition.hpp"

namespace fatwood {
namespace {

constexpr std::size_t kFewPairs = 4;  // told one by one

std::vector<Port> free_ports(const Fabric& fabric, Switch s) {
  std::vector<Port> ports;
  const Node node = fabric.node(s);
  for (Port port = 1; port <= fabric.ports(node); ++port) {
    if (!fabric.connected(fabric.channel(node, port))) ports.push_back(port);
  }
  return ports;
}

// Cables to the upper switches of its block.
std::uint32_t cables_up(const Recognition& known, Switch s) {
  std::uint32_t count = 0;
  for (const auto& edge : known.net.edges(s)) {
    if (known.levels.level[edge.to] != known.levels.level[s] + 1) continue;
    if (known.blocks.down[edge.to] == known.blocks.up[s]) count += edge.cables;
  }
  return count;
}

class Cabling {
 public:
  Cabling(const Fabric& fabric, const Labels& labels, const Recognition& known)
      : fabric_(fabric), labels_(labels), known_(known) {}

  std::vector<Oddity> run() {
    missing();
    too_many();
    small_groups();
    elsewhere();
    side();
    sideways("horizontal", known_.levels.horizontal);
    sideways("skipping", known_.levels.skipping);
    return std::move(found_);
  }

 private:
  const Table<Switch, Level>& level() const { return known_.levels.level; }

  // One oddity for each lower switch with missing cables.
  void missing() {
    const auto& all = known_.missing;
    for (std::size_t i = 0; i < all.size();) {
      std::size_t end = i;
      while (end < all.size() && all[end].below == all[i].below) ++end;
      missing_of(std::span(all).subspan(i, end - i));
      i = end;
    }
  }

  void missing_of(std::span<const MissingCable> gaps) {
    const Switch s = gaps.front().below;
    const std::uint32_t block = known_.blocks.up[s];
    std::uint32_t lacks = 0;
    for (const auto& gap : gaps) lacks += gap.usual - gap.there;
    const std::uint32_t there = cables_up(known_, s);
    std::uint32_t usual = there + lacks;
    if (block != kNoBlock) {
      const Block& b = known_.blocks.block[block];
      usual = static_cast<std::uint32_t>(b.cables * b.above.size());
    }
    Oddity oddity{there < usual ? "missing-cable" : "uneven-cables", "", {}, {fabric_.node(s)}};
    if (there >= usual) {
      uneven(s, std::move(oddity));
      return;
    }
    std::vector<std::string> to;
    bool ports_known = true;
    for (const auto& gap : gaps) {
      to.push_back(missing_to(gap, oddity));
      ports_known = ports_known && to.back().find('[') != std::string::npos;
      oddity.nodes.push_back(fabric_.node(gap.above));
    }
    oddity.sentence =
        fmt::format("{} has {} where {} usual; missing: {}", labels_(s), counted(there, "up-link"),
                    usual == 1 ? "1 is" : fmt::format("{} are", usual), listed(to));
    if (!ports_known) {
      const auto free = free_ports(fabric_, s);
      oddity.sentence += free.empty()
                             ? fmt::format("; no port is free on {}", labels_(s))
                             : fmt::format("; free ports of {}: {}", labels_(s), ranges(free));
    }
    found_.push_back(std::move(oddity));
  }

  // As many cables as usual, to other switches than usual.
  void uneven(Switch s, Oddity oddity) {
    const Block& block = known_.blocks.block[known_.blocks.up[s]];
    std::vector<std::string> words;
    std::vector<std::string> none;
    for (const Switch u : block.above) {
      const std::uint32_t there = cables_between(known_.net, s, u);
      if (there == 0) {
        none.push_back(labels_(u));
      } else {
        const std::string cables =
            words.empty() ? counted(there, "up-link") : std::to_string(there);
        words.push_back(fmt::format("{} to {}", cables, labels_(u)));
      }
      oddity.nodes.push_back(fabric_.node(u));
      for (const Channel c : cables_from(fabric_, s, u)) oddity.ports.push_back(c);
    }
    if (!none.empty()) words.push_back("none to " + listed(none));
    oddity.sentence = fmt::format("{} has {}, where {} to each {} usual", labels_(s), listed(words),
                                  block.cables, block.cables == 1 ? "is" : "are");
    uneven_.push_back(s);
    found_.push_back(std::move(oddity));
  }

  // "1 of 2 to CSPINE1-68 (LG05-07[31] - CSPINE1-68[14], both free)"
  std::string missing_to(const MissingCable& gap, Oddity& oddity) const {
    std::string text = labels_(gap.above);
    if (gap.usual > 1 && gap.there == 0) {
      text = gap.usual == 2 ? "both to " + text : fmt::format("all {} to {}", gap.usual, text);
    } else if (gap.usual > 1) {
      text = fmt::format("{} of {} to {}", gap.usual - gap.there, gap.usual, text);
    } else {
      text = "one to " + text;
    }
    const FreePorts ports = where_missing(fabric_, known_.blocks, gap);
    oddity.ports.insert(oddity.ports.end(), ports.below.begin(), ports.below.end());
    oddity.ports.insert(oddity.ports.end(), ports.above.begin(), ports.above.end());
    const auto numbers = [&](const std::vector<Channel>& channels) {
      std::vector<Port> list;
      for (const Channel c : channels) list.push_back(fabric_.port(c));
      return ranges(list);
    };
    if (!ports.below.empty() && !ports.above.empty()) {
      text += fmt::format(" ({}[{}] - {}[{}], both free)", labels_(gap.below), numbers(ports.below),
                          labels_(gap.above), numbers(ports.above));
    } else if (!ports.below.empty()) {
      text += fmt::format(" (from {}[{}], free)", labels_(gap.below), numbers(ports.below));
    } else if (!ports.above.empty()) {
      text += fmt::format(" (at {}[{}], free)", labels_(gap.above), numbers(ports.above));
    }
    return text;
  }

  // More cables between two switches than usual in their block.
  void too_many() {
    for (std::size_t i = 0; i < known_.blocks.block.size(); ++i) {
      const Block& block = known_.blocks.block[i];
      if (!block.regular()) continue;
      for (const Switch s : block.below) {
        if (known_.side.off[s] != 0 || std::count(uneven_.begin(), uneven_.end(), s) > 0) continue;
        std::vector<std::string> words;
        Oddity oddity{"extra-cable", "", {}, {fabric_.node(s)}};
        for (const Switch u : block.above) {
          const std::uint32_t there = cables_between(known_.net, s, u);
          if (there <= block.cables) continue;
          words.push_back(fmt::format("{} to {}", there, labels_(u)));
          for (const Channel c : cables_from(fabric_, s, u)) oddity.ports.push_back(c);
          oddity.nodes.push_back(fabric_.node(u));
        }
        if (words.empty()) continue;
        oddity.sentence =
            fmt::format("{} has {}, where {} usual", labels_(s), counted_cables(words),
                        block.cables == 1 ? "1 is" : fmt::format("{} are", block.cables));
        found_.push_back(std::move(oddity));
      }
    }
  }
  static std::string counted_cables(std::vector<std::string> words) {
    const std::size_t blank = words.front().find(' ');
    words.front().insert(blank, " cables");
    return listed(words);
  }

  // Blocks with fewer lower switches than the largest have: pods that are not full.
  void small_groups() {
    if (!known_.map) return;
    const auto height = static_cast<Level>(known_.map->shape.height());
    for (Level l = 1; l < height; ++l) {
      std::map<std::size_t, std::vector<std::uint32_t>, std::greater<>> by_size;
      for (std::uint32_t i = 0; i < known_.blocks.block.size(); ++i) {
        const Block& block = known_.blocks.block[i];
        if (block.level != l || known_.side.main_block[i] == 0) continue;
        const auto off = [&](Switch s) { return known_.side.off[s] != 0; };
        const auto beside = std::count_if(block.below.begin(), block.below.end(), off);
        by_size[block.below.size() - static_cast<std::size_t>(beside)].push_back(i);
      }
      for (const auto& [size, blocks] : by_size) {
        if (size != by_size.begin()->first) small_group(size, by_size.begin()->first, blocks);
      }
    }
  }

  void small_group(std::size_t size, std::size_t usual, const std::vector<std::uint32_t>& blocks) {
    Oddity oddity{"small-group", "", {}, {}};
    std::vector<std::string> names;
    const Block& first = known_.blocks.block[blocks.front()];
    for (const std::uint32_t i : blocks) {
      const Block& block = known_.blocks.block[i];
      for (const Switch s : block.below) oddity.nodes.push_back(fabric_.node(s));
      names.push_back(labels_(block.below.front()));
    }
    std::sort(names.begin(), names.end());
    const std::string upper = level_name(known_.levels, static_cast<Level>(first.level + 1));
    oddity.sentence = fmt::format("{} of {} under the same {}, where other groups have {}: with {}",
                                  counted(blocks.size(), "group"),
                                  counted(size, level_name(known_.levels, first.level)),
                                  counted(first.above.size(), upper), usual, listed(names));
    found_.push_back(std::move(oddity));
  }

  // Cables of the tree between switches of different blocks: likely swapped.
  void elsewhere() {
    for (const Switch s : ids<Switch>(known_.net.size())) {
      const std::uint32_t block = known_.blocks.up[s];
      if (block == kNoBlock || !known_.blocks.block[block].regular()) continue;
      for (const auto& edge : known_.net.edges(s)) {
        if (level()[edge.to] != level()[s] + 1 || known_.blocks.down[edge.to] == block) continue;
        for (const Channel c : cables_from(fabric_, s, edge.to)) {
          Oddity oddity{"foreign-cable", "", {c, fabric_.peer(c)}, {}};
          oddity.sentence =
              fmt::format("{}: the other up-links of {} lead elsewhere ({})", labels_.cable(c),
                          labels_(s), block_name(block, &Block::above));
          found_.push_back(std::move(oddity));
        }
      }
    }
  }

  std::string block_name(std::uint32_t block, std::vector<Switch> Block::* members) const {
    std::vector<std::string> names;
    for (const Switch s : known_.blocks.block[block].*members) names.push_back(labels_(s));
    return listed(names, 3);
  }

  std::uint32_t hosts(Switch s) const {
    std::uint32_t count = 0;
    const Node node = fabric_.node(s);
    for (Port port = 1; port <= fabric_.ports(node); ++port) {
      const Channel c = fabric_.channel(node, port);
      if (!fabric_.connected(c) || fabric_.is_switch(fabric_.neighbour(c))) continue;
      const Terminal t = fabric_.terminal_at(fabric_.peer(c));
      if (known_.levels.role[t] != TerminalRole::kAggregation) ++count;
    }
    return count;
  }

  void side() {
    for (const Switch s : ids<Switch>(known_.net.size())) {
      if (known_.side.off[s] == 0) continue;
      Oddity oddity{"side", "", {}, {fabric_.node(s)}};
      std::vector<std::string> words;
      for (const auto& edge : known_.net.edges(s)) {
        if (level()[edge.to] <= level()[s]) continue;
        words.push_back(fmt::format("{} to {}", edge.cables, labels_(edge.to)));
        for (const Channel c : cables_from(fabric_, s, edge.to)) oddity.ports.push_back(c);
      }
      const std::uint32_t count = hosts(s);
      oddity.sentence = fmt::format(
          "{} hangs off the side: a {} with {}{}", labels_(s),
          level_name(known_.levels, level()[s]), count == 0 ? "no hosts" : counted(count, "host"),
          words.empty() ? std::string(", no cable upwards")
                        : fmt::format("; cables upwards: {}", listed(words, 4)));
      found_.push_back(std::move(oddity));
    }
  }

  // One oddity for each two switches, or for all pairs of a kind when there are many.
  void sideways(std::string_view kind, const std::vector<Channel>& cables) {
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
      const auto& [a, b, count] = key;
      const std::string levels =
          a == b ? fmt::format("both of level {}", a) : fmt::format("of levels {} and {}", a, b);
      if (all.size() > kFewPairs) {
        many_pairs(kind, levels, all);
      } else {
        for (const auto& channels : all) one_pair(kind, levels, channels);
      }
    }
  }

  void one_pair(std::string_view kind, const std::string& levels,
                const std::vector<Channel>& channels) {
    Oddity oddity{kind, "", {}, {}};
    std::vector<std::string> names;
    for (const Channel c : channels) names.push_back(add_cable(oddity, c));
    oddity.sentence =
        fmt::format("{} between {} and {}, {}: {}", counted(channels.size(), "cable"),
                    labels_(oddity.nodes[0]), labels_(oddity.nodes[1]), levels, listed(names, 12));
    found_.push_back(std::move(oddity));
  }

  void many_pairs(std::string_view kind, const std::string& levels,
                  const std::vector<std::vector<Channel>>& pairs) {
    Oddity oddity{kind, "", {}, {}};
    std::vector<std::string> names;
    for (const auto& channels : pairs) {
      for (const Channel c : channels) add_cable(oddity, c);
      names.push_back(fmt::format("{} and {}", labels_(fabric_.owner(channels.front())),
                                  labels_(fabric_.neighbour(channels.front()))));
    }
    oddity.sentence =
        fmt::format("{} of switches {} are joined by {} each: {}", counted(pairs.size(), "pair"),
                    levels, counted(pairs.front().size(), "cable"), listed_pairs(names));
    found_.push_back(std::move(oddity));
  }
  static std::string listed_pairs(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, names.size()); ++i) {
      text += (i == 0 ? "" : "; ") + names[i];
    }
    return names.size() > 3 ? text + fmt::format("; {} more", names.size() - 3) : text;
  }
  std::string add_cable(Oddity& oddity, Channel c) const {
    oddity.ports.push_back(c);
    oddity.ports.push_back(fabric_.peer(c));
    if (oddity.nodes.empty()) oddity.nodes = {fabric_.owner(c), fabric_.neighbour(c)};
    return labels_.cable(c);
  }

  const Fabric& fabric_;
  const Labels& labels_;
  const Recognition& known_;
  std::vector<Oddity> found_;
  std::vector<Switch> uneven_;  // told already
};

}  // namespace

std::vector<Oddity> cabling_oddities(const Fabric& fabric, const Labels& labels,
                                     const Recognition& known) {
  return Cabling(fabric, labels, known).run();
}

}  // namespace fatwood
