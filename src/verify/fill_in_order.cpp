// SPDX-License-Identifier: BSD-3-Clause
#include "verify/fill_in_order.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "routing/tables/target_tree.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

namespace {

// The waits of one lane, with an order of the channels that all ascend.
class ChannelOrder {
 public:
  // REQUIRES an order of all channels that every wait ascends.
  ChannelOrder(const Fabric& fabric, DependencyGraph graph, std::span<const Channel> order)
      : fabric_(fabric), graph_(std::move(graph)), place_(graph_.size()), seen_(graph_.size()) {
    for (const Channel c : order) {
      if (!fabric.is_switch(fabric.owner(c))) continue;
      place_[graph_.vertex(c)] = static_cast<std::uint32_t>(at_.size());
      at_.push_back(graph_.vertex(c));
    }
  }

  // Whether a packet that holds one channel may wait for the other; from now on it may.
  bool admit(Channel held, Channel wanted) {
    const std::uint32_t from = graph_.vertex(held);
    const std::uint32_t to = graph_.vertex(wanted);
    cycle_.clear();
    if (graph_.depends(from, to)) return true;
    if (from == to || (place_[from] > place_[to] && !move_behind(from, to))) return false;
    graph_.add(graph_.vertex(fabric_.peer(held)), index(fabric_.port(wanted)));
    return true;
  }

  // What the last wait that was refused would have closed: channels, each held while the next is
  // waited for, from the wanted one to the held one.
  std::span<const Channel> cycle() const { return cycle_; }

 private:
  // Moves `to` and all that must come after it behind `from`; false when `from` is among them.
  bool move_behind(std::uint32_t from, std::uint32_t to) {
    const std::uint32_t first = place_[to], last = place_[from];
    std::vector<std::uint32_t> found{to};
    std::vector<std::size_t> before{0};  // of each found: where it was found from
    seen_[to] = 1;
    bool cycle = false;
    for (std::size_t i = 0; i < found.size() && !cycle; ++i) {
      graph_.for_each_successor(found[i], [&](std::uint32_t next) {
        cycle = cycle || next == from;
        if (seen_[next] != 0 || place_[next] > last) return;
        seen_[next] = 1;
        found.push_back(next);
        before.push_back(i);
      });
    }
    if (cycle) keep_cycle(found, before, from);
    if (!cycle) {
      std::uint32_t free = first;
      std::vector<std::uint32_t> behind;
      for (std::uint32_t place = first; place <= last; ++place) {
        const std::uint32_t vertex = at_[place];
        if (seen_[vertex] != 0) {
          behind.push_back(vertex);
        } else {
          put(vertex, free++);
        }
      }
      for (const std::uint32_t vertex : behind) put(vertex, free++);
    }
    for (const std::uint32_t vertex : found) seen_[vertex] = 0;
    return !cycle;
  }
  // REQUIRES that `last` is among those found.
  void keep_cycle(std::span<const std::uint32_t> found, std::span<const std::size_t> before,
                  std::uint32_t last) {
    const auto at = std::ranges::find(found, last);
    for (auto i = static_cast<std::size_t>(at - found.begin());; i = before[i]) {
      cycle_.push_back(graph_.channel(found[i]));
      if (i == 0) break;
    }
    std::ranges::reverse(cycle_);
  }
  void put(std::uint32_t vertex, std::uint32_t place) {
    at_[place] = vertex;
    place_[vertex] = place;
  }

  const Fabric& fabric_;
  DependencyGraph graph_;
  std::vector<std::uint32_t> place_;  // of a vertex
  std::vector<std::uint32_t> at_;     // of a place: its vertex
  std::vector<std::uint8_t> seen_;
  std::vector<Channel> cycle_;
};

class Filling {
 public:
  Filling(const Model& model, const ForwardingTables& old, ForwardingTables tables,
          std::optional<ChannelOrder> order)
      : fabric_(model.fabric()),
        graph_(model.port_graph()),
        map_(model.hop_map()),
        old_(old),
        tables_(std::move(tables)),
        order_(std::move(order)),
        tree_(fabric_, map_),
        hops_(fabric_.num_switches()),
        level_(model.levels().level.data()),
        turning_(fabric_.num_switches()),
        needed_(fabric_.num_switches()),
        has_terminal_(fabric_.num_switches()),
        use_(fabric_.num_switches() << 8) {
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      if (fabric_.leaf(t) != kNone<Switch>) has_terminal_[index(fabric_.leaf(t))] = 1;
    }
    for (const Target target : ids<Target>(tables_.num_targets())) {
      const auto row = tables_.row(target);
      for (std::size_t s = 0; s < row.size(); ++s) ++use_[(s << 8) | index(row[s])];
    }
  }

  Filled run() {
    for (const Target target : ids<Target>(tables_.num_targets())) fill(target);
    return {std::move(tables_), std::move(in_the_way_), refused_};
  }

 private:
  static constexpr std::uint32_t kLost = TargetTree::kLost;
  static constexpr std::size_t kMostUsers = 4, kMostLookedAt = 4096;

  void fill(Target target) {
    target_ = target;
    row_ = tables_.row(target);
    was_ = old_.row(target);
    tree_.follow(tables_, target);
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
  }
  bool is_wanted(std::uint32_t s) const {
    return was_[s] != kNoRoute || (has_terminal_[s] != 0 && !tables_.is_switch(target_));
  }
  bool leads_on(std::uint32_t s, Port port) const { return map_.at(s, port).to_switch(); }
  Channel channel(std::uint32_t s, Port port) const {
    return fabric_.channel(fabric_.node(static_cast<Switch>(s)), port);
  }

  bool is_open(std::uint32_t s) const { return hops_[s] == kLost && row_[s] == kNoRoute; }
  // Switches whose cable is gone, again and again while some find a way.
  void attach_dead() {
    for (bool progress = true; progress;) {
      progress = false;
      for (const std::uint32_t s : dead_) progress = (is_open(s) && attach(s)) || progress;
    }
  }
  bool attach(std::uint32_t s) {
    // Hops, whether packets turn where none did, use, port.
    std::vector<std::tuple<std::uint32_t, bool, std::uint32_t, Port>> ways;
    for (std::uint32_t g = graph_.first[s]; g < graph_.first[s + 1]; ++g) {
      const std::uint32_t hops = hops_[graph_.neighbour[g]];
      if (hops == kLost) continue;
      for (const Port port : graph_.ports(g)) {
        ways.emplace_back(hops, turns_anew(s, port), use_[(std::size_t{s} << 8) | index(port)],
                          port);
      }
    }
    std::ranges::sort(ways);
    for (const auto& way : ways) {
      if (take(s, std::get<3>(way))) return true;
      if (&way == &ways.front() && is_wanted(s)) note_refused();
    }
    return false;
  }
  // Kept entries whose change would have let the last wait in, where they are few.
  void note_refused() {
    ++refused_;
    if (!order_ || refused_ > kMostLookedAt) return;
    const std::span<const Channel> cycle = order_->cycle();
    std::vector<TableEntry> fewest;
    for (std::size_t i = 0; i + 1 < cycle.size(); ++i) {
      std::vector<TableEntry> users = users_of(cycle[i], cycle[i + 1]);
      if (!users.empty() && (fewest.empty() || users.size() < fewest.size())) {
        fewest = std::move(users);
      }
    }
    in_the_way_.insert(in_the_way_.end(), fewest.begin(), fewest.end());
  }
  // Entries by the first channel whose packets wait for the second; none where packets do not turn
  // from descending to climbing, there are many, or one is not as it was.
  std::vector<TableEntry> users_of(Channel held, Channel wanted) const {
    const Switch at = fabric_.as_switch(fabric_.owner(held));
    const Switch next = fabric_.as_switch(fabric_.owner(wanted));
    std::vector<TableEntry> users;
    if (!turns(index(at), index(next), map_.at(next, fabric_.port(wanted)).next())) return users;
    for (const Target target : ids<Target>(tables_.num_targets())) {
      const auto row = tables_.row(target);
      if (row[index(at)] != fabric_.port(held) || row[index(next)] != fabric_.port(wanted)) {
        continue;
      }
      if (old_.at(target, at) != row[index(at)] || users.size() == kMostUsers) return {};
      users.push_back({target, at});
    }
    return users;
  }
  // Whether packets would turn from descending to climbing where the port leads.
  bool turns(std::uint32_t s, Port port) const {
    const std::uint32_t next = map_.at(s, port).next();
    return next != home_ && leads_on(next, row_[next]) &&
           turns(s, next, map_.at(next, row_[next]).next());
  }
  bool turns(std::uint32_t from, std::uint32_t at, std::uint32_t to) const {
    return level_[at] < level_[from] && level_[to] > level_[at];
  }
  bool turns_anew(std::uint32_t s, Port port) const {
    return turns(s, port) && turning_[map_.at(s, port).next()] == 0;
  }

  // REQUIRES that the port leads to a switch with a route.
  bool take(std::uint32_t s, Port port) {
    const std::uint32_t next = map_.at(s, port).next();
    const Channel out = channel(s, port);
    if (next != home_ && !admit(out, channel(next, row_[next]))) return false;
    for (std::uint32_t g = graph_.first[s]; g < graph_.first[s + 1]; ++g) {
      const std::uint32_t n = graph_.neighbour[g];
      if (leads_to(n, row_[n], s) && !admit(channel(n, row_[n]), out)) clear(n);
    }
    if (row_[s] != kNoRoute) clear(s);
    if (turns(s, port)) turning_[next] = 1;
    row_[s] = port;
    ++use_[(std::size_t{s} << 8) | index(port)];
    filled_.push_back(s);
    arrive(s, hops_[next] + 1);
    return true;
  }
  // Of a switch without a route: it may find another.
  void clear(std::uint32_t s) {
    --use_[(std::size_t{s} << 8) | index(row_[s])];
    row_[s] = kNoRoute;
  }
  bool admit(Channel held, Channel wanted) { return !order_ || order_->admit(held, wanted); }
  bool leads_to(std::uint32_t from, Port port, std::uint32_t to) const {
    const Hop hop = map_.at(from, port);
    return from != home_ && hop.to_switch() && hop.next() == to;
  }
  // The switch has a route now, and so have those that lead to it, or did before.
  void arrive(std::uint32_t s, std::uint32_t hops) {
    hops_[s] = hops;
    for (std::uint32_t g = graph_.first[s]; g < graph_.first[s + 1]; ++g) {
      const std::uint32_t n = graph_.neighbour[g];
      if (hops_[n] != kLost) continue;
      if (leads_to(n, row_[n], s)) {
        needed_[s] = 1;
        arrive(n, hops + 1);
      } else if (row_[n] == kNoRoute && leads_to(n, was_[n], s) && !take(n, was_[n])) {
        note_refused();
      }
    }
  }
  // Entries that nothing wanted passes.
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
  std::optional<ChannelOrder> order_;  // nothing: none to keep
  TargetTree tree_;
  std::vector<std::uint32_t> hops_;  // of the row at hand; kLost: no route
  const Level* level_;
  std::vector<std::uint8_t> turning_;  // 1: packets that descended climb here
  std::vector<std::uint8_t> needed_;   // of the row at hand: a wanted route passes
  std::vector<std::uint8_t> has_terminal_;
  std::vector<std::uint32_t> use_;     // [switch * 256 + port]: targets
  std::vector<std::uint32_t> dead_;    // of the row at hand: open, and their cable is gone
  std::vector<std::uint32_t> filled_;  // of the row at hand, each after the switch it leads to
  std::vector<TableEntry> in_the_way_;
  std::size_t refused_ = 0;
  Target target_ = kNone<Target>;
  std::span<Port> row_;
  std::span<const Port> was_;
  std::uint32_t home_ = 0;
};

}  // namespace

std::optional<Filled> fill_in_order(const Model& model, const ForwardingTables& old,
                                    ForwardingTables tables, int threads) {
  const Fabric& fabric = model.fabric();
  Routing routing;
  routing.tables = std::move(tables);
  const Deadlock deadlock = find_deadlock(fabric, routing, Sources::kAll, threads);
  if (!deadlock.free() || deadlock.lanes.empty()) return std::nullopt;
  auto graph = find_dependencies(fabric, routing, Sources::kAll, threads);
  ChannelOrder order(fabric, std::move(graph.front()), deadlock.lanes.front().order);
  return Filling(model, old, std::move(routing.tables), std::move(order)).run();
}

ForwardingTables fill_for_lanes(const Model& model, const ForwardingTables& old,
                                ForwardingTables tables) {
  return Filling(model, old, std::move(tables), std::nullopt).run().tables;
}

}  // namespace fatwood
