// SPDX-License-Identifier: BSD-3-Clause
#include "topology/levels/levels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "topology/hosts/aggregation.hpp"
#include "topology/levels/level_steps.hpp"

namespace fatwood {
namespace {

constexpr std::uint64_t kDisconnectedShare =
    5;  // more disconnected leaf pairs than one in so many: no tree
constexpr std::uint32_t kLiftedShare = 5;  // of the switches with terminals: then lifting was wrong

// What lifting did to a component: sums over its switches with terminals.
struct Lifting {
  struct Sums {
    std::uint64_t switches = 0, terminals = 0, cables = 0;  // cables to switches
  };
  Sums lifted, others;

  // A fifth of the switches were lifted.
  bool many() const {
    return lifted.switches > 0 &&
           lifted.switches * kLiftedShare >= lifted.switches + others.switches;
  }
  // On average, lifted switches have as many terminals as others and no more cables: they are like
  // leaves, and nothing tells which of them is above.
  bool like_leaves() const {
    return many() && others.switches > 0 &&
           lifted.terminals * others.switches >= others.terminals * lifted.switches &&
           lifted.cables * others.switches <= others.cables * lifted.switches;
  }
};

std::vector<Lifting> lifting(const PortGraph& graph, const Components& components,
                             const LevelSeeds& seeds) {
  std::vector<Lifting> result(components.count);
  for (const Switch s : ids<Switch>(seeds.terminals.size())) {
    if (seeds.terminals[s] == 0 && seeds.lifted[s] == 0) continue;
    Lifting& here = result[components.component[s]];
    Lifting::Sums& sums = seeds.lifted[s] != 0 ? here.lifted : here.others;
    ++sums.switches;
    sums.terminals += seeds.terminals[s];
    for (const Trunk g : graph.trunks(s)) sums.cables += graph.width(g);
  }
  return result;
}

bool many_disconnected(const Meeting& meeting) {
  return meeting.disconnected * kDisconnectedShare > meeting.seen;
}

// By component. Levels without a horizontal cable are those of a tree that lacks cables, however
// many pairs it lost. Components without terminals are ignored.
std::vector<std::uint8_t> no_tree(const PortGraph& graph, const Components& components,
                                  const std::vector<Meeting>& meetings, const LevelSeeds& seeds) {
  const std::vector<Lifting> lifts = lifting(graph, components, seeds);
  const bool any_terminals =
      std::ranges::any_of(seeds.terminals, [](auto terminals) { return terminals > 0; });
  std::vector<std::uint8_t> result(components.count);
  for (std::uint32_t component = 0; component < components.count; ++component) {
    const Meeting& meeting = meetings[component];
    const bool clean = !lifts[component].many() && !meeting.sideways;
    const bool among_equals = meeting.horizontal && lifts[component].like_leaves();
    result[component] = ((!clean && many_disconnected(meeting)) || among_equals) &&
                        (meeting.terminals || !any_terminals);
  }
  return result;
}

// 1 for the starts, 2 for their neighbours, ...; 0 where no cable leads.
Table<Switch, Level> nearest(const PortGraph& graph, std::vector<Switch> starts) {
  Table<Switch, Level> distance(graph.size());
  for (const Switch s : starts) distance[s] = 1;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    for (const Switch to : graph.neighbours(starts[i])) {
      if (distance[to] != 0) continue;
      distance[to] = static_cast<Level>(distance[starts[i]] + 1);
      starts.push_back(to);
    }
  }
  return distance;
}

Table<Switch, Level> levels_from_roots(const PortGraph& graph, const std::vector<Switch>& roots) {
  Table<Switch, Level> level = nearest(graph, roots);
  const Level deepest = *std::ranges::max_element(level);
  for (Level& d : level) d = d == 0 ? Level{1} : static_cast<Level>(deepest + 1 - d);
  return level;
}

Table<Switch, Level> levels_from_leaves(const PortGraph& graph, const LevelSeeds& seeds) {
  std::vector<Switch> leaves;
  for (const Switch s : ids<Switch>(graph.size())) {
    if (seeds.leaf[s] != 0) leaves.push_back(s);
  }
  Table<Switch, Level> level = nearest(graph, std::move(leaves));
  for (Level& l : level) l = std::max(l, Level{1});
  return level;
}

// Levels, and the result of the check for each component.
struct Ranking {
  Table<Switch, Level> level;
  std::vector<Meeting> meetings;
  std::vector<std::uint8_t> refused;
};

Ranking evaluated(const PortGraph& graph, const Components& components, const LevelSeeds& seeds,
                  Table<Switch, Level> level) {
  Ranking ranking{std::move(level), {}, {}};
  ranking.meetings = leaf_meetings(graph, components, seeds.terminals, ranking.level);
  ranking.refused = no_tree(graph, components, ranking.meetings, seeds);
  return ranking;
}

// Step 4 of levels.hpp: the distance to the nearest leaf as level. In a tree that lacks cables it
// is right for all switches above a leaf; only empty leaves and pods without terminals come out too
// high. A component in doubt takes these levels if they have no horizontal cable and disconnect
// fewer pairs.
Ranking with_nearest(const PortGraph& graph, const Components& components, const LevelSeeds& seeds,
                     Ranking settled) {
  const auto in_doubt = [](const Meeting& m) {
    return m.disconnected > 0 && (m.sideways || many_disconnected(m));
  };
  if (std::ranges::none_of(settled.meetings, in_doubt)) return settled;
  const Ranking other = evaluated(graph, components, seeds, levels_from_leaves(graph, seeds));
  std::vector<std::uint8_t> better(components.count);
  for (std::uint32_t component = 0; component < components.count; ++component) {
    const Meeting& now = settled.meetings[component];
    const Meeting& then = other.meetings[component];
    if (!in_doubt(now) || then.sideways || (!now.sideways && then.disconnected >= now.disconnected))
      continue;
    better[component] = 1;
    settled.meetings[component] = then;
    settled.refused[component] = other.refused[component];
  }
  for (const Switch s : ids<Switch>(graph.size())) {
    if (better[components.component[s]] != 0) settled.level[s] = other.level[s];
  }
  return settled;
}

// If a component turns out to be no tree, its spines with terminals become leaves again. Returns
// whether any did.
bool undo_lifts(const PortGraph& graph, const Components& components,
                const std::vector<std::uint8_t>& refused, LevelSeeds& seeds) {
  const std::vector<Lifting> lifts = lifting(graph, components, seeds);
  bool any = false;
  for (const Switch s : ids<Switch>(seeds.terminals.size())) {
    const std::uint32_t component = components.component[s];
    if (seeds.lifted[s] == 0 || refused[component] == 0 || !lifts[component].many()) continue;
    seeds.lifted[s] = 0;
    seeds.leaf[s] = 1;
    any = true;
  }
  return any;
}

Table<Terminal, TerminalRole> roles(const Fabric& fabric,
                                    const Table<Terminal, std::uint8_t>& aggregation,
                                    const Table<Switch, Level>& level) {
  Table<Terminal, TerminalRole> role(fabric.num_terminals());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Switch leaf = fabric.leaf(t);
    role[t] = leaf == kNone<Switch> ? TerminalRole::kDirect
              : aggregation[t] != 0 ? TerminalRole::kAggregation
              : level[leaf] == 1    ? TerminalRole::kOnLeaf
                                    : TerminalRole::kUpper;
  }
  return role;
}

// Fills roots, horizontal, skipping and height.
Levels sort_cables(const Fabric& fabric, Table<Switch, Level> level) {
  Levels levels;
  levels.level = std::move(level);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    levels.height = std::max(levels.height, levels.level[s]);
    bool root = true;
    for (const auto& [c, to, port] : fabric.links(s)) {
      const int up = levels.level[to] - levels.level[s];
      root = root && up <= 0;
      if (up == 0 && index(c) < index(fabric.peer(c))) levels.horizontal.push_back(c);
      if (up > 1) levels.skipping.push_back(c);
    }
    if (root) levels.roots.push_back(s);
  }
  return levels;
}

std::string reason(const Fabric& fabric, const Levels& levels, const Meeting& worst) {
  const auto name = [&](Switch s) { return unique_name(fabric, s); };
  std::string text = fmt::format(
      "{} and {} have no common ancestor, nor have {:.0f}% of the pairs of leaf switches",
      name(worst.a), name(worst.b),
      100.0 * static_cast<double>(worst.disconnected) / static_cast<double>(worst.seen));
  if (!levels.horizontal.empty()) {
    const Channel c = levels.horizontal.front();
    const bool one = levels.horizontal.size() == 1;
    text += fmt::format("; {} cable{} connect{} switches of one level, e.g. {} - {}",
                        levels.horizontal.size(), one ? "" : "s", one ? "s" : "",
                        port_name(fabric, c), port_name(fabric, fabric.peer(c)));
  }
  return text;
}

}  // namespace

Levels find_levels(const Fabric& fabric, const LevelHints& hints) {
  return find_levels(fabric, port_graph(fabric), hints);
}

Levels find_levels(const Fabric& fabric, const PortGraph& graph, const LevelHints& hints) {
  const Components components = connected_components(graph);
  const auto aggregation = aggregation_terminals(fabric);
  LevelSeeds seeds = level_seeds(fabric, graph, components, aggregation);
  if (!hints.leaves.empty()) {
    for (const Switch s : ids<Switch>(graph.size())) seeds.leaf[s] = seeds.lifted[s] = 0;
    for (const Switch s : hints.leaves) seeds.leaf[s] = 1;
  }
  const auto rank = [&] {
    return hints.roots.empty()
               ? with_nearest(
                     graph, components, seeds,
                     evaluated(graph, components, seeds,
                               settle(fabric, graph, seeds, levels_by_peeling(graph, seeds))))
               : evaluated(graph, components, seeds, levels_from_roots(graph, hints.roots));
  };
  Ranking ranking = rank();
  if (undo_lifts(graph, components, ranking.refused, seeds)) ranking = rank();

  Levels levels = sort_cables(fabric, std::move(ranking.level));
  levels.role = roles(fabric, aggregation, levels.level);
  levels.terminals = std::move(seeds.terminals);
  const Meeting* worst = nullptr;
  for (std::uint32_t component = 0; component < components.count; ++component) {
    const Meeting& meeting = ranking.meetings[component];
    levels.disconnected_pairs += meeting.disconnected;
    levels.pairs_seen += meeting.seen;
    if (meeting.disconnected > 0 && levels.disconnected_a == kNone<Switch>) {
      levels.disconnected_a = meeting.a;
      levels.disconnected_b = meeting.b;
    }
    if (ranking.refused[component] == 0) continue;
    if (worst == nullptr || meeting.disconnected > worst->disconnected) worst = &meeting;
  }
  if (worst != nullptr) levels.why_not_tree = reason(fabric, levels, *worst);
  return levels;
}

std::vector<Switch> by_level(const Levels& levels) {
  std::vector<Switch> switches;
  for (const Switch s : ids<Switch>(levels.level.size())) switches.push_back(s);
  std::ranges::stable_sort(switches, {}, [&](Switch s) { return levels.level[s]; });
  return switches;
}

void require_tree(const Levels& levels, std::string_view who) {
  if (!levels.is_tree()) {
    throw PromiseError(fmt::format("{} needs a fabric like a tree: {}", who, levels.why_not_tree));
  }
}

}  // namespace fatwood
