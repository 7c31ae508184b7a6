// SPDX-License-Identifier: BSD-3-Clause
#include "support/fabrics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/random.hpp"
#include "topology/builder.hpp"

namespace fatwood::test {

Fabric ring(std::uint32_t switches, std::uint32_t terminals) {
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> at;
  for (std::uint32_t i = 0; i < switches; ++i) {
    at.push_back(builder.add_switch(fmt::format("S{}", i), 2 + terminals));
  }
  for (std::uint32_t i = 0; i < switches; ++i)
    builder.connect(at[i], Port{1}, at[(i + 1) % switches], Port{2});
  for (std::uint32_t i = 0; i < switches * terminals; ++i) {
    const auto host = builder.add_adapter(fmt::format("H{}", i), 1);
    builder.connect(host, Port{1}, at[i / terminals], static_cast<Port>(3 + i % terminals));
  }
  return builder.build();
}

Fabric random_fabric(std::uint64_t seed, std::uint32_t switches) {
  Random random(seed, 1);
  FabricBuilder builder;
  const std::uint32_t count = 1 + random.below(switches);
  const std::uint32_t ports = 4 + random.below(random.below(8) == 0 ? 100 : 8);
  std::vector<FabricBuilder::Handle> at;
  std::vector<std::uint32_t> used(count, 0);
  const auto has_room = [&](std::uint32_t s) { return used[s] < ports; };
  // Some ports are left out, so that numbers and cables do not agree.
  const auto take = [&](std::uint32_t s) {
    if (used[s] + 1 < ports && random.below(6) == 0) ++used[s];
    return static_cast<Port>(++used[s]);
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    at.push_back(builder.add_switch(fmt::format("S{}", i), ports));
  }
  const std::uint32_t parts = random.below(10) == 0 ? 2 : 1;
  for (std::uint32_t i = parts; i < count; ++i) {
    const std::uint32_t other = random.below(i);
    if (has_room(i) && has_room(other)) builder.connect(at[i], take(i), at[other], take(other));
  }
  for (std::uint32_t extra = random.below(2 * count + 1); extra > 0; --extra) {
    const std::uint32_t a = random.below(count);
    const std::uint32_t b = random.below(count);
    if (a != b && has_room(a) && has_room(b)) builder.connect(at[a], take(a), at[b], take(b));
  }
  const std::uint32_t hosts = random.below(2 * count + 2);
  for (std::uint32_t i = 0; i < hosts; ++i) {
    const auto host = builder.add_adapter(fmt::format("H{}", i), 1 + random.below(2));
    for (std::uint32_t port = 1; port <= builder.ports(host); ++port) {
      const std::uint32_t s = random.below(count);
      if (has_room(s)) builder.connect(host, static_cast<Port>(port), at[s], take(s));
    }
  }
  if (random.below(10) == 0) {
    const auto a = builder.add_adapter("lone0", 1);
    const auto b = builder.add_adapter("lone1", 1);
    builder.connect(a, Port{1}, b, Port{1});
  }
  return builder.build();
}

ForwardingTables shortest_tables(const Fabric& fabric, std::uint64_t seed, unsigned lmc) {
  ForwardingTables tables(fabric.num_terminals(), fabric.num_switches(), lmc);
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    Random random(seed, index(destination), 2);
    const std::span<Port> row = tables.row(destination);
    Node from;
    if (tables.is_switch(destination)) {
      from = fabric.node(tables.as_switch(destination));
      row[index(tables.as_switch(destination))] = kOwnPort;
    } else {
      const Terminal t = tables.terminal(destination);
      if (fabric.leaf(t) == kNone<Switch>) continue;
      from = fabric.node(fabric.leaf(t));
      row[index(fabric.leaf(t))] = fabric.leaf_port(t);
    }
    // Breadth-first from the destination; a switch takes one of the channels back at random.
    constexpr std::uint32_t kFar = 0xffffffffU;
    Table<Node, std::uint32_t> distance(fabric.num_nodes(), kFar);
    Table<Node, std::uint32_t> choices(fabric.num_nodes(), 0);
    distance[from] = 0;
    std::vector<Node> queue{from};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const Channel c : fabric.channels(queue[i])) {
        if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
        const Node far = fabric.neighbour(c);
        if (distance[far] == kFar) {
          distance[far] = distance[queue[i]] + 1;
          queue.push_back(far);
        }
        if (distance[far] != distance[queue[i]] + 1) continue;
        if (random.below(++choices[far]) == 0) {
          row[index(fabric.as_switch(far))] = fabric.port(fabric.peer(c));
        }
      }
    }
  }
  return tables;
}

ForwardingTables corrupt(ForwardingTables tables, std::uint64_t seed, double share) {
  Random random(seed, 3);
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    for (Port& entry : tables.row(destination)) {
      if (random.uniform() >= share) continue;
      // Mostly small numbers, which are ports; now and then anything.
      entry = static_cast<Port>(random.below(4) == 0 ? random.below(256) : random.below(8));
    }
  }
  return tables;
}

Lanes random_lanes(const ForwardingTables& tables, std::uint64_t seed, unsigned count) {
  Random random(seed, 4);
  Lanes lanes{count, {}, {}, tables.num_switches()};
  const auto rows = static_cast<std::uint32_t>(tables.num_destinations());
  for (std::uint32_t destination = 0; destination < rows; ++destination)
    lanes.row_of.push_back(destination);
  for (std::size_t i = 0; i < rows * tables.num_switches(); ++i) {
    lanes.lane.push_back(static_cast<std::uint8_t>(random.below(count)));
  }
  return lanes;
}

Routing random_source_routes(const Fabric& fabric, std::uint64_t seed) {
  Random random(seed, 5);
  Routing routing;
  routing.engine = "test";
  SourceRoutes& routes = routing.source_routes;
  routes.switches = fabric.num_switches();
  const auto walk = [&](Switch from, Switch to) {
    std::vector<Channel> path;
    std::vector<std::uint8_t> seen(fabric.num_nodes(), 0);
    Node at = fabric.node(from);
    while (at != fabric.node(to)) {
      seen[index(at)] = 1;
      std::vector<Channel> choices;
      for (const Channel c : fabric.channels(at)) {
        if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
        if (seen[index(fabric.neighbour(c))] == 0) choices.push_back(c);
      }
      if (choices.empty()) return std::vector<Channel>{};
      path.push_back(choices[random.below(static_cast<std::uint32_t>(choices.size()))]);
      at = fabric.neighbour(path.back());
    }
    return path;
  };
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    for (const Switch d : ids<Switch>(fabric.num_switches())) {
      routes.first.push_back(static_cast<std::uint32_t>(routes.channels.size()));
      for (const Channel c : walk(s, d)) routes.channels.push_back(c);
    }
  }
  routes.first.push_back(static_cast<std::uint32_t>(routes.channels.size()));
  return routing;
}

}  // namespace fatwood::test
