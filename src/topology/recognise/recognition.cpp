// SPDX-License-Identifier: BSD-3-Clause
#include "topology/recognise/recognition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>
#include <tuple>

#include "core/union_find.hpp"

namespace fatwood {
namespace {

constexpr double kNearest = 0.1;  // more of the cables missing or extra: nearest to, not is

std::uint64_t cables_of(const TreeMap& map) {
  std::uint64_t count = 0;
  for (unsigned l = 1; l < map.shape.height(); ++l) {
    count += map.shape.nodes_at(l) * map.shape.up_ports(l);
  }
  return count * map.trees;
}

// Such cables do not disconnect a tree: they are findings.
bool joined_within_levels(const Recognition& known) {
  const auto& level = known.levels.level;
  return std::ranges::any_of(ids<Switch>(known.graph.size()), [&](Switch s) {
    return std::ranges::any_of(known.graph.neighbours(s),
                               [&](Switch to) { return level[to] == level[s]; });
  });
}

// "This is pgft(...) less 13 cables."
std::string tree_summary(const Recognition& known) {
  const TreeMap& map = *known.map;
  const double share = static_cast<double>(map.missing_cables + map.extra_cables) /
                       static_cast<double>(std::max<std::uint64_t>(1, cables_of(map)));
  std::vector<std::string> less;
  for (unsigned l = 1; l <= map.shape.height(); ++l) {
    if (map.missing_at[l - 1] == 0) continue;
    const std::string name = level_name(known.levels, static_cast<Level>(l));
    less.push_back(counted(map.missing_at[l - 1], name));
  }
  std::map<Level, std::uint64_t> cables;
  for (const CableGap& gap : known.missing) {
    cables[known.levels.level[gap.below]] += gap.usual - gap.there;
  }
  for (const auto& [level, count] : cables) {
    less.push_back(known.levels.height == 2
                       ? counted(count, "cable")
                       : fmt::format("{} between {} and {}", counted(count, "cable"),
                                     level_name(known.levels, level),
                                     level_name(known.levels, static_cast<Level>(level + 1))));
  }
  if (map.missing_hosts > 0) less.push_back(counted(map.missing_hosts, "host"));
  std::vector<std::string> more;
  if (map.extra_switches > 0) more.push_back(counted(map.extra_switches, "switch"));
  if (map.extra_cables > 0) more.push_back(counted(map.extra_cables, "cable"));
  if (map.extra_ports > 0) more.push_back(counted(map.extra_ports, "host port"));
  std::string text = share > kNearest ? "Nearest to " : map.trees > 1 ? "These are " : "This is ";
  if (map.trees > 1)
    text +=
        fmt::format("{} {}trees, each ", map.trees, joined_within_levels(known) ? "" : "separate ");
  text += map.shape.to_string();
  if (map.shape.is_rlft() && more.empty()) text += " (an RLFT)";
  if (!less.empty()) text += " less " + listed(less);
  if (!more.empty()) text += ", plus " + listed(more);
  return text + ".";
}

// " Above the leaves, 8 separate trees of 54 switches.": a multi-core tree.
std::string trees_over_leaves(const Recognition& known) {
  const auto above = [&](Switch s) { return known.levels.level[s] >= 2; };
  UnionFind trees(known.graph.size());
  for (const Switch s : ids<Switch>(known.graph.size())) {
    for (const Switch to : known.graph.neighbours(s)) {
      if (above(s) && above(to)) trees.join(index(s), index(to));
    }
  }
  std::map<std::uint32_t, std::size_t> sizes;
  for (const Switch s : ids<Switch>(known.graph.size())) {
    if (above(s)) ++sizes[trees.find(index(s))];
  }
  if (sizes.size() < 2 || known.levels.height < 3) return "";
  const auto [least, most] = std::ranges::minmax(sizes | std::views::values);
  const std::string size =
      least == most ? std::to_string(most) : fmt::format("{} to {}", least, most);
  return fmt::format(" Above the leaves, {} separate trees of {} switches.", sizes.size(), size);
}

// "3 blocks of 18 leaf and 12 spine switches" for each kind of block.
std::string block_summary(const Recognition& known) {
  std::map<std::tuple<Level, std::size_t, std::size_t, std::uint32_t, bool>, std::size_t> kinds;
  for (const TreeBlock& block : known.blocks.block) {
    if (block.below.empty()) continue;  // each lower switch has cables to a few of the upper ones
    ++kinds[{block.level, block.below.size(), block.above.size(), block.cables, block.regular()}];
  }
  std::vector<std::string> words;
  for (const auto& [kind, count] : kinds) {
    const auto& [level, below, above, cables, regular] = kind;
    const std::string lower = level_name(known.levels, level);
    const std::string upper = level_name(known.levels, static_cast<Level>(level + 1));
    const std::string how = !regular      ? ""
                            : cables == 1 ? ", all to all"
                                          : fmt::format(", all to all with {} cables", cables);
    words.push_back(fmt::format("{} of {} under {}{}", counted(count, "block"),
                                counted(below, lower), counted(above, upper), how));
  }
  std::string text = "No regular tree as a whole";
  for (std::size_t i = 0; i < std::min<std::size_t>(6, words.size()); ++i) {
    text += (i == 0 ? ": " : "; ") + words[i];
  }
  return text + (words.size() > 6 ? "; ..." : "") + "." + trees_over_leaves(known);
}

std::string summarise(const Recognition& known) {
  if (!known.levels.is_tree()) return "No tree: " + known.levels.why_not_tree + ".";
  if (known.map) return tree_summary(known);
  if (known.graph.size() == 0) return "No switches.";
  if (known.blocks.block.empty()) return "Switches without cables between levels.";
  return block_summary(known);
}

std::vector<Finding> whole_findings(const Fabric& fabric, const Recognition& known) {
  std::vector<Finding> found;
  const Levels& levels = known.levels;
  if (!levels.is_tree()) {
    found.push_back({FindingKind::kNoTree});
  } else if (levels.disconnected_pairs > 0) {
    found.push_back({FindingKind::kApart,
                     {},
                     {fabric.node(levels.disconnected_a), fabric.node(levels.disconnected_b)}});
  }
  const Components components = connected_components(known.graph);
  if (components.count > 1) {
    ComponentSizes sizes{std::vector<std::size_t>(components.count)};
    for (const std::uint32_t component : components.component) ++sizes.switches[component];
    found.push_back({FindingKind::kParts, {}, {}, std::move(sizes)});
  }
  return found;
}

// Kinds stay in the order they were found in; within a kind, by the first switch's level.
std::vector<Finding> sorted(const Fabric& fabric, const Levels& levels,
                            std::vector<Finding> findings) {
  std::map<FindingKind, std::size_t> first;
  for (const Finding& finding : findings) first.emplace(finding.kind, first.size());
  std::ranges::stable_sort(findings, {}, [&](const Finding& finding) {
    return std::pair(first[finding.kind], first_level(fabric, levels, finding));
  });
  return findings;
}

}  // namespace

std::string level_name(const Levels& levels, Level level) {
  if (levels.height == 1) return "switch";
  if (level == 1) return "leaf";
  if (levels.height <= 3) return level == 2 ? "spine" : "core";
  return fmt::format("level-{} switch", level);
}

Level first_level(const Fabric& fabric, const Levels& levels, const Finding& finding) {
  const bool on_switch = !finding.nodes.empty() && fabric.is_switch(finding.nodes.front());
  return on_switch ? levels.level[fabric.as_switch(finding.nodes.front())] : Level{0};
}

Recognition recognise(const Fabric& fabric, const Levels& levels, const PortGraph& graph) {
  Recognition known;
  known.levels = levels;
  known.graph = graph;
  known.blocks = find_blocks(known.graph, known.levels);
  known.side = find_side_parts(known.graph, known.levels, known.blocks);
  if (known.levels.is_tree()) {
    known.map = map_tree(fabric, known.graph, known.levels, known.blocks, known.side);
    known.missing =
        missing_cables(known.graph, known.blocks, known.side, known.map ? &*known.map : nullptr);
  } else {
    // A fabric that is not a tree has no side parts and lacks no cables.
    known.side.off = Table<Switch, std::uint8_t>(known.graph.size());
    known.blocks.block.clear();
    known.blocks.up = known.blocks.down =
        Table<Switch, std::uint32_t>(known.graph.size(), kNoBlock);
    known.side.main_block.clear();
  }
  known.summary = summarise(known);
  for (const auto& look : {whole_findings, cabling_findings, host_findings, rate_findings}) {
    std::ranges::move(look(fabric, known), std::back_inserter(known.findings));
  }
  std::ranges::move(address_findings(fabric), std::back_inserter(known.findings));
  known.findings = sorted(fabric, known.levels, std::move(known.findings));
  return known;
}

}  // namespace fatwood
