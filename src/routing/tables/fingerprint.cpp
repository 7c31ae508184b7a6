// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tables/fingerprint.hpp"

#include <initializer_list>
#include <optional>

namespace fatwood {

namespace {

std::uint64_t of(std::initializer_list<std::uint64_t> words) {
  std::uint64_t state = 0;
  for (const std::uint64_t word : words) state = hashed(state, word);
  return state;
}

Table<Switch, std::uint64_t> keys_of(const Fabric& fabric) {
  Table<Switch, std::uint64_t> key;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    key.push_back(mix(fabric.guid(fabric.node(s))));
  }
  return key;
}

std::uint64_t of_address(const Fabric& fabric, const ForwardingTables& tables,
                         Destination destination) {
  if (tables.is_switch(destination)) {
    return of({fabric.guid(fabric.node(tables.as_switch(destination))), 0, 0});
  }
  const Terminal t = tables.terminal(destination);
  return of({fabric.guid(fabric.adapter_node(t)), index(fabric.port(fabric.terminal_channel(t))),
             index(destination) - index(tables.destination(t))});
}

// value(destination, s): what an entry adds to the key of its switch; nothing: it is left out.
template <class Value>
std::uint64_t of_entries(const Fabric& fabric, const ForwardingTables& tables, const Value& value) {
  const Table<Switch, std::uint64_t> key = keys_of(fabric);
  std::uint64_t sum = 0;
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const std::uint64_t address = of_address(fabric, tables, destination);
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const std::optional<std::uint64_t> own = value(destination, s);
      if (own) sum += mix(address ^ (key[s] + *own));
    }
  }
  return sum;
}

std::uint64_t of_tables(const Fabric& fabric, const ForwardingTables& tables, const Lanes& lanes) {
  const auto port_and_lane = [&](Destination destination,
                                 Switch s) -> std::optional<std::uint64_t> {
    const Port entry = tables.at(destination, s);
    if (entry == kNoRoute) return std::nullopt;
    return std::uint64_t{256} * index(entry) + lanes.at(destination, s);
  };
  return of_entries(fabric, tables, port_and_lane);
}

std::uint64_t of_routes(const Fabric& fabric, const SourceRoutes& routes) {
  std::uint64_t sum = 0;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    for (const Switch d : ids<Switch>(fabric.num_switches())) {
      std::uint64_t state = of({fabric.guid(fabric.node(s)), fabric.guid(fabric.node(d))});
      for (const Channel c : routes.at(s, d)) {
        const bool there = index(c) < fabric.num_channels();
        state = hashed(state, there ? fabric.guid(fabric.owner(c)) : 0);
        state = hashed(state, there ? index(fabric.port(c)) : index(c));
      }
      sum += state;
    }
  }
  return sum;
}

}  // namespace

std::uint64_t fingerprint(const Fabric& fabric) {
  std::uint64_t sum = 0;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    sum += of({fabric.guid(node), fabric.is_switch(node) ? 1U : 0U});
    for (const Channel c : fabric.channels(node)) {
      if (!fabric.connected(c)) continue;
      sum += of({fabric.guid(node), index(fabric.port(c)), fabric.guid(fabric.neighbour(c)),
                 index(fabric.port(fabric.peer(c)))});
    }
  }
  return sum;
}

std::uint64_t fingerprint(const Fabric& fabric, const Routing& routing) {
  return routing.source_routes.empty() ? of_tables(fabric, routing.tables, routing.lanes)
                                       : of_routes(fabric, routing.source_routes);
}

std::uint64_t fingerprint_of_sets(const Fabric& fabric, const Routing& routing) {
  if (routing.sets.empty()) return 0;
  const auto list_of = [&](Destination destination, Switch s) -> std::optional<std::uint64_t> {
    const std::span<const Port> ports = routing.ports(s, destination);
    if (ports.size() < 2) return std::nullopt;
    std::uint64_t list = 0;
    for (const Port port : ports) list = hashed(list, index(port));
    return list;
  };
  return of_entries(fabric, routing.tables, list_of);
}

std::uint64_t fingerprint(const Fabric& fabric, const LaneMap& map) {
  std::uint64_t sum = 0;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const auto ports = ids<Port>(fabric.ports(fabric.node(s)) + 1);
    for (const Port in : ports) {
      for (const Port out : ports) {
        if (!map.has(s, in, out)) continue;
        std::uint64_t state = of({fabric.guid(fabric.node(s)), index(in), index(out)});
        for (unsigned level = 0; level < kLevels; ++level) {
          state = hashed(state, map.lane(s, in, out, level));
        }
        sum += state;
      }
    }
  }
  return sum;
}

}  // namespace fatwood
