// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rates/bottleneck.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "analysis/load/channel_use.hpp"
#include "analysis/rates/ranked_links.hpp"
#include "core/parallel.hpp"
#include "routing/algebraic/tables.hpp"
#include "routing/tables/destination_tree.hpp"

namespace fatwood {

Table<Terminal, std::uint8_t> ports_of(const Model& model, std::span<const Adapter> adapters) {
  Table<Terminal, std::uint8_t> takes_part(model.fabric().num_terminals(), 0);
  for (const Adapter adapter : adapters) {
    for (const Terminal t : model.adapters().terminals(adapter)) takes_part[t] = 1;
  }
  return takes_part;
}

Table<Terminal, std::uint8_t> ports_of_all(const Model& model) {
  Table<Terminal, std::uint8_t> takes_part(model.fabric().num_terminals(), 0);
  for (const Terminal t : model.adapters().all_terminals()) takes_part[t] = 1;
  return takes_part;
}

namespace {

using Rank = RankedLinks::Rank;

std::vector<Adapter> hosts_in(const Model& model, const Table<Terminal, std::uint8_t>& takes_part) {
  std::vector<Adapter> adapters;
  for (const Adapter adapter : ids<Adapter>(model.adapters().size())) {
    if (takes_part[model.adapters().terminals(adapter).front()] != 0) adapters.push_back(adapter);
  }
  return adapters;
}

// For hosts with one port each.
class TableRanks {
 public:
  TableRanks(const Model& model, const ForwardingTables& tables, const RankedLinks& ranked,
             std::span<const AdapterGroup> groups)
      : fabric_(model.fabric()),
        tables_(tables),
        ranked_(ranked),
        groups_(groups),
        tree_(model.fabric(), model.hop_map()),
        lowest_(model.fabric().num_switches()),
        address_(model.fabric().num_switches()),
        pairs_(ranked.size()) {
    // Groups are in order of switches.
    for (const AdapterGroup& group : groups) {
      if (leaves_.empty() || leaves_.back() != index(group.leaf)) {
        leaves_.push_back(index(group.leaf));
      }
    }
  }

  // Counts the pairs with this destination.
  void add(Terminal to) {
    std::ranges::fill(lowest_, RankedLinks::kNone);
    std::uint32_t reached = 0;
    for (std::uint32_t offset = 0; offset < (1U << tables_.lmc()); ++offset) {
      if (follow(tables_.destination(to, offset))) ++reached;
    }
    const Switch home = fabric_.leaf(to);
    if (reached == 0 || home == kNone<Switch>) return;
    for (const AdapterGroup& group : groups_) {
      const Rank path = lowest_[index(group.leaf)];
      if (path != RankedLinks::kNone) pairs_[std::min(path, group.rank)] += group.adapters;
    }
    // Nobody sends to itself. A host that nobody sends to was not counted.
    const Rank own = ranked_.rank(fabric_.terminal_channel(to));
    if (lowest_[index(home)] != RankedLinks::kNone) --pairs_[std::min(lowest_[index(home)], own)];
  }

  std::span<const std::uint64_t> pairs() const { return pairs_; }

 private:
  bool follow(Destination destination) {
    tree_.follow_from(tables_, destination, leaves_);
    const auto reached = tree_.reached();
    const auto row = tables_.row(destination);
    for (const std::uint32_t s : reached) {
      const Rank link = ranked_.rank(fabric_.channel(fabric_.node(Switch{s}), row[s]));
      const Hop hop = tree_.hop(s);
      address_[s] = hop.to_switch() ? std::min(link, address_[hop.next()]) : link;
      lowest_[s] = std::min(lowest_[s], address_[s]);
    }
    return !reached.empty();
  }

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  const RankedLinks& ranked_;
  std::span<const AdapterGroup> groups_;
  std::vector<std::uint32_t> leaves_;  // switches of the groups
  DestinationTree tree_;
  std::vector<Rank> lowest_;   // by switch: on the way to the terminal in hand
  std::vector<Rank> address_;  // the same, to one of its addresses
  std::vector<std::uint64_t> pairs_;
};

BottleneckRates rates_of_tables(const Model& model, const ForwardingTables& tables,
                                const ChannelUse& use, std::span<const Adapter> adapters,
                                int threads) {
  const RankedLinks ranked(model, use.flows);
  const std::vector<AdapterGroup> groups = adapter_groups(model, ranked, adapters);
  std::vector<TableRanks> workers(static_cast<std::size_t>(thread_count(threads)),
                                  TableRanks(model, tables, ranked, groups));
  parallel_for(
      adapters.size(), threads,
      [&](std::size_t item, int thread) {
        workers[static_cast<std::size_t>(thread)].add(
            model.adapters().terminals(adapters[item]).front());
      },
      16);
  std::vector<std::uint64_t> pairs(ranked.size());
  for (const TableRanks& worker : workers) {
    for (std::size_t r = 0; r < pairs.size(); ++r) pairs[r] += worker.pairs()[r];
  }
  return summarise(model, ranked, pairs, adapters.size(), loads_of(use));
}

// Of any paths that can be listed.
BottleneckRates rates_of_paths(const Model& model, const PathSource& paths,
                               std::span<const Adapter> adapters, int threads) {
  Traffic traffic{model.adapters().size(), 1, {}};
  for (const Adapter from : adapters) {
    for (const Adapter to : adapters) {
      if (from == to) continue;
      if (paths.algebraic() == nullptr && paths.paths(from, to).empty()) continue;
      traffic.flows.push_back({from, to, 1});
    }
  }
  LinkLoads flows = link_loads(model, paths, traffic, threads, Weighing::kFlows);
  const RankedLinks ranked(model, flows.units);
  std::vector<std::vector<std::uint64_t>> part(static_cast<std::size_t>(thread_count(threads)),
                                               std::vector<std::uint64_t>(ranked.size()));
  parallel_for(
      traffic.flows.size(), threads,
      [&](std::size_t item, int thread) {
        Rank lowest = RankedLinks::kNone;
        const PathList list =
            paths.paths(traffic.flows[item].source, traffic.flows[item].destination);
        for (const Channel c : list.all()) lowest = std::min(lowest, ranked.rank(c));
        if (lowest != RankedLinks::kNone) ++part[static_cast<std::size_t>(thread)][lowest];
      },
      256);
  std::vector<std::uint64_t> pairs(ranked.size());
  for (const auto& mine : part) {
    for (std::size_t r = 0; r < pairs.size(); ++r) pairs[r] += mine[r];
  }
  return summarise(model, ranked, pairs, adapters.size(), std::move(flows));
}

// A tree of paths per destination is faster than a path per pair.
std::optional<ForwardingTables> as_tables(const Model& model, const AlgebraicRouting* routing,
                                          int threads) {
  if (routing == nullptr || routing->depends_on() != DependsOn::kDestination ||
      routing->most() != 1 || routing->space().u(1) != 1) {
    return std::nullopt;
  }
  const std::shared_ptr<const AlgebraicRouting> borrowed(routing, [](const auto*) {});
  return make_tables(model, borrowed, threads).routing.tables;
}

BottleneckRates with_unreachable(BottleneckRates rates) {
  const std::uint64_t number = rates.adapters;
  rates.unreachable = number == 0 ? 0 : number * (number - 1) - rates.pairs;
  return rates;
}

}  // namespace

BottleneckRates bottleneck_rates(const Model& model, const PathSource& paths,
                                 const Table<Terminal, std::uint8_t>& takes_part, int threads) {
  if (const Routing* adaptive = paths.adaptive()) {
    return with_unreachable(
        rates_of_choices(model, *adaptive, find_channel_use(model, *adaptive, threads), threads));
  }
  const std::vector<Adapter> hosts = hosts_in(model, takes_part);
  const std::optional<ForwardingTables> made = as_tables(model, paths.algebraic(), threads);
  const ForwardingTables* tables = made ? &*made : paths.tables();
  if (tables == nullptr) return with_unreachable(rates_of_paths(model, paths, hosts, threads));
  const ChannelUse use = find_channel_use(model, *tables, takes_part, threads);
  return with_unreachable(rates_of_tables(model, *tables, use, hosts, threads));
}

BottleneckRates bottleneck_rates(const Model& model, const Routing& routing, int threads) {
  if (!routing.sets.empty() || !routing.source_routes.empty() || model.adapters().one_port_each()) {
    return bottleneck_rates(model, routing, find_channel_use(model, routing, threads), threads);
  }
  const Table<Terminal, std::uint8_t> all = ports_of_all(model);
  return bottleneck_rates(model, *path_source(model, Routing(routing)), all, threads);
}

BottleneckRates bottleneck_rates(const Model& model, const Routing& routing, const ChannelUse& use,
                                 int threads) {
  if (!routing.sets.empty()) {
    return with_unreachable(rates_of_choices(model, routing, use, threads));
  }
  if (!routing.source_routes.empty()) {
    return with_unreachable(rates_of_source_routes(model, routing, use));
  }
  if (!model.adapters().one_port_each()) return bottleneck_rates(model, routing, threads);
  const std::vector<Adapter> hosts = hosts_in(model, ports_of_all(model));
  return with_unreachable(rates_of_tables(model, routing.tables, use, hosts, threads));
}

std::vector<Bottleneck> bottlenecks(const Model& model, const BottleneckRates& rates,
                                    const Evenness& evenness) {
  // Of each link: the cut that asks the most of it.
  Table<Channel, std::uint32_t> cut_of(model.fabric().num_channels(), Bottleneck::kNoCut);
  for (std::uint32_t i = 0; i < evenness.loads.size(); ++i) {
    const CutLoad& cut = evenness.loads[i];
    for (const Channel up : evenness.cuts[cut.share.cut].links) {
      const Channel c = cut.share.crossing == CutDirection::kOut ? up : model.fabric().peer(up);
      std::uint32_t& best = cut_of[c];
      if (best == Bottleneck::kNoCut || evenness.loads[best].least < cut.least) best = i;
    }
  }
  std::vector<Bottleneck> list;
  std::map<std::uint32_t, std::size_t> place;  // by cut
  for (const LimitingLink& link : rates.links) {
    const std::uint32_t cut = cut_of[link.link];
    std::size_t at = list.size();
    if (cut != Bottleneck::kNoCut) at = place.try_emplace(cut, at).first->second;
    if (at == list.size()) {
      list.push_back({cut, {}, 0, link.rate, 0});
      // The bound is about the most loaded link of the cut. It says nothing about this link if that
      // one is slower and limits no pair, because all its pairs are slower elsewhere.
      if (cut != Bottleneck::kNoCut) {
        const Fraction most = std::min(rates.port, rates.peers / evenness.loads[cut].least);
        if (link.rate <= most) list.back().best_possible = most;
      }
    }
    list[at].links.push_back(link.link);
    list[at].pairs += link.pairs;
  }
  return list;
}

}  // namespace fatwood
