// SPDX-License-Identifier: BSD-3-Clause
#include "routing/even/even_net.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

EvenNet::EvenNet(const Model& model, const UpDownOrder& up_down, const ForwardingTables& tables,
                 std::span<const PairDemand> demands)
    : switches_(up_down.size()), addresses_(1U << tables.lmc()) {
  find_channels(model.fabric(), up_down);
  find_sources(model, tables);
  if (!demands.empty()) find_senders(model.fabric(), demands);
}

void EvenNet::find_channels(const Fabric& fabric, const UpDownOrder& up_down) {
  std::uint32_t most = 1;
  for (const Switch s : ids<Switch>(switches_)) {
    most = std::max(most, fabric.ports(fabric.node(s)));
  }
  shift_ = static_cast<std::uint32_t>(std::bit_width(most));
  channel.resize(switches_ << shift_);
  capacity_.assign(channel.size(), 0);
  next_.assign(channel.size(), kNobody);
  const ChannelSpeeds speeds(fabric);
  first_cabled_.push_back(0);
  for (std::uint32_t s = 0; s < switches_; ++s) {
    for (const Trunk g : up_down.graph().trunks(Switch{s})) {
      for (const Port port : up_down.graph().ports(g)) {
        const std::uint32_t at = slot(s, port);
        channel[at].next = next_[at] = index(up_down.graph().neighbour(g));
        channel[at].number = static_cast<std::uint32_t>(num_channels_++);
        const Channel c = fabric.channel(fabric.node(Switch{s}), port);
        capacity_[at] = static_cast<std::uint32_t>(speeds.speed(c));
        fastest_ = std::max(fastest_, capacity(at));
        cabled_.push_back(port);
      }
    }
    first_cabled_.push_back(static_cast<std::uint32_t>(cabled_.size()));
  }
}

void EvenNet::find_sources(const Model& model, const ForwardingTables& tables) {
  const Fabric& fabric = model.fabric();
  const FlowSources flows(model);
  source_at_.assign(switches_, kNobody);
  number_.assign(fabric.num_terminals(), kNobody);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (model.counted()[t] == 0 || fabric.leaf(t) == kNone<Switch>) continue;
    std::uint32_t& at = source_at_[index(fabric.leaf(t))];
    if (at == kNobody) {
      at = static_cast<std::uint32_t>(sources_.size());
      sources_.push_back({index(fabric.leaf(t))});
    }
    auto& [s, runs, destinations] = sources_[at];
    if (runs.empty() || runs.back().first + runs.back().count != num_terminals_) {
      runs.push_back({num_terminals_, 0});
    }
    ++runs.back().count;
    for (std::uint32_t offset = 0; offset < addresses_; ++offset) {
      destinations.push_back({tables.destination(t, offset), num_terminals_, flows.kind(t)});
    }
    number_[index(t)] = num_terminals_++;
  }
  find_sent(fabric, flows);
}

void EvenNet::find_sent(const Fabric& fabric, const FlowSources& flows) {
  units_in_one_ = flows.units_in_one();
  num_kinds_ = flows.num_kinds();
  sent_.assign(num_kinds_ * sources_.size(), 0);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (number_[index(t)] == kNobody) continue;
    const std::uint32_t source = source_at_[index(fabric.leaf(t))];
    for (std::uint32_t kind = 0; kind < num_kinds_; ++kind) {
      sent_[kind * sources_.size() + source] += flows.units(flows.kind(t), kind);
    }
  }
}

void EvenNet::find_senders(const Fabric& fabric, std::span<const PairDemand> demands) {
  const auto number = [&](Terminal t) {
    if (number_[index(t)] != kNobody) return number_[index(t)];
    throw InputError(fmt::format("the traffic names {}, which does not count",
                                 port_name(fabric, fabric.terminal_channel(t))));
  };
  struct Pair {
    std::uint32_t destination, source;
    std::uint64_t weight;
  };
  std::vector<Pair> pairs;
  for (const PairDemand& demand : demands) {
    number(demand.source);
    pairs.push_back(
        {number(demand.destination), source_at_[index(fabric.leaf(demand.source))], demand.amount});
  }
  std::ranges::sort(pairs, {}, [](const Pair& p) { return std::pair(p.destination, p.source); });
  first_sender_.assign(num_terminals_ + 1, 0);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool again = i > 0 && pairs[i].destination == pairs[i - 1].destination &&
                       pairs[i].source == pairs[i - 1].source;
    if (again) {
      senders_.back().weight += pairs[i].weight;
      continue;
    }
    senders_.push_back({pairs[i].source, pairs[i].weight});
    ++first_sender_[pairs[i].destination + 1];
  }
  for (std::size_t i = 1; i < first_sender_.size(); ++i) first_sender_[i] += first_sender_[i - 1];
}

SwitchSweep::SwitchSweep(std::span<const std::uint32_t> descending)
    : descending_(descending),
      place_(descending.size()),
      bits_((descending.size() + kWord - 1) / kWord) {
  for (std::uint32_t i = 0; i < descending.size(); ++i) {
    place_[descending[i]] = static_cast<std::uint32_t>(descending.size() - 1 - i);
  }
}

void count_loads(EvenNet& net, std::span<const std::uint32_t> descending,
                 const ForwardingTables& tables) {
  for (EvenChannel& channel : net.channel) channel.load = 0;
  RowTraffic traffic(net, descending);
  for (const EvenSource& source : net.sources()) {
    for (const EvenDestination& to : source.destinations) {
      traffic.follow(
          tables.row(to.destination).data(), source.at, to,
          [&](std::uint32_t slot, std::uint64_t flows) { net.channel[slot].load += flows; });
    }
  }
}

}  // namespace fatwood
