// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/worst/worst_flows.hpp"

#include <algorithm>
#include <map>
#include <ranges>

#include "analysis/bounds/cuts.hpp"
#include "analysis/worst/flow_network.hpp"
#include "core/parallel.hpp"

namespace fatwood {

namespace {

std::int64_t cables_to_switches(const Model& model, Switch s) {
  std::int64_t cables = 0;
  for (const SwitchLink& link : model.fabric().links(s)) {
    cables += model.speeds().speed(link.channel);
  }
  return cables;
}

// The components of the switches up to each level but the highest, while their number decreases.
std::vector<CablesOfParts> parts_of(const Model& model, std::span<const Switch> leaf_of_group) {
  const Fabric& fabric = model.fabric();
  Level top = 0;
  for (const Level level : model.levels().level) top = std::max(top, level);
  std::vector<CablesOfParts> result;
  for (Level level = 2; level < top; ++level) {
    const std::vector<std::uint32_t> part = components_up_to(model, level);
    CablesOfParts& parts = result.emplace_back();
    parts.cables.assign(part.size(), 0);
    for (const Switch s : ids<Switch>(part.size())) {
      for (const SwitchLink& link : fabric.links(s)) {
        if (part[index(s)] == part[index(link.to)]) continue;
        parts.cables[part[index(s)]] += model.speeds().speed(link.channel);
      }
    }
    for (const Switch leaf : leaf_of_group) {
      parts.of_group.push_back(leaf == kNone<Switch> ? kNoPart : part[index(leaf)]);
    }
    for (const Adapter adapter : ids<Adapter>(model.adapters().size())) {
      auto& mine = parts.of_adapter.emplace_back();
      for (const Terminal t : model.adapters().terminals(adapter)) {
        if (fabric.leaf(t) != kNone<Switch>) mine.push_back(part[index(fabric.leaf(t))]);
      }
    }
  }
  return result;
}

}  // namespace

LeafGroups groups_of(const Model& model, TrafficClass traffic) {
  const bool any = traffic == TrafficClass::kAny;
  LeafGroups groups;
  if (any) groups.parts = model.speeds().usual();
  std::map<Switch, std::uint32_t> number;
  std::vector<Switch> leaf_of_group;
  for (const Adapter adapter : ids<Adapter>(model.adapters().size())) {
    const Switch leaf = model.adapters().leaf(model.fabric(), adapter);
    auto group = static_cast<std::uint32_t>(groups.adapters.size());
    if (leaf != kNone<Switch>) group = number.try_emplace(leaf, group).first->second;
    if (group == groups.adapters.size()) {
      groups.adapters.emplace_back();
      leaf_of_group.push_back(leaf);
      groups.cables.push_back(leaf == kNone<Switch> ? speed_of_cables(model, adapter)
                                                    : cables_to_switches(model, leaf));
    }
    groups.adapters[group].push_back(adapter);
    groups.group_of.push_back(group);
    groups.ports.push_back(any ? speed_of_cables(model, adapter) : 1);
  }
  for (const Adapter adapter : ids<Adapter>(model.adapters().size())) {
    auto& mine = groups.ports_in.emplace_back(1, groups.group_of[index(adapter)]);
    for (const Terminal t : model.adapters().terminals(adapter)) {
      if (const auto at = number.find(model.fabric().leaf(t)); at != number.end()) {
        mine.push_back(at->second);
      }
    }
  }
  if (any) groups.parts_above = parts_of(model, leaf_of_group);
  return groups;
}

std::vector<std::int64_t> end_counts(const Fabric& fabric, const PathSource& paths,
                                     const LeafGroups& groups, PairEnd end,
                                     const WorstOptions& options) {
  const auto units = static_cast<std::int64_t>(paths.units_in_one());
  const std::size_t channels = fabric.num_channels();
  std::vector<std::int64_t> counts(channels, 0);
  const auto add_leaf = [&](std::size_t leaf, std::vector<std::int64_t>& sum) {
    std::vector<std::int64_t> of_leaf(channels, 0);
    std::vector<std::int64_t> of_one(channels, 0);
    std::vector<char> inside(channels, 0);  // carries pairs that do not cross the leaf's cut
    for (const Adapter a : groups.adapters[leaf]) {
      std::fill(of_one.begin(), of_one.end(), 0);
      for (const Adapter b : ids<Adapter>(groups.group_of.size())) {
        if (a == b) continue;
        const PathList list = end == PairEnd::kSource ? paths.paths(a, b) : paths.paths(b, a);
        if (list.empty()) continue;
        const std::int64_t share = units / static_cast<std::int64_t>(list.size());
        if (!groups.crosses(static_cast<std::uint32_t>(leaf), b)) {
          for (const Channel c : list.all()) inside[index(c)] = 1;
        }
        // The largest share of any one pair. Those of its paths on the same channel are added.
        if (list.size() == 1) {
          for (const Channel c : list.all()) of_one[index(c)] = std::max(of_one[index(c)], share);
          continue;
        }
        std::map<Channel, std::int64_t> here;
        for (const Channel c : list.all()) here[c] += share;
        for (const auto& [c, weight] : here) of_one[index(c)] = std::max(of_one[index(c)], weight);
      }
      const std::int64_t ports = groups.ports[index(a)];
      for (std::size_t c = 0; c < channels; ++c) of_leaf[c] += ports * of_one[c];
    }
    const bool any = options.traffic == TrafficClass::kAny;
    for (std::size_t c = 0; c < channels; ++c) {
      const bool cut = any && inside[c] == 0;
      sum[c] += cut ? std::min(of_leaf[c], groups.cables[leaf] * units) : of_leaf[c];
    }
  };
  for (const auto& sum : parallel_with(counts, groups.adapters.size(), options.threads, add_leaf)) {
    for (std::size_t c = 0; c < channels; ++c) counts[c] += sum[c];
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
      // Paths of one pair can share channels: their shares are added.
      auto& mine = found[i];
      const std::size_t first = mine.size();
      for (const Channel c : list.all()) {
        if (slot[index(c)] == 0xffffffffU) continue;
        const auto of_pair =
            std::ranges::subrange(mine.begin() + static_cast<std::ptrdiff_t>(first), mine.end());
        const auto known =
            std::ranges::find(of_pair, slot[index(c)], [](const auto& arc) { return arc.first; });
        if (known != of_pair.end()) {
          known->second.weight += share;
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

// Connects the groups to the source and the sink, through the parts that contain them. A group or
// part is not a cut for this channel if both ends of a pair have a port in it.
void join_groups(const LeafGroups& groups, const std::vector<PairArc>& arcs, TrafficClass traffic,
                 FlowNetwork& network, std::uint32_t first_vertex) {
  const auto count = static_cast<std::uint32_t>(groups.adapters.size());
  const std::uint32_t from_group = first_vertex;
  const std::uint32_t to_group = from_group + count;
  std::vector<std::uint32_t> above_from(count, 0);  // vertex above each group; the source
  std::vector<std::uint32_t> above_to(count, 1);    // and the sink
  std::uint32_t next = to_group + count;
  for (std::size_t i = groups.parts_above.size(); i-- > 0;) {  // the highest first
    const auto& [of_group, of_adapter, cables] = groups.parts_above[i];
    std::vector<char> inside(cables.size(), 0);
    for (const PairArc& arc : arcs) {
      for (const std::uint32_t part : of_adapter[index(arc.source)]) {
        const auto& others = of_adapter[index(arc.destination)];
        if (std::ranges::find(others, part) != others.end()) inside[part] = 1;
      }
    }
    // By part: the vertex where traffic leaves it; the next one is where it arrives.
    std::map<std::uint32_t, std::uint32_t> vertex;
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
  std::vector<std::int64_t> limit(count, 0);  // of what a group sends: its cables, or all ports
  for (std::uint32_t group = 0; group < count; ++group) {
    for (const Adapter adapter : groups.adapters[group])
      limit[group] += groups.ports[index(adapter)];
  }
  if (traffic == TrafficClass::kAny) {
    std::vector<char> inside(count, 0);
    for (const PairArc& arc : arcs) {
      const std::uint32_t from = groups.group_of[index(arc.source)];
      const std::uint32_t into = groups.group_of[index(arc.destination)];
      if (!groups.crosses(from, arc.destination)) inside[from] = 1;
      if (!groups.crosses(into, arc.source)) inside[into] = 1;
    }
    for (std::uint32_t group = 0; group < count; ++group) {
      if (inside[group] == 0) limit[group] = std::min(limit[group], groups.cables[group]);
    }
  }
  for (std::uint32_t group = 0; group < count; ++group) {
    const std::int64_t most = limit[group];
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
  if (!arcs.empty()) solved.weight = heaviest(network, 0, 1, equal ? arcs.front().weight : 0);
  for (std::uint32_t i = 0; i < arcs.size(); ++i) {
    if (network.flow(first + 2 * i) == 0) continue;
    solved.flows.push_back({arcs[i].source, arcs[i].destination, network.flow(first + 2 * i)});
  }
  return solved;
}

}  // namespace fatwood
