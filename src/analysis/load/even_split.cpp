// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/load/even_split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/common_multiple.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "routing/adaptive/destination_classes.hpp"

namespace fatwood {

namespace {

struct Injection {
  Flow flow;
  PortPath path;
  std::int64_t paths;  // of the flow
};

std::int64_t common(std::int64_t a, std::int64_t b) { return common_multiple(a, b, kMostUnits); }

// The traffic to each class of destinations.
std::vector<std::vector<Injection>> injections(const Model& model, const Routing& routing,
                                               const DestinationClasses& classes,
                                               const Traffic& traffic) {
  const Table<Destination, std::uint32_t> class_of = classes.class_of();
  std::vector<std::vector<Injection>> sent(classes.size());
  for (const Flow& flow : traffic.flows) {
    const std::vector<PortPath> paths = port_paths(model, routing, flow);
    if (paths.empty()) throw no_path(model, flow.source, flow.destination);
    for (const PortPath& path : paths) {
      sent[class_of[path.to]].push_back({flow, path, static_cast<std::int64_t>(paths.size())});
    }
  }
  return sent;
}

// The amounts that enter at each switch, in units of 1/`units` of a flow's unit. Adds what the
// cables of adapters carry to the loads.
std::vector<std::int64_t> amounts_of(const Model& model, const Routing& routing,
                                     const ChoiceWalk& walk, std::span<const Injection> sent,
                                     std::int64_t units, Table<Channel, std::int64_t>& loads) {
  const Fabric& fabric = model.fabric();
  std::vector<std::int64_t> amount(fabric.num_switches());
  for (const Injection& one : sent) {
    const std::int64_t sends = one.flow.units * (units / one.paths);
    const Switch leaf = fabric.leaf(one.path.from);
    loads[fabric.terminal_channel(one.path.from)] += sends;
    if (leaf == kNone<Switch>) continue;  // cabled to the destination itself
    if (walk.fate(index(leaf)) != Fate::kArrives) {
      throw PromiseError(fmt::format("some choice loses packets from {} to {}",
                                     adapter_name(model, one.flow.source),
                                     adapter_name(model, one.flow.destination)));
    }
    amount[index(leaf)] += sends;
    const Terminal to = routing.tables.terminal(one.path.to);
    loads[fabric.peer(fabric.terminal_channel(to))] += sends;
  }
  return amount;
}

}  // namespace

EvenSplit::EvenSplit(const Model& model, const Routing& routing)
    : fabric_(model.fabric()), walk_(model.fabric(), model.hop_map(), routing) {}

const ChoiceWalk& EvenSplit::follow(Destination destination) {
  walk_.follow(destination);
  return walk_;
}

std::int64_t EvenSplit::divisions(std::vector<std::int64_t> units) const {
  std::int64_t all = 1;
  const std::span<const std::uint32_t> order = walk_.order();
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::uint32_t s = order[i];
    if (units[s] == 0) continue;
    const auto ports = static_cast<std::int64_t>(walk_.ports(s).size());
    if (units[s] > kMostUnits / ports) return 0;
    const std::int64_t mine = units[s] * ports;
    if (all % mine != 0) all = common(all, mine);
    if (all == 0) return 0;
    for (const Port port : walk_.ports(s)) {
      if (walk_.delivers(s, port)) continue;
      std::int64_t& next = units[walk_.hop(s, port).next()];
      if (next == 0) {
        next = mine;
      } else if (next % mine != 0) {
        next = common(next, mine);
        if (next == 0) return 0;
      }
    }
  }
  return all;
}

std::int64_t find_divisions(std::size_t items, int threads, const EvenSplit& split,
                            const std::function<std::int64_t(std::size_t, EvenSplit&)>& of) {
  struct Worker {
    EvenSplit split;
    std::int64_t divisions = 1;
  };
  std::int64_t all = 1;
  for (const Worker& worker :
       parallel_with(Worker{split}, items, threads, [&](std::size_t item, Worker& own) {
         own.divisions = common(own.divisions, of(item, own.split));
       })) {
    all = common(all, worker.divisions);
  }
  return all;
}

std::vector<Destination> counted_destinations(const Model& model, const ForwardingTables& tables,
                                              std::span<const Destination> destinations) {
  std::vector<Destination> counted;
  for (const Destination destination : destinations) {
    if (tables.is_switch(destination)) continue;
    const Terminal t = tables.terminal(destination);
    if (model.adapters().sends(t) && model.fabric().leaf(t) != kNone<Switch>) {
      counted.push_back(destination);
    }
  }
  return counted;
}

std::vector<PortPath> port_paths(const Model& model, const Routing& routing, const Flow& flow) {
  const Fabric& fabric = model.fabric();
  const Components& components = model.components();
  const auto joined = [&](Terminal a, Terminal b) {
    const Switch at = fabric.leaf(a);
    const Switch to = fabric.leaf(b);
    if (at == kNone<Switch> || to == kNone<Switch>) {
      return fabric.peer(fabric.terminal_channel(a)) == fabric.terminal_channel(b);
    }
    return components.component[at] == components.component[to];
  };
  std::vector<PortPath> paths;
  for (const auto& [from, to] : model.adapters().port_pairs(flow.source, flow.destination)) {
    if (!joined(from, to)) continue;
    for (std::uint32_t offset = 0; offset < 1U << routing.tables.lmc(); ++offset) {
      paths.push_back({from, routing.tables.destination(to, offset)});
    }
  }
  return paths;
}

LinkLoads even_split_loads(const Model& model, const Routing& routing, const Traffic& traffic,
                           int threads) {
  const Fabric& fabric = model.fabric();
  const DestinationClasses classes = destination_classes(fabric, routing, threads);
  const std::vector<std::vector<Injection>> sent = injections(model, routing, classes, traffic);
  const EvenSplit split(model, routing);
  const std::int64_t divisions = find_divisions(
      classes.size(), threads, split, [&](std::size_t c, EvenSplit& own) -> std::int64_t {
        if (sent[c].empty()) return 1;
        own.follow(classes.of(c).front());
        std::vector<std::int64_t> enters(fabric.num_switches());
        for (const Injection& one : sent[c]) {
          const Switch leaf = fabric.leaf(one.path.from);
          if (leaf != kNone<Switch>) enters[index(leaf)] = 1;
        }
        return own.divisions(std::move(enters));
      });
  // A flow's share is divided by its port paths first, then at each switch.
  std::int64_t paths = 1;
  for (const std::vector<Injection>& of_class : sent) {
    for (const Injection& one : of_class) paths = common(paths, one.paths);
  }
  __int128 total = traffic.units_in_one;
  for (const Flow& flow : traffic.flows) total += flow.units;
  if (paths == 0 || total * paths * kRoundedUnits > kMostUnits) {
    throw std::overflow_error("the traffic's amounts are too large");
  }
  LinkLoads result;
  result.exact =
      divisions != 0 && divisions <= kMostUnits / (static_cast<std::int64_t>(total) * paths);
  const std::int64_t units = paths * (result.exact ? divisions : kRoundedUnits);
  result.units_in_one = units * traffic.units_in_one;
  result.units.resize(fabric.num_channels());
  struct Worker {
    EvenSplit split;
    Table<Channel, std::int64_t> loads;
  };
  for (const Worker& worker : parallel_with(
           Worker{split, result.units}, classes.size(), threads, [&](std::size_t c, Worker& own) {
             if (sent[c].empty()) return;
             const ChoiceWalk& walk = own.split.follow(classes.of(c).front());
             own.split.spread(
                 amounts_of(model, routing, walk, sent[c], units, own.loads),
                 [&](Channel channel, std::int64_t share) { own.loads[channel] += share; });
           })) {
    for (const Channel c : ids<Channel>(fabric.num_channels())) result.units[c] += worker.loads[c];
  }
  return weighed(model, std::move(result));
}

}  // namespace fatwood
