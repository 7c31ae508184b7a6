// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/fill_fallback.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "routing/repair/table_order.hpp"
#include "routing/tables/destination_tree.hpp"

namespace fatwood {

namespace {

class Filling {
 public:
  Filling(const Model& model, const ForwardingTables& old, ForwardingTables tables,
          const KnownTables& known, std::optional<TableOrder> order)
      : fabric_(model.fabric()),
        graph_(model.port_graph()),
        map_(model.hop_map()),
        old_(old),
        tables_(std::move(tables)),
        known_(known),
        order_(std::move(order)),
        tree_(fabric_, map_),
        hops_(fabric_.num_switches()),
        level_(model.levels().level.data()),
        turning_(fabric_.num_switches()),
        needed_(fabric_.num_switches()),
        terminals_(terminals_on(fabric_)),
        use_(known.use()) {}

  Filled run(const FillOrder& order) {
    const auto all = ids<Destination>(tables_.num_destinations());
    for (const Destination destination : all) {
      if (order.hosts_first && !tables_.is_switch(destination)) fill(destination, true);
    }
    for (const Destination destination : order.first) fill(destination, true);
    for (const Destination destination : all) fill(destination, order.hosts_first);
    return {std::move(tables_), std::move(blocking_), refused_, std::move(unfilled_)};
  }

 private:
  static constexpr std::uint32_t kLost = DestinationTree::kLost;
  static constexpr std::size_t kMostUsers = 4, kMostLookedAt = 4096;

  // `restore`: missing entries get their old port back if that fits, before any other is chosen.
  void fill(Destination destination, bool restore) {
    if (known_.paths(destination).switches == 0) return;
    destination_ = destination;
    row_ = tables_.row(destination);
    was_ = old_.row(destination);
    tree_.follow(tables_, destination);
    if (tree_.destination() == kNone<Switch>) return;
    home_ = index(tree_.destination());
    bool any = false;
    dead_.clear();
    for (std::uint32_t s = 0; s < row_.size(); ++s) {
      hops_[s] = tree_.reaches(s) ? tree_.hops(s) : kLost;
      any = any || (hops_[s] == kLost && is_wanted(s));
      if (is_open(s) && was_[s] != kNoRoute && !leads_on(s, was_[s])) dead_.push_back(s);
    }
    if (!any) return;
    filled_.clear();
    std::ranges::fill(needed_, 0);
    if (restore) take_old();
    attach_dead();
    for (bool progress = true; progress;) {
      progress = false;
      for (std::uint32_t s = 0; s < row_.size(); ++s) {
        if (hops_[s] != kLost || s == home_ || !attach(s)) continue;
        progress = true;
        attach_dead();  // whoever led there goes on as before
      }
    }
    take_back_idle();
    for (std::uint32_t s = 0; s < row_.size(); ++s) {
      if (hops_[s] != kLost || !is_wanted(s)) continue;
      unfilled_.push_back(destination);
      return;
    }
  }
  bool is_wanted(std::uint32_t s) const {
    return was_[s] != kNoRoute || (terminals_[Switch{s}] != 0 && !tables_.is_switch(destination_));
  }
  bool leads_on(std::uint32_t s, Port port) const { return map_.at(s, port).to_switch(); }

  bool is_open(std::uint32_t s) const { return hops_[s] == kLost && row_[s] == kNoRoute; }
  // Restores old entries whose next switch has a route. Entries that lead to them follow (arrive).
  void take_old() {
    for (std::uint32_t s = 0; s < row_.size(); ++s) {
      if (!is_open(s) || !leads_on(s, was_[s])) continue;
      if (hops_[map_.at(s, was_[s]).next()] != kLost) take(s, was_[s]);
    }
  }
  // Connects switches whose cable is gone, repeatedly while some find a path.
  void attach_dead() {
    for (bool progress = true; progress;) {
      progress = false;
      for (const std::uint32_t s : dead_) progress = (is_open(s) && attach(s)) || progress;
    }
  }
  bool attach(std::uint32_t s) {
    // Hops, whether packets turn at a switch where none did, use, port.
    std::vector<std::tuple<std::uint32_t, bool, std::uint32_t, Port>> choices;
    for (const Trunk g : graph_.trunks(Switch{s})) {
      const std::uint32_t hops = hops_[index(graph_.neighbour(g))];
      if (hops == kLost) continue;
      for (const Port port : graph_.ports(g)) {
        choices.emplace_back(hops, turns_up_again(s, port),
                             use_[(std::size_t{s} << 8) | index(port)], port);
      }
    }
    std::ranges::sort(choices);
    for (const auto& choice : choices) {
      if (take(s, std::get<3>(choice))) return true;
      if (&choice == &choices.front() && is_wanted(s)) note_refused();
    }
    return false;
  }
  // Notes unchanged entries whose release would have allowed the last dependency, if they are few.
  void note_refused() {
    ++refused_;
    if (!order_ || refused_ > kMostLookedAt) return;
    const std::vector<Link> cycle = order_->order().shortest_path(wanted_, held_);
    std::vector<TableEntry> fewest;
    for (std::size_t i = 0; i + 1 < cycle.size(); ++i) {
      std::vector<TableEntry> users = users_of(cycle[i], cycle[i + 1]);
      if (!users.empty() && (fewest.empty() || users.size() < fewest.size())) {
        fewest = std::move(users);
      }
    }
    blocking_.insert(blocking_.end(), fewest.begin(), fewest.end());
  }
  // Entries over the first link whose packets continue over the second. None if packets do not turn
  // from down to up there, or if there are many, one has changed, or one leads towards a host.
  std::vector<TableEntry> users_of(Link held, Link wanted) const {
    const LinkGraph& links = order_->links();
    const std::uint32_t at = links.from[held], next = links.from[wanted];
    std::vector<TableEntry> users;
    if (!turns(at, next, links.to[wanted])) return users;
    for (const Destination destination : ids<Destination>(tables_.num_destinations())) {
      const auto row = tables_.row(destination);
      if (row[at] != links.port[held] || row[next] != links.port[wanted]) continue;
      const bool movable = tables_.is_switch(destination) && old_.row(destination)[at] == row[at];
      if (!movable || users.size() == kMostUsers) return {};
      users.push_back({destination, Switch{at}});
    }
    return users;
  }
  // Whether packets would turn from down to up at the switch that the port leads to.
  bool turns(std::uint32_t s, Port port) const {
    const std::uint32_t next = map_.at(s, port).next();
    return next != home_ && leads_on(next, row_[next]) &&
           turns(s, next, map_.at(next, row_[next]).next());
  }
  bool turns(std::uint32_t from, std::uint32_t at, std::uint32_t to) const {
    return level_[at] < level_[from] && level_[to] > level_[at];
  }
  bool turns_up_again(std::uint32_t s, Port port) const {
    return turns(s, port) && turning_[map_.at(s, port).next()] == 0;
  }

  // REQUIRES that the port leads to a switch with a route.
  bool take(std::uint32_t s, Port port) {
    const std::uint32_t next = map_.at(s, port).next();
    if (next != home_ && !admit(s, port, next, row_[next])) return false;
    for (const Switch to : graph_.neighbours(Switch{s})) {
      const std::uint32_t n = index(to);
      if (leads_to(n, row_[n], s) && !admit(n, row_[n], s, port)) clear(n);
    }
    if (row_[s] != kNoRoute) clear(s);
    if (turns(s, port)) turning_[next] = 1;
    row_[s] = port;
    ++use_[(std::size_t{s} << 8) | index(port)];
    filled_.push_back(s);
    arrive(s, hops_[next] + 1);
    return true;
  }
  // Clears the entry of a switch without a route, so that it may find another.
  void clear(std::uint32_t s) {
    --use_[(std::size_t{s} << 8) | index(row_[s])];
    row_[s] = kNoRoute;
  }
  // Adds the dependency of packets that leave s by a port and the next switch by `on`. False if it
  // closes a cycle.
  bool admit(std::uint32_t s, Port port, std::uint32_t next, Port on) {
    if (!order_) return true;
    held_ = order_->links().link(s, port);
    wanted_ = order_->links().link(next, on);
    if (!order_->order().add(held_, wanted_)) return false;
    order_->order().commit();
    return true;
  }
  bool leads_to(std::uint32_t from, Port port, std::uint32_t to) const {
    const Hop hop = map_.at(from, port);
    return from != home_ && hop.to_switch() && hop.next() == to;
  }
  // The switch has a route, and so have those that lead to it, or did before.
  void arrive(std::uint32_t s, std::uint32_t hops) {
    hops_[s] = hops;
    for (const Switch to : graph_.neighbours(Switch{s})) {
      const std::uint32_t n = index(to);
      if (hops_[n] != kLost) continue;
      if (leads_to(n, row_[n], s)) {
        needed_[s] = 1;
        arrive(n, hops + 1);
      } else if (row_[n] == kNoRoute && leads_to(n, was_[n], s) && !take(n, was_[n])) {
        note_refused();
      }
    }
  }
  // Removes entries that no wanted route uses.
  void take_back_idle() {
    for (std::size_t i = filled_.size(); i-- > 0;) {
      const std::uint32_t s = filled_[i];
      if (needed_[s] != 0 || is_wanted(s)) {
        needed_[map_.at(s, row_[s]).next()] = 1;
      } else {
        clear(s);
      }
    }
  }

  const Fabric& fabric_;
  const PortGraph& graph_;
  const HopMap& map_;
  const ForwardingTables& old_;
  ForwardingTables tables_;
  const KnownTables& known_;         // of the tables as they were given
  std::optional<TableOrder> order_;  // nothing: none to keep
  Link held_{}, wanted_{};           // of the last dependency that was tried
  DestinationTree tree_;
  std::vector<std::uint32_t> hops_;  // of the row at hand; kLost: no route
  const Level* level_;
  std::vector<std::uint8_t> turning_;       // 1: packets that went down go up here
  std::vector<std::uint8_t> needed_;        // of the row at hand: a wanted route passes
  Table<Switch, std::uint32_t> terminals_;  // their number
  std::vector<std::uint32_t> use_;          // [switch * 256 + port]: destinations
  std::vector<std::uint32_t> dead_;         // of the row at hand: open, and their cable is gone
  std::vector<std::uint32_t> filled_;       // of the row at hand, each after the switch it leads to
  std::vector<TableEntry> blocking_;
  std::vector<Destination> unfilled_;
  std::size_t refused_ = 0;
  Destination destination_ = kNone<Destination>;
  std::span<Port> row_;
  std::span<const Port> was_;
  std::uint32_t home_ = 0;
};

}  // namespace

std::optional<Filled> fill_fallback(const Model& model, const ForwardingTables& old,
                                    ForwardingTables tables, const KnownTables& known,
                                    const FillOrder& order) {
  TableOrder links(model, known.dependencies());
  if (!links.is_free()) return std::nullopt;
  return Filling(model, old, std::move(tables), known, std::move(links)).run(order);
}

ForwardingTables fill_for_lanes(const Model& model, const ForwardingTables& old,
                                ForwardingTables tables, const KnownTables& known) {
  return Filling(model, old, std::move(tables), known, std::nullopt).run({}).tables;
}

}  // namespace fatwood
