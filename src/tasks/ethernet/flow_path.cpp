// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ethernet/flow_path.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "routing/adaptive/choice_walk.hpp"

namespace fatwood {

FlowPaths follow_choices(const Fabric& fabric, const Routing& routing, Switch from,
                         Destination destination) {
  const HopMap map(fabric);
  FlowPaths paths;
  std::vector<std::uint8_t> seen(fabric.num_switches());
  seen[index(from)] = 1;
  paths.steps.push_back({.at = from, .ports = {}});
  for (std::size_t i = 0; i < paths.steps.size(); ++i) {
    const Switch at = paths.steps[i].at;
    for (const Port port : routing.ports(at, destination)) {
      paths.steps[i].ports.push_back(port);
      const Hop hop = map.at(at, port);
      if (!hop.to_switch() || seen[hop.next()] != 0) continue;
      seen[hop.next()] = 1;
      paths.steps.push_back({Switch{hop.next()}, paths.steps[i].hops + 1, {}});
    }
  }
  std::ranges::stable_sort(paths.steps, {},
                           [](const FlowStep& step) { return std::pair(step.hops, step.at); });
  ChoiceWalk walk(fabric, map, routing);
  walk.follow(destination);
  const Fate fate = walk.fate(index(from));
  if (fate == Fate::kArrives) return paths;
  paths.failure = fate == Fate::kNever ? "no choice arrives" : "some choices do not arrive";
  for (const FlowStep& step : paths.steps) {
    if (!step.ports.empty()) continue;
    paths.failure += fmt::format(": {} has no route", unique_name(fabric, step.at));
    break;
  }
  return paths;
}

PacketPath follow_linux_flow(const Fabric& fabric, const Routing& routing, Terminal source,
                             Destination destination, const UdpFlow& flow, const SeedOf& seed) {
  PacketPath path;
  path.channels.push_back(fabric.terminal_channel(source));
  Switch at = fabric.leaf(source);
  for (std::size_t hops = 0; hops <= fabric.num_switches(); ++hops) {
    const std::span<const Port> ports = routing.ports(at, destination);
    if (ports.empty()) {
      path.failure = unique_name(fabric, at) + " has no route";
      return path;
    }
    const auto count = static_cast<std::uint32_t>(ports.size());
    const Port port =
        count == 1 ? ports.front() : ports[linux_choice(linux_flow_hash(flow, seed(at)), count)];
    if (port == kOwnPort) return path;
    const Channel c = fabric.channel(fabric.node(at), port);
    if (!fabric.connected(c)) {
      path.failure = port_name(fabric, c) + " has no cable";
      return path;
    }
    path.channels.push_back(c);
    if (!fabric.to_switch(c)) return path;
    at = fabric.next_switch(c);
  }
  path.failure = "the packet loops";
  return path;
}

}  // namespace fatwood
