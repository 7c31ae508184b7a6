// SPDX-License-Identifier: BSD-3-Clause
#include "verify/deadlock/witness.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/invariant.hpp"
#include "routing/tables/destination_tree.hpp"
#include "topology/graph/hop_map.hpp"

namespace fatwood {

namespace {

// The two lowest senders of each switch: if one is the destination, the other may still send.
Table<Switch, std::pair<Terminal, Terminal>> first_two_terminals(const Fabric& fabric,
                                                                 const Senders& senders) {
  Table<Switch, std::pair<Terminal, Terminal>> first(fabric.num_switches(),
                                                     {kNone<Terminal>, kNone<Terminal>});
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) == kNone<Switch> || !senders.counts(t)) continue;
    auto& [one, two] = first[fabric.leaf(t)];
    if (one == kNone<Terminal>) {
      one = t;
    } else if (two == kNone<Terminal>) {
      two = t;
    }
  }
  return first;
}

class WitnessSearch {
 public:
  WitnessSearch(const Fabric& fabric, const Routing& routing, Sources sources, unsigned lane)
      : fabric_(fabric),
        routing_(routing),
        senders_(fabric, sources),
        lane_(lane),
        map_(fabric),
        first_terminals_(first_two_terminals(fabric, senders_)) {}

  Dependency find(Channel held, Channel wanted) const {
    std::optional<Dependency> best;
    const ForwardingTables& tables = routing_.tables;
    const Switch x = fabric_.as_switch(fabric_.owner(held));
    const Switch y = fabric_.as_switch(fabric_.owner(wanted));
    for (const Destination destination : ids<Destination>(senders_.destinations(tables))) {
      if (!senders_.counts(tables, destination)) continue;
      if (!may_take(x, destination, held) || !may_take(y, destination, wanted)) continue;
      const std::optional<Endpoint> source = source_through(destination, x);
      if (!source) continue;
      const Dependency found = dependency(held, lane_, *source, tables, destination);
      if (!best || found.rank() < best->rank()) best = found;
      if (best->rank() == 0) break;
    }
    invariant(best.has_value(), "no route makes a dependency that was found");
    return *best;
  }

  Endpoint holder(Channel held, Destination destination) const {
    const Switch x = fabric_.as_switch(fabric_.owner(held));
    return source_through(destination, x).value_or(Endpoint{.sw = x});
  }

 private:
  bool may_take(Switch s, Destination destination, Channel c) const {
    return std::ranges::binary_search(routing_.ports(s, destination), fabric_.port(c));
  }

  // The lowest terminal whose packets to the destination some choice brings to switch x in this
  // lane, or else the lowest switch.
  std::optional<Endpoint> source_through(Destination destination, Switch x) const {
    std::vector<std::vector<std::uint32_t>> before(fabric_.num_switches());
    for (std::uint32_t s = 0; s < before.size(); ++s) {
      for (const Port port : routing_.ports(Switch{s}, destination)) {
        const Hop hop = map_.at(s, port);
        if (hop.to_switch()) before[hop.next()].push_back(s);
      }
    }
    std::vector<std::uint32_t> found{index(x)};  // switches whose packets pass x
    std::vector<bool> passes(before.size());
    passes[index(x)] = true;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const std::uint32_t s : before[found[i]]) {
        if (passes[s]) continue;
        passes[s] = true;
        found.push_back(s);
      }
    }
    return lowest_source(destination, found);
  }

  std::optional<Endpoint> lowest_source(Destination destination,
                                        std::span<const std::uint32_t> switches) const {
    const ForwardingTables& tables = routing_.tables;
    Terminal lowest = kNone<Terminal>;
    Switch lowest_switch = kNone<Switch>;
    for (const std::uint32_t s : switches) {
      const auto from = static_cast<Switch>(s);
      if (routing_.lanes.at(destination, from) != lane_) continue;
      auto [one, two] = first_terminals_[from];
      if (!tables.is_switch(destination) && one == tables.terminal(destination)) one = two;
      lowest = std::min(lowest, one);
      lowest_switch = std::min(lowest_switch, from);
    }
    if (lowest != kNone<Terminal>) return endpoint(lowest);
    if (lowest_switch == kNone<Switch> || !senders_.switches()) return std::nullopt;
    return endpoint(lowest_switch);
  }

  const Fabric& fabric_;
  const Routing& routing_;
  Senders senders_;
  unsigned lane_;
  HopMap map_;
  Table<Switch, std::pair<Terminal, Terminal>> first_terminals_;
};

Dependency witness_of_source_routes(const Fabric& fabric, const SourceRoutes& routes,
                                    const Senders& senders, Channel held, Channel wanted) {
  Dependency found;
  const auto uses = [&](Switch s, Switch d) {
    const auto path = routes.at(s, d);
    const auto at = std::adjacent_find(
        path.begin(), path.end(), [&](Channel a, Channel b) { return a == held && b == wanted; });
    return at != path.end() && source_route_arrives(fabric, routes, s, d);
  };
  const auto first = first_two_terminals(fabric, senders);
  const auto end_at = [&](Switch s) {
    return first[s].first == kNone<Terminal> ? endpoint(s) : endpoint(first[s].first);
  };
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    for (const Switch d : ids<Switch>(fabric.num_switches())) {
      if (!senders.starts_at(s) || !senders.starts_at(d) || !uses(s, d)) continue;
      const Dependency one{held, end_at(s), end_at(d), 0, 0};
      if (found.channel == kNone<Channel> || one.rank() < found.rank()) found = one;
    }
  }
  invariant(found.channel != kNone<Channel>, "no route makes a dependency that was found");
  return found;
}

}  // namespace

std::vector<Dependency> find_witnesses(const Fabric& fabric, const Routing& routing,
                                       Sources sources, unsigned lane,
                                       std::span<const Channel> cycle) {
  std::vector<Dependency> result;
  std::optional<WitnessSearch> search;
  if (routing.source_routes.empty()) search.emplace(fabric, routing, sources, lane);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Channel held = cycle[i];
    const Channel wanted = cycle[(i + 1) % cycle.size()];
    result.push_back(search ? search->find(held, wanted)
                            : witness_of_source_routes(fabric, routing.source_routes,
                                                       Senders(fabric, sources), held, wanted));
  }
  return result;
}

Endpoint find_holder(const Fabric& fabric, const Routing& routing, Sources sources, Channel held,
                     Destination destination) {
  return WitnessSearch(fabric, routing, sources, 0).holder(held, destination);
}

}  // namespace fatwood
