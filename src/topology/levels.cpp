#include "topology/levels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "topology/aggregation.hpp"
#include "topology/level_meeting.hpp"
#include "topology/level_seeds.hpp"
#include "topology/level_settle.hpp"
#include "topology/switch_net.hpp"

namespace fatwood {
namespace {

// More leaf pairs apart than one in so many: no tree. Damage alone may part many pairs of a small
// tree, so one that ranks cleanly is given more.
constexpr std::uint64_t kApartShare = 5;
constexpr std::uint64_t kApartShareOfClean = 2;
constexpr std::uint32_t kLiftedShare = 5;  // of the switches with hosts: then lifting was wrong

// For each connected part.
std::vector<std::uint8_t> no_tree(const Parts& parts, const std::vector<Meeting>& meetings,
                                  const LevelSeeds& seeds) {
  std::vector<std::uint8_t> clean(parts.count, 1);
  for (const Switch s : ids<Switch>(seeds.lifted.size())) {
    if (seeds.lifted[s] != 0) clean[parts.part[s]] = 0;
  }
  std::vector<std::uint8_t> result(parts.count);
  for (std::uint32_t part = 0; part < parts.count; ++part) {
    const Meeting& meeting = meetings[part];
    const bool strict = clean[part] == 0 || meeting.sideways;
    result[part] = meeting.apart * (strict ? kApartShare : kApartShareOfClean) > meeting.seen;
  }
  return result;
}

Table<Switch, Level> levels_from_roots(const SwitchNet& net, const std::vector<Switch>& roots) {
  Table<Switch, Level> distance(net.size());
  std::vector<Switch> order;
  for (const Switch s : roots) {
    if (distance[s] == 0) order.push_back(s);
    distance[s] = 1;
  }
  Level deepest = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const auto& edge : net.edges(order[i])) {
      if (distance[edge.to] != 0) continue;
      distance[edge.to] = deepest = static_cast<Level>(distance[order[i]] + 1);
      order.push_back(edge.to);
    }
  }
  for (Level& d : distance) d = d == 0 ? Level{1} : static_cast<Level>(deepest + 1 - d);
  return distance;
}

// Where a part turns out to be no tree, spines with hosts were none: back to leaves. Whether any.
bool undo_lifts(const Parts& parts, const std::vector<std::uint8_t>& refused, LevelSeeds& seeds) {
  std::vector<std::uint32_t> lifted(parts.count), hosted(parts.count);
  for (const Switch s : ids<Switch>(seeds.hosts.size())) {
    lifted[parts.part[s]] += seeds.lifted[s];
    if (seeds.hosts[s] > 0) ++hosted[parts.part[s]];
  }
  bool any = false;
  for (const Switch s : ids<Switch>(seeds.hosts.size())) {
    const std::uint32_t part = parts.part[s];
    if (seeds.lifted[s] == 0 || refused[part] == 0) continue;
    if (lifted[part] * kLiftedShare < hosted[part]) continue;
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
              : level[leaf] == 1    ? TerminalRole::kCompute
                                    : TerminalRole::kUpper;
  }
  return role;
}

// Fills roots, horizontal, skipping and height.
Levels sort_cables(const Fabric& fabric, Table<Switch, Level> level) {
  Levels levels;
  levels.level = std::move(level);
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const Node node = fabric.node(s);
    levels.height = std::max(levels.height, levels.level[s]);
    bool root = true;
    for (Port port = 1; port <= fabric.ports(node); ++port) {
      const Channel c = fabric.channel(node, port);
      if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
      const int up = step(fabric, levels, c);
      root = root && up <= 0;
      if (up == 0 && index(c) < index(fabric.peer(c))) levels.horizontal.push_back(c);
      if (up > 1) levels.skipping.push_back(c);
    }
    if (root) levels.roots.push_back(s);
  }
  return levels;
}

std::string cable_name(const Fabric& fabric, Channel c) {
  return port_name(fabric, c) + " - " + port_name(fabric, fabric.peer(c));
}

std::string reason(const Fabric& fabric, const Levels& levels, const Meeting& worst) {
  const auto name = [&](Switch s) { return display_name(fabric, fabric.node(s)); };
  std::string text = fmt::format(
      "{} and {} have no switch above both, nor have {:.0f}% of the pairs of leaf switches",
      name(worst.a), name(worst.b),
      100.0 * static_cast<double>(worst.apart) / static_cast<double>(worst.seen));
  if (!levels.horizontal.empty()) {
    text += fmt::format("; {} cable{} join{} switches of one level, e.g. {}",
                        levels.horizontal.size(), levels.horizontal.size() == 1 ? "" : "s",
                        levels.horizontal.size() == 1 ? "s" : "",
                        cable_name(fabric, levels.horizontal.front()));
  }
  return text;
}

}  // namespace

Levels find_levels(const Fabric& fabric, const LevelHints& hints) {
  const SwitchNet net = switch_net(fabric);
  const Parts parts = connected_parts(net);
  const auto aggregation = aggregation_terminals(fabric);
  LevelSeeds seeds = level_seeds(fabric, net, parts, aggregation);
  if (!hints.leaves.empty()) {
    for (const Switch s : ids<Switch>(net.size())) seeds.leaf[s] = seeds.lifted[s] = 0;
    for (const Switch s : hints.leaves) seeds.leaf[s] = 1;
  }
  const auto rank = [&] {
    return hints.roots.empty() ? settle(fabric, net, seeds, peel(net, seeds))
                               : levels_from_roots(net, hints.roots);
  };
  Table<Switch, Level> level = rank();
  std::vector<Meeting> meetings = leaf_meetings(net, parts, seeds.hosts, level);
  std::vector<std::uint8_t> refused = no_tree(parts, meetings, seeds);
  if (undo_lifts(parts, refused, seeds)) {
    level = rank();
    meetings = leaf_meetings(net, parts, seeds.hosts, level);
    refused = no_tree(parts, meetings, seeds);
  }

  Levels levels = sort_cables(fabric, std::move(level));
  levels.role = roles(fabric, aggregation, levels.level);
  const Meeting* worst = nullptr;
  for (std::uint32_t part = 0; part < parts.count; ++part) {
    const Meeting& meeting = meetings[part];
    levels.pairs_apart += meeting.apart;
    levels.pairs_seen += meeting.seen;
    if (meeting.apart > 0 && levels.apart_a == kNone<Switch>) {
      levels.apart_a = meeting.a;
      levels.apart_b = meeting.b;
    }
    if (refused[part] == 0) continue;
    if (worst == nullptr || meeting.apart > worst->apart) worst = &meeting;
  }
  if (worst != nullptr) levels.why_not_tree = reason(fabric, levels, *worst);
  return levels;
}

void require_tree(const Levels& levels, std::string_view who) {
  if (!levels.is_tree()) {
    throw PromiseError(fmt::format("{} needs a fabric like a tree: {}", who, levels.why_not_tree));
  }
}

}  // namespace fatwood
