// SPDX-License-Identifier: BSD-3-Clause
// Bottleneck rates of adaptive tables and of source routes.

#include <algorithm>

#include "analysis/rates/ranked_links.hpp"
#include "core/parallel.hpp"
#include "routing/adaptive/choice_walk.hpp"

namespace fatwood {

namespace {

using Rank = RankedLinks::Rank;

std::vector<Adapter> all_adapters(const Model& model) {
  std::vector<Adapter> all;
  for (const Adapter a : ids<Adapter>(model.adapters().size())) all.push_back(a);
  return all;
}

// Of adaptive tables, destination by destination.
class ChoiceRanks {
 public:
  ChoiceRanks(const Model& model, const Routing& routing, const RankedLinks& ranked)
      : model_(model),
        routing_(routing),
        ranked_(ranked),
        walk_(model.fabric(), model.hop_map(), routing),
        pairs_(ranked.size()) {}

  void add(Adapter to, std::span<const Adapter> hosts) {
    const Fabric& fabric = model_.fabric();
    const auto ports = model_.adapters().terminals(to);
    lowest_.resize(ports.size());
    for (std::size_t i = 0; i < ports.size(); ++i) lowest_[i] = ranks_to(ports[i]);
    for (const Adapter from : hosts) {
      if (from == to) continue;
      Rank lowest = RankedLinks::kNone;
      const auto meet = [&](Terminal sends, Terminal receives) {
        const Switch leaf = fabric.leaf(sends);
        if (leaf == kNone<Switch>) return;
        const Rank path = lowest_[index(receives) - index(ports.front())][index(leaf)];
        if (path == RankedLinks::kNone) return;
        lowest = std::min({lowest, path, ranked_.rank(fabric.terminal_channel(sends))});
      };
      const auto others = model_.adapters().terminals(from);
      if (others.size() == 1 && ports.size() == 1) {
        meet(others.front(), ports.front());
      } else {
        for (const auto& [s, d] : model_.adapters().port_pairs(from, to)) meet(s, d);
      }
      if (lowest != RankedLinks::kNone) ++pairs_[lowest];
    }
  }

  std::span<const std::uint64_t> pairs() const { return pairs_; }

 private:
  // By switch: the lowest rank that packets to this port may meet; kNone where some are lost.
  std::vector<Rank> ranks_to(Terminal to) {
    const Fabric& fabric = model_.fabric();
    std::vector<Rank> ranks(fabric.num_switches(), RankedLinks::kNone);
    for (std::uint32_t offset = 0; offset < (1U << routing_.tables.lmc()); ++offset) {
      walk_.follow(routing_.tables.target(to, offset));
      std::vector<Rank> address(fabric.num_switches(), RankedLinks::kNone);
      for (const std::uint32_t s : walk_.order()) {
        for (const Port port : walk_.ports(s)) {
          Rank link = ranked_.rank(fabric.channel(fabric.node(Switch{s}), port));
          if (!walk_.delivers(s, port)) link = std::min(link, address[walk_.hop(s, port).next()]);
          address[s] = std::min(address[s], link);
        }
        ranks[s] = std::min(ranks[s], address[s]);
      }
    }
    return ranks;
  }

  const Model& model_;
  const Routing& routing_;
  const RankedLinks& ranked_;
  ChoiceWalk walk_;
  std::vector<std::vector<Rank>> lowest_;  // by port of the destination in hand
  std::vector<std::uint64_t> pairs_;
};

}  // namespace

BottleneckRates rates_of_choices(const Model& model, const Routing& routing, int threads) {
  const std::vector<Adapter> hosts = all_adapters(model);
  const ChannelUse use = find_channel_use(model, routing, threads);
  const RankedLinks ranked(model, use.flows);
  std::vector<ChoiceRanks> workers(static_cast<std::size_t>(thread_count(threads)),
                                   ChoiceRanks(model, routing, ranked));
  parallel_for(
      hosts.size(), threads,
      [&](std::size_t item, int thread) {
        workers[static_cast<std::size_t>(thread)].add(hosts[item], hosts);
      },
      16);
  std::vector<std::uint64_t> pairs(ranked.size());
  for (const ChoiceRanks& worker : workers) {
    for (std::size_t r = 0; r < pairs.size(); ++r) pairs[r] += worker.pairs()[r];
  }
  return summarise(model, ranked, pairs, hosts.size(), loads_of(use));
}

// A pair's path is that of its switches, and all ports of both take part.
BottleneckRates rates_of_source_routes(const Model& model, const Routing& routing, int threads) {
  const Fabric& fabric = model.fabric();
  const ChannelUse use = find_channel_use(model, routing, threads);
  const RankedLinks ranked(model, use.flows);
  std::vector<std::uint64_t> pairs(ranked.size());
  Table<Switch, std::vector<Rank>> lowest(fabric.num_switches());  // by destination switch, source
  const auto lowest_to = [&](Switch to) -> const std::vector<Rank>& {
    std::vector<Rank>& row = lowest[to];
    if (!row.empty()) return row;
    row.assign(fabric.num_switches(), RankedLinks::kNone);
    for (const Switch from : ids<Switch>(fabric.num_switches())) {
      if (from == to) continue;
      for (const Channel c : routing.source_routes.at(from, to)) {
        row[index(from)] = std::min(row[index(from)], ranked.rank(c));
      }
    }
    return row;
  };
  const std::vector<Adapter> all = all_adapters(model);
  for (const Adapter to : all) {
    for (const Adapter from : all) {
      if (from == to) continue;
      Rank least = RankedLinks::kNone;
      const auto meet = [&](Terminal sends, Terminal receives) {
        const Switch a = fabric.leaf(sends);
        const Switch b = fabric.leaf(receives);
        if (a == kNone<Switch> || b == kNone<Switch>) return;
        if (a != b && routing.source_routes.at(a, b).empty()) return;
        const Channel out = fabric.terminal_channel(sends);
        const Channel in = fabric.peer(fabric.terminal_channel(receives));
        least = std::min({least, ranked.rank(out), ranked.rank(in)});
        if (a != b) least = std::min(least, lowest_to(b)[index(a)]);
      };
      const auto ports = model.adapters().terminals(from);
      if (ports.size() == 1 && model.adapters().ports(to) == 1) {
        meet(ports.front(), model.adapters().terminals(to).front());
      } else {
        for (const auto& [s, d] : model.adapters().port_pairs(from, to)) meet(s, d);
      }
      if (least != RankedLinks::kNone) ++pairs[least];
    }
  }
  return summarise(model, ranked, pairs, all.size(), loads_of(use));
}

}  // namespace fatwood
