// SPDX-License-Identifier: BSD-3-Clause
// Bottleneck rates of adaptive tables and of source routes.

#include <algorithm>

#include "analysis/rates/ranked_links.hpp"
#include "core/parallel.hpp"
#include "routing/adaptive/choice_walk.hpp"
#include "routing/adaptive/destination_classes.hpp"

namespace fatwood {

namespace {

using Rank = RankedLinks::Rank;

std::vector<Adapter> all_adapters(const Model& model) {
  std::vector<Adapter> all;
  for (const Adapter a : ids<Adapter>(model.adapters().size())) all.push_back(a);
  return all;
}

// Rates of adaptive tables, destination by destination. Ports of one class
// (destination_classes.hpp) share the walk: only the last link, to the port itself, differs.
class ChoiceRanks {
 public:
  ChoiceRanks(const Model& model, const Routing& routing, const RankedLinks& ranked,
              const Table<Destination, std::uint32_t>& class_of,
              std::span<const AdapterGroup> groups)
      : adapters_(model.adapters()),
        fabric_(model.fabric()),
        tables_(routing.tables),
        ranked_(ranked),
        class_of_(class_of),
        groups_(groups),
        walk_(fabric_, model.hop_map(), routing),
        pairs_(ranked.size()) {}

  // Of hosts with one port each: pairs with this destination.
  void add(Adapter to) {
    const Terminal t = adapters_.terminals(to).front();
    if (paths_.empty()) paths_.resize(1);
    find_paths(t, paths_.front());
    const std::vector<Rank>& ranks = paths_.front().ranks;
    const Rank in = ranked_.rank(fabric_.peer(fabric_.terminal_channel(t)));
    const Switch home = fabric_.leaf(t);
    const Rank own = ranked_.rank(fabric_.terminal_channel(t));
    for (const AdapterGroup& group : groups_) {
      const Rank path = ranks[index(group.leaf)];
      // Nobody sends to itself.
      const bool mine = group.leaf == home && group.rank == own;
      const std::uint64_t senders = group.adapters - (mine ? 1 : 0);
      if (path != RankedLinks::kNone && senders != 0) {
        pairs_[std::min({path, group.rank, in})] += senders;
      }
    }
  }

  void add(Adapter to, std::span<const Adapter> hosts) {
    const auto ports = adapters_.terminals(to);
    if (paths_.size() < ports.size()) paths_.resize(ports.size());
    for (std::size_t i = 0; i < ports.size(); ++i) find_paths(ports[i], paths_[i]);
    for (const Adapter from : hosts) {
      if (from == to) continue;
      Rank lowest = RankedLinks::kNone;
      const auto meet = [&](Terminal sends, Terminal receives) {
        const Switch leaf = fabric_.leaf(sends);
        if (leaf == kNone<Switch>) return;
        const Rank path = paths_[index(receives) - index(ports.front())].ranks[index(leaf)];
        if (path == RankedLinks::kNone) return;
        const Channel out = fabric_.terminal_channel(sends);
        const Channel in = fabric_.peer(fabric_.terminal_channel(receives));
        lowest = std::min({lowest, path, ranked_.rank(out), ranked_.rank(in)});
      };
      const auto others = adapters_.terminals(from);
      if (others.size() == 1 && ports.size() == 1) {
        meet(others.front(), ports.front());
      } else {
        for (const auto& [s, d] : adapters_.port_pairs(from, to)) meet(s, d);
      }
      if (lowest != RankedLinks::kNone) ++pairs_[lowest];
    }
  }

  std::span<const std::uint64_t> pairs() const { return pairs_; }

 private:
  // The paths to the switch of one port of the destination.
  struct Paths {
    std::vector<std::uint32_t> classes;  // of the port's addresses
    // By switch: the lowest rank on any path that packets may take; kNone if some packets are lost,
    // kFree at the destination's switch.
    std::vector<Rank> ranks;
  };
  static constexpr Rank kFree = RankedLinks::kNone - 1;

  void find_paths(Terminal to, Paths& paths) {
    classes_.clear();
    for (std::uint32_t offset = 0; offset < (1U << tables_.lmc()); ++offset) {
      classes_.push_back(class_of_[tables_.destination(to, offset)]);
    }
    if (classes_ == paths.classes) return;
    paths.classes = classes_;
    paths.ranks.assign(fabric_.num_switches(), RankedLinks::kNone);
    for (std::uint32_t offset = 0; offset < (1U << tables_.lmc()); ++offset) {
      walk_.follow(tables_.destination(to, offset));
      address_.assign(fabric_.num_switches(), RankedLinks::kNone);
      for (const std::uint32_t s : walk_.order()) {
        for (const Port port : walk_.ports(s)) {
          Rank path = kFree;
          if (!walk_.delivers(s, port)) {
            path = std::min(ranked_.rank(fabric_.channel(fabric_.node(Switch{s}), port)),
                            address_[walk_.hop(s, port).next()]);
          }
          address_[s] = std::min(address_[s], path);
        }
        paths.ranks[s] = std::min(paths.ranks[s], address_[s]);
      }
    }
  }

  const Adapters& adapters_;
  const Fabric& fabric_;
  const ForwardingTables& tables_;
  const RankedLinks& ranked_;
  const Table<Destination, std::uint32_t>& class_of_;
  std::span<const AdapterGroup> groups_;
  ChoiceWalk walk_;
  std::vector<Paths> paths_;  // by port of the destination in hand
  std::vector<std::uint32_t> classes_;
  std::vector<Rank> address_;
  std::vector<std::uint64_t> pairs_;
};

}  // namespace

BottleneckRates rates_of_choices(const Model& model, const Routing& routing, const ChannelUse& use,
                                 int threads) {
  std::vector<Adapter> hosts = all_adapters(model);
  const RankedLinks ranked(model, use.flows);
  const Table<Destination, std::uint32_t> class_of =
      destination_classes(model.fabric(), routing, threads).class_of();
  // Class by class, so that each is followed once.
  std::ranges::stable_sort(hosts, {}, [&](Adapter a) {
    return class_of[routing.tables.destination(model.adapters().terminals(a).front())];
  });
  const bool one_port_each = model.adapters().one_port_each();
  const std::vector<AdapterGroup> groups =
      one_port_each ? adapter_groups(model, ranked, hosts) : std::vector<AdapterGroup>();
  const auto workers = parallel_with(
      ChoiceRanks(model, routing, ranked, class_of, groups), hosts.size(), threads,
      [&](std::size_t item, ChoiceRanks& worker) {
        if (one_port_each) {
          worker.add(hosts[item]);
        } else {
          worker.add(hosts[item], hosts);
        }
      },
      16);
  std::vector<std::uint64_t> pairs(ranked.size());
  for (const ChoiceRanks& worker : workers) {
    for (std::size_t r = 0; r < pairs.size(); ++r) pairs[r] += worker.pairs()[r];
  }
  return summarise(model, ranked, pairs, hosts.size(), loads_of(use));
}

// A pair's path is that of its switches, and all ports of both take part.
BottleneckRates rates_of_source_routes(const Model& model, const Routing& routing,
                                       const ChannelUse& use) {
  const Fabric& fabric = model.fabric();
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
  const Adapters& adapters = model.adapters();
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
      const auto ports = adapters.terminals(from);
      if (ports.size() == 1 && adapters.ports(to) == 1) {
        meet(ports.front(), adapters.terminals(to).front());
      } else {
        for (const auto& [s, d] : adapters.port_pairs(from, to)) meet(s, d);
      }
      if (least != RankedLinks::kNone) ++pairs[least];
    }
  }
  return summarise(model, ranked, pairs, all.size(), loads_of(use));
}

}  // namespace fatwood
