// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "analysis/faults/fault_cost.hpp"

namespace fatwood {

StandingLoad::StandingLoad(const Model& model, const ForwardingTables& tables, int threads)
    : sources(model),
      flows(model, tables, threads),
      most(model, flows.units_in_one()),
      senders(model.fabric().num_switches()),
      represented_by(model.fabric().num_terminals(), kNone<Channel>),
      peers(most_peers(model, [&](Channel c) { return flows.flows()[c]; })) {
  const Fabric& fabric = model.fabric();
  const auto before = [&](Channel a, Channel b) {
    return most.before(a, flows.flows()[a], b, flows.flows()[b]);
  };
  for (const Terminal t : model.adapters().all_terminals()) {
    if (fabric.leaf(t) == kNone<Switch>) continue;
    order.push_back(fabric.peer(fabric.terminal_channel(t)));
    const Sender mine{fabric.terminal_channel(t), sources.kind(t)};
    std::vector<Sender>& all = senders[index(fabric.leaf(t))];
    const auto like = std::ranges::find_if(all, [&](const Sender& other) {
      return other.kind == mine.kind && fabric.rate(other.channel) == fabric.rate(mine.channel);
    });
    if (like == all.end()) {
      all.push_back(mine);
    } else if (before(mine.channel, like->channel)) {
      *like = mine;
    }
  }
  for (const std::vector<Sender>& of_switch : senders) {
    for (const Sender& sender : of_switch) order.push_back(sender.channel);
  }
  for (const Terminal t : model.adapters().all_terminals()) {
    if (fabric.leaf(t) == kNone<Switch>) continue;
    const Channel c = fabric.terminal_channel(t);
    const auto& all = senders[index(fabric.leaf(t))];
    represented_by[t] =
        std::ranges::find_if(all, [&](const Sender& other) {
          return other.kind == sources.kind(t) && fabric.rate(other.channel) == fabric.rate(c);
        })->channel;
  }
  order.insert(order.end(), flows.by_flows().begin(), flows.by_flows().end());
  std::ranges::sort(order, before);
}

}  // namespace fatwood
