// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/faults/choice_cost.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "analysis/faults/changed_load.hpp"
#include "core/sort_unique.hpp"

namespace fatwood {

namespace {

// A queue of switches in order of their place, each once.
template <class Order>
class SwitchQueue {
 public:
  explicit SwitchQueue(std::size_t switches) : queued_(switches) {}
  void clear() { queued_.clear(); }
  void push(std::uint32_t place, Switch s) {
    if (queued_.touched(index(s))) return;
    queued_.at(index(s)) = 1;
    queue_.emplace(place, s);
  }
  bool empty() const { return queue_.empty(); }
  Switch pop() {
    const Switch s = queue_.top().second;
    queue_.pop();
    return s;
  }

 private:
  using Place = std::pair<std::uint32_t, Switch>;
  Scratch<std::uint8_t> queued_;
  std::priority_queue<Place, std::vector<Place>, Order> queue_;
};

// The working memory of one thread.
class ChoiceEvaluator {
 public:
  ChoiceEvaluator(const StandingChoices& standing, const LostPairs& lost, const Lids& lids,
                  Safety safety)
      : standing_(standing),
        lost_pairs_(lost),
        safety_(safety),
        fabric_(standing.model.fabric()),
        tables_(standing.routing.tables),
        lids_(lids),
        changed_(standing.flows, standing.most, standing.order),
        blocks_(fabric_.num_switches(), lid_block(lids.highest()) + 1),
        dead_(fabric_.num_channels()),
        lost_(fabric_.num_switches()),
        change_(fabric_.num_switches()),
        away_(fabric_.num_switches()),
        towards_(fabric_.num_switches()) {}

  FaultCost evaluate(const Fault& fault) {
    cost_ = {};
    cost_.transition = safety_;
    gone_ = fault.removed;
    changed_.clear();
    blocks_.clear();
    losing_.clear();
    find_dead(fault);
    for (std::size_t c = 0; c < standing_.classes.size(); ++c) {
      if (gone_ != kNone<Switch> && standing_.home(c) == gone_) {
        take_class(c);
      } else {
        change_class(c);
      }
    }
    cost_.pairs_lost = lost_pairs_.now();
    if (gone_ != kNone<Switch>) take_hosts();
    count_lost();
    const AllToAllLoad load = changed_.most_loaded(peers());
    cost_.mload = load.mload;
    cost_.most_loaded = load.most_loaded;
    cost_.gigabits = load.gigabits;
    return cost_;
  }

 private:
  void find_dead(const Fault& fault) {
    dead_.clear();
    ends_.clear();
    const auto kill = [&](Channel c) {
      dead_.at(index(c)) = 1;
      if (fabric_.as_switch(fabric_.owner(c)) != gone_) ends_.push_back(c);
    };
    const auto kill_cable = [&](Channel c) {
      kill(c);
      kill(fabric_.peer(c));
    };
    for (const Channel c : fault.cut) kill_cable(c);
    if (gone_ == kNone<Switch>) return;
    for (const SwitchLink& link : fabric_.links(gone_)) kill_cable(link.channel);
  }

  Channel channel(Switch s, Port port) const { return fabric_.channel(fabric_.node(s), port); }
  Switch next(Switch s, Port port) const { return fabric_.next_switch(channel(s, port)); }
  bool is_dead(Switch s, Port port) const { return dead_.touched(index(channel(s, port))); }
  // Whether packets of the class that leave by this port still arrive.
  bool leads_on(std::size_t c, Switch s, Port port) const {
    return standing_.delivers(c, s, port) ||
           (!is_dead(s, port) && !lost_.touched(index(next(s, port))));
  }
  bool may_use(std::size_t c, Switch s, Port port) const {
    return standing_.place[standing_.at(c, s)] != StandingChoices::kNowhere &&
           std::ranges::binary_search(standing_.ports(c, s), port);
  }

  void change_class(std::size_t c) {
    lost_.clear();
    away_.clear();
    towards_.clear();
    change_.clear();
    const auto place = [&](Switch s) { return standing_.place[standing_.at(c, s)]; };
    if (gone_ != kNone<Switch> && place(gone_) != StandingChoices::kNowhere) lose(c, gone_);
    for (const Channel end : ends_) {
      const Switch s = fabric_.as_switch(fabric_.owner(end));
      if (may_use(c, s, fabric_.port(end))) away_.push(place(s), s);
    }
    while (!away_.empty()) {
      const Switch s = away_.pop();
      towards_.push(place(s), s);
      count_entries(c, s);
      const auto leads = [&](Port port) { return leads_on(c, s, port); };
      if (std::ranges::any_of(standing_.ports(c, s), leads)) continue;
      lose(c, s);
      for (const auto& [out, from, port] : fabric_.links(s)) {
        if (from != gone_ && may_use(c, from, fabric_.port(fabric_.peer(out)))) {
          away_.push(place(from), from);
        }
      }
    }
    while (!towards_.empty()) divide_again(c, towards_.pop());
  }

  // Marks that no packet of the class arrives from this switch any more.
  void lose(std::size_t c, Switch s) {
    lost_.at(index(s)) = 1;
    towards_.push(standing_.place[standing_.at(c, s)], s);
    for (const Destination destination : standing_.of_hosts[c]) {
      const Terminal to = tables_.terminal(destination);
      const std::uint32_t kind = standing_.sources.kind(to);
      changed_.add(fabric_.peer(fabric_.terminal_channel(to)),
                   -static_cast<std::int64_t>(standing_.sources.on(to)[s]) * standing_.units);
      for (const Channel up : fabric_.channels(fabric_.node(s))) take_sender(up, kind);
      if (s != gone_) losing_.emplace_back(to, s);
    }
  }
  // Removes what the host at this port of a switch sent to an address of this kind.
  void take_sender(Channel port, std::uint32_t kind) {
    if (!fabric_.connected(port)) return;
    const Terminal t = fabric_.terminal_at(fabric_.peer(port));
    if (t == kNone<Terminal> || !standing_.model.adapters().sends(t)) return;
    const std::uint64_t units = standing_.sources.units(standing_.sources.kind(t), kind);
    changed_.add(fabric_.terminal_channel(t), -static_cast<std::int64_t>(units) * standing_.units);
  }

  // A group must be written if one of its ports with a cable no longer leads to the destination; an
  // entry, if its default port no longer does.
  void count_entries(std::size_t c, Switch s) {
    const auto leads = [&](Port port) { return leads_on(c, s, port); };
    const bool group = std::ranges::any_of(
        standing_.ports(c, s), [&](Port port) { return !is_dead(s, port) && !leads(port); });
    for (const Destination destination : standing_.classes.of(c)) {
      const Port own = tables_.at(destination, s);
      if (!group && (own == kNoRoute || leads(own))) continue;
      ++cost_.entries;
      if (blocks_.add(s, lid_block(lids_.of(tables_, destination)))) ++cost_.blocks;
    }
  }

  // Each of `ports` gets its share of a flow: even_split.hpp.
  static std::int64_t share(std::int64_t flow, std::size_t ports, std::size_t k) {
    const auto [each, left] = std::div(flow, static_cast<std::int64_t>(ports));
    return each + (static_cast<std::int64_t>(k) < left ? 1 : 0);
  }
  void divide_again(std::size_t c, Switch s) {
    const std::span<const Port> ports = standing_.ports(c, s);
    const std::int64_t before = standing_.arriving[standing_.at(c, s)];
    const std::int64_t now = lost_.touched(index(s)) ? 0 : before + change_.get(index(s));
    const auto leads = [&](Port port) { return leads_on(c, s, port); };
    const auto left = static_cast<std::size_t>(std::ranges::count_if(ports, leads));
    std::size_t taken = 0;
    for (std::size_t k = 0; k < ports.size(); ++k) {
      if (standing_.delivers(c, s, ports[k])) continue;
      std::int64_t flow = -share(before, ports.size(), k);
      if (now != 0 && leads(ports[k])) flow += share(now, left, taken++);
      if (flow == 0) continue;
      changed_.add(channel(s, ports[k]), flow);
      const Switch to = next(s, ports[k]);
      change_.at(index(to)) += flow;
      towards_.push(standing_.place[standing_.at(c, to)], to);
    }
  }

  // Removes everything that was sent to the hosts of a lost switch.
  void take_class(std::size_t c) {
    if (standing_.of_hosts[c].empty()) return;
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      if (standing_.place[standing_.at(c, s)] == StandingChoices::kNowhere) continue;
      const std::int64_t flow = standing_.arriving[standing_.at(c, s)];
      const std::span<const Port> ports = standing_.ports(c, s);
      for (std::size_t k = 0; flow != 0 && k < ports.size(); ++k) {
        if (standing_.delivers(c, s, ports[k])) continue;
        changed_.add(channel(s, ports[k]), -share(flow, ports.size(), k));
      }
      for (const Destination destination : standing_.of_hosts[c]) {
        const std::uint32_t kind = standing_.sources.kind(tables_.terminal(destination));
        for (const Channel up : fabric_.channels(fabric_.node(s))) take_sender(up, kind);
      }
    }
  }
  void take_hosts() {
    for (const Terminal t : standing_.model.adapters().all_terminals()) {
      if (fabric_.leaf(t) != gone_) continue;
      changed_.take_all(fabric_.terminal_channel(t));
      changed_.take_all(fabric_.peer(fabric_.terminal_channel(t)));
    }
    cost_.pairs_lost += lost_pairs_.at(gone_);
  }
  // Groups only shrink: what was lost is still lost.
  void count_lost() {
    sort_unique(losing_);  // a pair may lose several addresses
    for (const auto& [to, s] : losing_) {
      if (std::ranges::binary_search(lost_pairs_.from(to), s)) continue;
      cost_.pairs_lost += lost_pairs_.pairs().senders(s, to);
    }
  }
  std::int64_t peers() const {
    if (losing_.empty() && cost_.pairs_lost == lost_pairs_.now()) return standing_.peers;
    return most_peers(standing_.model, [&](Channel c) { return changed_.flow_on(c); });
  }

  const StandingChoices& standing_;
  const LostPairs& lost_pairs_;
  Safety safety_;
  const Fabric& fabric_;
  const ForwardingTables& tables_;
  const Lids& lids_;
  ChangedLoad changed_;
  WrittenBlocks blocks_;
  Scratch<std::uint8_t> dead_;  // channels
  std::vector<Channel> ends_;   // dead channels out of switches that stay
  // Of one class:
  Scratch<std::uint8_t> lost_;        // switches without a route
  Scratch<std::int64_t> change_;      // of the flow that arrives at a switch
  SwitchQueue<std::greater<>> away_;  // the nearest to the destination first
  SwitchQueue<std::less<>> towards_;  // the furthest first
  FaultCost cost_;
  Switch gone_ = kNone<Switch>;
  std::vector<std::pair<Terminal, Switch>> losing_;  // end ports, and switches that lose an address
};

}  // namespace

ChoiceCosts::ChoiceCosts(const Model& model, const Routing& routing, const Lids& lids,
                         bool old_is_free, int threads)
    : lids_(lids),
      safety_(old_is_free ? Safety::kAnyOrder : Safety::kNone),
      threads_(threads),
      standing_(model, routing, threads),
      lost_(model, routing.tables, &routing, threads) {}

FaultCost ChoiceCosts::now() const {
  return ChoiceEvaluator(standing_, lost_, lids_, safety_).evaluate({});
}

std::vector<FaultCost> ChoiceCosts::of(std::span<const Fault> faults, const Progress& progress,
                                       const WorkShare& share) const {
  return evaluate_all<ChoiceEvaluator>(faults, threads_, progress, share, standing_, lost_, lids_,
                                       safety_);
}

}  // namespace fatwood
