// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/worst/worst_flows.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "analysis/worst/flow_network.hpp"
#include "core/parallel.hpp"
#include "core/union_find.hpp"

namespace fatwood {

namespace {

std::int64_t cables_to_switches(const Fabric& fabric, const ChannelSpeeds& speeds, Switch s) {
  std::int64_t cables = 0;
  for (const SwitchLink& link : fabric.links(s)) cables += speeds.speed(link.channel);
  return cables;
}

std::int64_t cables_of_adapter(const Model& model, const ChannelSpeeds& speeds, Adapter adapter) {
  std::int64_t cables = 0;
  for (const Terminal t : model.adapters().terminals(adapter)) {
    cables += speeds.speed(model.fabric().terminal_channel(t));
  }
  return cables;
}

// The components of the switches up to each level but the highest, while their number decreases.
std::vector<CablesOfParts> parts_of(const Model& model, const ChannelSpeeds& speeds,
                                    std::span<const Switch> leaf_of_group) {
  const Fabric& fabric = model.fabric();
  const auto each_cable = [&](const auto& visit) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      for (const SwitchLink& link : fabric.links(s)) visit(s, link.to, link.channel);
    }
  };
  const auto& levels = model.levels().level;
  Level top = 0;
  for (const Switch s : ids<Switch>(fabric.num_switches())) top = std::max(top, levels[s]);
  std::vector<CablesOfParts> result;
  UnionFind sets(fabric.num_switches());
  for (Level level = 2; level < top; ++level) {
    each_cable([&](Switch from, Switch to, Channel) {
      if (levels[from] <= level && levels[to] <= level) sets.join(index(from), index(to));
    });
    CablesOfParts& parts = result.emplace_back();
    parts.cables.assign(fabric.num_switches(), 0);  // a part has the number of one of its switches
    each_cable([&](Switch from, Switch to, Channel c) {
      const std::uint32_t part = sets.find(index(from));
      if (part != sets.find(index(to))) parts.cables[part] += speeds.speed(c);
    });
    for (const Switch leaf : leaf_of_group) {
      parts.of_group.push_back(leaf == kNone<Switch> ? kNoPart : sets.find(index(leaf)));
    }
  }
  return result;
}

}  // namespace

LeafGroups groups_of(const Model& model, const ChannelSpeeds& speeds, TrafficClass traffic) {
  const Fabric& fabric = model.fabric();
  const bool any = traffic == TrafficClass::kAny;
  LeafGroups groups;
  if (any) groups.parts = speeds.usual();
  std::map<Switch, std::uint32_t> number;
  std::vector<Switch> leaf_of_group;
  for (const Adapter adapter : ids<Adapter>(model.adapters().size())) {
    const Switch leaf = model.adapters().leaf(fabric, adapter);
    auto group = static_cast<std::uint32_t>(groups.adapters.size());
    if (leaf != kNone<Switch>) group = number.try_emplace(leaf, group).first->second;
    if (group == groups.adapters.size()) {
      groups.adapters.emplace_back();
      leaf_of_group.push_back(leaf);
      groups.cables.push_back(leaf == kNone<Switch> ? cables_of_adapter(model, speeds, adapter)
                                                    : cables_to_switches(fabric, speeds, leaf));
    }
    groups.adapters[group].push_back(adapter);
    groups.group_of.push_back(group);
    groups.ports.push_back(any ? cables_of_adapter(model, speeds, adapter) : 1);
  }
  if (any) groups.parts_above = parts_of(model, speeds, leaf_of_group);
  return groups;
}

std::vector<std::int64_t> end_counts(const Fabric& fabric, const PathSource& paths,
                                     const LeafGroups& groups, PairEnd end,
                                     const WorstOptions& options) {
  const auto units = static_cast<std::int64_t>(paths.units_in_one());
  const int threads = thread_count(options.threads);
  const std::size_t channels = fabric.num_channels();
  std::vector<std::vector<std::int64_t>> total(static_cast<std::size_t>(threads));
  parallel_for(groups.adapters.size(), options.threads, [&](std::size_t leaf, int thread) {
    auto& sum = total[static_cast<std::size_t>(thread)];
    if (sum.empty()) sum.assign(channels, 0);
    std::vector<std::int64_t> of_leaf(channels, 0);
    std::vector<std::int64_t> of_one(channels, 0);
    for (const Adapter a : groups.adapters[leaf]) {
      std::fill(of_one.begin(), of_one.end(), 0);
      for (const Adapter b : ids<Adapter>(groups.group_of.size())) {
        if (a == b) continue;
        const PathList list = end == PairEnd::kSource ? paths.paths(a, b) : paths.paths(b, a);
        if (list.empty()) continue;
        const std::int64_t share = units / static_cast<std::int64_t>(list.size());
        if (list.size() == 1) {
          for (const Channel c : list.all()) of_one[index(c)] = std::max(of_one[index(c)], share);
          continue;
        }
        // The largest share of any one pair. Shares of paths of a pair on the same channel are
        // added.
        std::map<Channel, std::int64_t> here;
        for (const Channel c : list.all()) here[c] += share;
        for (const auto& [c, weight] : here) of_one[index(c)] = std::max(of_one[index(c)], weight);
      }
      const std::int64_t ports = groups.ports[index(a)];
      for (std::size_t c = 0; c < channels; ++c) of_leaf[c] += ports * of_one[c];
    }
    const std::int64_t most = options.traffic == TrafficClass::kAny
                                  ? groups.cables[leaf] * units
                                  : std::numeric_limits<std::int64_t>::max();
    for (std::size_t c = 0; c < channels; ++c) sum[c] += std::min(of_leaf[c], most);
  });
  std::vector<std::int64_t> counts(channels, 0);
  for (const auto& part : total) {
    for (std::size_t c = 0; c < part.size(); ++c) counts[c] += part[c];
  }
  return counts;
}

std::vector<std::vector<PairArc>> pairs_of(const Fabric& fabric, const PathSource& paths,
                                           std::span<const Channel> chosen, int threads) {
  std::vector<std::uint32_t> slot(fabric.num_channels(), 0xffffffffU);
  for (std::uint32_t i = 0; i < chosen.size(); ++i) slot[index(chosen[i])] = i;
  const std::size_t adapters = paths.num_adapters();
  std::vector<std::vector<std::pair<std::uint32_t, PairArc>>> found(adapters);
  parallel_for(adapters, threads, [&](std::size_t i, int) {
    const auto s = static_cast<Adapter>(i);
    for (const Adapter d : ids<Adapter>(adapters)) {
      if (s == d) continue;
      const PathList list = paths.paths(s, d);
      if (list.empty()) continue;
      const std::int64_t share = paths.units_in_one() / static_cast<std::int64_t>(list.size());
      for (const Channel c : list.all()) {
        if (slot[index(c)] == 0xffffffffU) continue;
        auto& mine = found[i];
        if (!mine.empty() && mine.back().first == slot[index(c)] &&
            mine.back().second.destination == d) {
          mine.back().second.weight += share;
        } else {
          mine.push_back({slot[index(c)], {s, d, share}});
        }
      }
    }
  });
  std::vector<std::vector<PairArc>> pairs(chosen.size());
  for (auto& mine : found) {
    for (const auto& [i, arc] : mine) pairs[i].push_back(arc);
  }
  return pairs;
}

namespace {

// Connects the groups to the source and the sink, through the parts that contain them. Everything
// that the channel carries crosses the cut of a group. It crosses that of a part unless both ends
// of a pair are in the part: such parts are no cut for this channel.
void join_groups(const LeafGroups& groups, const std::vector<PairArc>& arcs, TrafficClass traffic,
                 FlowNetwork& network, std::uint32_t first_vertex) {
  const auto count = static_cast<std::uint32_t>(groups.adapters.size());
  const auto adapters = static_cast<std::int64_t>(groups.group_of.size());
  const std::uint32_t from_group = first_vertex;
  const std::uint32_t to_group = from_group + count;
  std::vector<std::uint32_t> above_from(count, 0);  // vertex above each group; the source
  std::vector<std::uint32_t> above_to(count, 1);    // and the sink
  std::uint32_t next = to_group + count;
  for (std::size_t i = groups.parts_above.size(); i-- > 0;) {  // the highest first
    const auto& [of_group, cables] = groups.parts_above[i];
    std::vector<char> inside(cables.size(), 0);
    for (const PairArc& arc : arcs) {
      const std::uint32_t part = of_group[groups.group_of[index(arc.source)]];
      if (part == kNoPart) continue;
      if (part == of_group[groups.group_of[index(arc.destination)]]) inside[part] = 1;
    }
    std::map<std::uint32_t, std::uint32_t>
        vertex;  // by part: the vertex where traffic leaves it; the next one is where it arrives
    for (std::uint32_t group = 0; group < count; ++group) {
      const std::uint32_t part = of_group[group];
      if (part == kNoPart || inside[part] != 0) continue;
      const auto [at, fresh] = vertex.try_emplace(part, next);
      if (fresh) {
        network.add_arc(above_from[group], next, cables[part]);
        network.add_arc(next + 1, above_to[group], cables[part]);
        next += 2;
      }
      above_from[group] = at->second;
      above_to[group] = at->second + 1;
    }
  }
  for (std::uint32_t group = 0; group < count; ++group) {
    const std::int64_t most = traffic == TrafficClass::kAny ? groups.cables[group] : adapters;
    network.add_arc(above_from[group], from_group + group, most);
    network.add_arc(to_group + group, above_to[group], most);
  }
}

}  // namespace

// Vertices: source, sink, adapters as sources, adapters as destinations, groups likewise, parts
// likewise.
HeaviestFlow heaviest_flow(const LeafGroups& groups, const std::vector<PairArc>& arcs,
                           TrafficClass traffic) {
  const auto adapters = static_cast<std::uint32_t>(groups.group_of.size());
  const auto count = static_cast<std::uint32_t>(groups.adapters.size());
  FlowNetwork network(2 + 2 * std::size_t{adapters} +
                      2 * std::size_t{count} * (1 + groups.parts_above.size()));
  const std::uint32_t to = 2 + adapters;
  const std::uint32_t from_group = to + adapters;
  const std::uint32_t to_group = from_group + count;
  std::vector<char> sends(adapters, 0);
  std::vector<char> receives(adapters, 0);
  for (const PairArc& arc : arcs) sends[index(arc.source)] = receives[index(arc.destination)] = 1;
  join_groups(groups, arcs, traffic, network, from_group);
  for (std::uint32_t t = 0; t < adapters; ++t) {
    if (sends[t] != 0) network.add_arc(from_group + groups.group_of[t], 2 + t, groups.ports[t]);
    if (receives[t] != 0) network.add_arc(to + t, to_group + groups.group_of[t], groups.ports[t]);
  }
  const auto first = static_cast<FlowNetwork::Arc>(network.num_arcs());
  bool equal = true;
  for (const PairArc& arc : arcs) {
    const std::int64_t most =
        std::min(groups.ports[index(arc.source)], groups.ports[index(arc.destination)]);
    network.add_arc(2 + index(arc.source), to + index(arc.destination), most, arc.weight);
    equal = equal && arc.weight == arcs.front().weight;
  }
  HeaviestFlow solved;
  solved.weight = arcs.empty() ? 0
                  : equal      ? arcs.front().weight * max_flow(network, 0, 1)
                               : max_weight_flow(network, 0, 1);
  for (std::uint32_t i = 0; i < arcs.size(); ++i) {
    if (network.flow(first + 2 * i) == 0) continue;
    solved.flows.push_back({arcs[i].source, arcs[i].destination, network.flow(first + 2 * i)});
  }
  return solved;
}

}  // namespace fatwood
