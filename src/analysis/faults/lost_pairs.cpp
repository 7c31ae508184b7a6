// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/faults/lost_pairs.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/parallel.hpp"
#include "routing/adaptive/choice_walk.hpp"
#include "routing/tables/destination_tree.hpp"
#include "topology/flow_sources.hpp"

namespace fatwood {

namespace {

// From which switches do packets to all addresses of an end port arrive? The working memory of one
// thread.
class Arrivals {
 public:
  Arrivals(const Model& model, const ForwardingTables& tables, const Routing* choices)
      : tables_(tables),
        tree_(model.fabric(), model.hop_map()),
        arriving_(model.fabric().num_switches()) {
    if (choices != nullptr) choices_.emplace(model.fabric(), model.hop_map(), *choices);
  }

  void follow(Terminal to) {
    std::ranges::fill(arriving_, 0U);
    for (std::uint32_t offset = 0; offset < addresses(); ++offset) {
      for (const std::uint32_t s : reached(tables_.destination(to, offset))) ++arriving_[s];
    }
  }
  bool from(Switch s) const { return arriving_[index(s)] == addresses(); }

 private:
  std::uint32_t addresses() const { return 1U << tables_.lmc(); }
  std::span<const std::uint32_t> reached(Destination destination) {
    if (choices_) {
      choices_->follow(destination);
      return choices_->order();
    }
    tree_.follow(tables_, destination);
    return tree_.reached();
  }

  const ForwardingTables& tables_;
  DestinationTree tree_;
  std::optional<ChoiceWalk> choices_;
  std::vector<std::uint32_t> arriving_;  // by switch: addresses that are reached
};

const Routing* choices_of(const Routing& routing) {
  return routing.sets.empty() ? nullptr : &routing;
}

}  // namespace

PortPairs::PortPairs(const Model& model)
    : group_(model.fabric().num_terminals(), 0),
      leaf_(model.fabric().num_terminals(), kNone<Switch>) {
  const Fabric& fabric = model.fabric();
  const FlowSources sources(model);
  using Key = std::pair<std::uint32_t, std::uint32_t>;  // kind, component
  std::map<Key, std::uint32_t> number;
  for (const Terminal t : model.adapters().all_terminals()) {
    leaf_[t] = fabric.leaf(t);
    if (leaf_[t] == kNone<Switch>) continue;
    ports_.push_back(t);
    const Key key{sources.kind(t), model.components().component[leaf_[t]]};
    group_[t] = number.emplace(key, static_cast<std::uint32_t>(number.size())).first->second;
  }
  on_.assign(number.size(), Table<Switch, std::uint32_t>(fabric.num_switches(), 0));
  senders_.resize(number.size());
  for (const auto& [key, group] : number) {
    for (const Terminal t : ports_) {
      if (model.components().component[leaf_[t]] != key.second ||
          sources.units(sources.kind(t), key.first) == 0) {
        continue;
      }
      senders_[group].push_back(t);
      ++on_[group][leaf_[t]];
    }
    connected_.push_back(0);
  }
  for (std::size_t group = 0; group < senders_.size(); ++group) {
    connected_[group] = senders_[group].size() - 1;
  }
}

std::uint64_t PortPairs::connected() const {
  std::uint64_t all = 0;
  for (const Terminal t : ports_) all += connected(t);
  return all;
}

std::uint64_t PortPairs::intact(const Model& after, const Routing& routing,
                                const Table<Terminal, Terminal>& now, int threads) const {
  const Fabric& fabric = after.fabric();
  const auto leaf_now = [&](Terminal t) {
    return now[t] == kNone<Terminal> ? kNone<Switch> : fabric.leaf(now[t]);
  };
  // By group: the switches with ports that send to it, and their number.
  std::vector<std::map<Switch, std::uint64_t>> on(senders_.size());
  for (std::size_t group = 0; group < senders_.size(); ++group) {
    for (const Terminal t : senders_[group]) {
      if (leaf_now(t) != kNone<Switch>) ++on[group][leaf_now(t)];
    }
  }
  struct Worker {
    Arrivals arrivals;
    std::uint64_t pairs = 0;
  };
  const auto workers = parallel_with(
      Worker{Arrivals(after, routing.tables, choices_of(routing))}, ports_.size(), threads,
      [&](std::size_t i, Worker& worker) {
        const Terminal to = ports_[i];
        const Switch home = leaf_now(to);
        if (home == kNone<Switch>) return;
        worker.arrivals.follow(now[to]);
        for (const auto& [s, senders] : on[group_[to]]) {
          if (worker.arrivals.from(s)) worker.pairs += senders - (s == home ? 1 : 0);
        }
      },
      16);
  std::uint64_t pairs = 0;
  for (const Worker& worker : workers) pairs += worker.pairs;
  return pairs;
}

std::uint64_t PortPairs::intact(const Model& model, const Routing& routing, int threads) const {
  Table<Terminal, Terminal> same(group_.size());
  for (const Terminal t : ids<Terminal>(same.size())) same[t] = t;
  return intact(model, routing, same, threads);
}

LostPairs::LostPairs(const Model& model, const ForwardingTables& tables, const Routing* choices,
                     int threads)
    : pairs_(model), lost_(model.fabric().num_terminals()), at_(model.fabric().num_switches(), 0) {
  const Fabric& fabric = model.fabric();
  const std::vector<Terminal>& ports = pairs_.ports();
  std::vector<Switch> leaves;
  for (const std::uint32_t s : sending_switches(model)) leaves.push_back(Switch{s});
  struct Worker {
    Arrivals arrivals;
    Table<Switch, std::uint64_t> at;
  };
  const auto workers = parallel_with(
      Worker{Arrivals(model, tables, choices), at_}, ports.size(), threads,
      [&](std::size_t i, Worker& worker) {
        const Terminal to = ports[i];
        worker.arrivals.follow(to);
        for (const Switch s : leaves) {
          const std::uint64_t pairs = pairs_.senders(s, to);
          if (pairs == 0) continue;
          if (!worker.arrivals.from(s)) {
            lost_[to].push_back(s);
            continue;
          }
          worker.at[s] += pairs;
          if (s != fabric.leaf(to)) worker.at[fabric.leaf(to)] += pairs;
        }
      },
      16);
  for (const Worker& worker : workers) {
    for (const Switch s : ids<Switch>(at_.size())) at_[s] += worker.at[s];
  }
  for (const Terminal to : ports) {
    for (const Switch s : lost_[to]) now_ += pairs_.senders(s, to);
  }
}

}  // namespace fatwood
