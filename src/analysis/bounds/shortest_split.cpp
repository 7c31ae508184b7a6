// SPDX-License-Identifier: BSD-3-Clause
// An upper bound of OLOAD: a routing that splits each flow over all its shortest paths, port by
// port, in proportion to their speeds. Cost: O(switches that receive * channels + flows).

#include <algorithm>
#include <map>
#include <ranges>
#include <vector>

#include "analysis/bounds/oload.hpp"
#include "topology/channel_speeds.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

namespace {

// Flows between ports, in equal shares over the pairs of ports that cables connect.
std::vector<PortFlow> connected_port_flows(const Model& model, const Traffic& traffic) {
  const Fabric& fabric = model.fabric();
  const auto& component = model.components().component;
  const auto connected = [&](const auto& pair) {
    const Switch from = fabric.leaf(pair.first);
    const Switch to = fabric.leaf(pair.second);
    if (from == kNone<Switch> || to == kNone<Switch>) {
      return fabric.peer(fabric.terminal_channel(pair.first)) ==
             fabric.terminal_channel(pair.second);
    }
    return component[from] == component[to];
  };
  std::vector<PortFlow> result;
  for (const Flow& flow : traffic.flows) {
    auto pairs = model.adapters().port_pairs(flow.source, flow.destination);
    std::erase_if(pairs, [&](const auto& pair) { return !connected(pair); });
    const double units = static_cast<double>(flow.units) / static_cast<double>(pairs.size());
    for (const auto& [from, to] : pairs) result.push_back({from, to, units});
  }
  return result;
}

}  // namespace

double shortest_split_load(const Model& model, const Traffic& traffic) {
  const Fabric& fabric = model.fabric();
  const std::vector<PortFlow> flows_of_ports = connected_port_flows(model, traffic);
  std::map<Switch, std::vector<const PortFlow*>> by_leaf;
  const ChannelSpeeds& speeds = model.speeds();
  std::vector<double> load(fabric.num_channels(), 0);
  for (const PortFlow& flow : flows_of_ports) {
    load[index(fabric.terminal_channel(flow.source))] += flow.units;
    // Two adapters cabled to each other share that cable's channel.
    const Channel last = fabric.peer(fabric.terminal_channel(flow.destination));
    if (last != fabric.terminal_channel(flow.source)) load[index(last)] += flow.units;
    if (fabric.leaf(flow.destination) != kNone<Switch>) {
      by_leaf[fabric.leaf(flow.destination)].push_back(&flow);
    }
  }
  for (const auto& [leaf, flows] : by_leaf) {
    std::vector<std::uint32_t> hops(fabric.num_switches(), 0xffffffffU);
    std::vector<double> amount(fabric.num_switches(), 0);
    std::vector<Switch> order{leaf};
    hops[index(leaf)] = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const SwitchLink& link : fabric.links(order[i])) {
        if (hops[index(link.to)] != 0xffffffffU) continue;
        hops[index(link.to)] = hops[index(order[i])] + 1;
        order.push_back(link.to);
      }
    }
    for (const PortFlow* flow : flows) {
      if (fabric.leaf(flow->source) == kNone<Switch>) continue;
      amount[index(fabric.leaf(flow->source))] += flow->units;
    }
    for (std::size_t i = order.size(); i-- > 1;) {
      const Switch s = order[i];
      if (amount[index(s)] == 0) continue;
      auto nearer = fabric.links(s) | std::views::filter([&](const SwitchLink& link) {
                      return hops[index(link.to)] + 1 == hops[index(s)];
                    });
      double speed = 0;
      for (const SwitchLink& link : nearer) {
        speed += static_cast<double>(speeds.speed(link.channel));
      }
      for (const auto& [c, next, port] : nearer) {
        const double part = amount[index(s)] * static_cast<double>(speeds.speed(c)) / speed;
        load[index(c)] += part;
        amount[index(next)] += part;
      }
    }
  }
  double most = 0;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    most = std::max(most, load[index(c)] * static_cast<double>(speeds.usual()) /
                              static_cast<double>(speeds.speed(c)));
  }
  return most / static_cast<double>(traffic.units_in_one);
}

}  // namespace fatwood
