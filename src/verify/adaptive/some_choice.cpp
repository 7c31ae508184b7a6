// SPDX-License-Identifier: BSD-3-Clause
#include "verify/adaptive/some_choice.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "topology/graph/hop_map.hpp"
#include "verify/deadlock/witness.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kShown = 8;  // stuck channels that are listed one by one

class FixedPoint {
 public:
  FixedPoint(const Fabric& fabric, const Routing& routing, const DestinationClasses& classes,
             Sources sources, int threads)
      : fabric_(fabric),
        routing_(routing),
        map_(fabric),
        sources_(sources),
        threads_(threads),
        senders_(fabric, sources),
        round_(fabric.num_channels(), kNotYet) {
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const auto counts = [&](Destination destination) {
        return senders_.counts(routing.tables, destination);
      };
      const auto first = std::ranges::find_if(classes.of(c), counts);
      if (first != classes.of(c).end()) destinations_.push_back(*first);
    }
    // Nothing waits in a buffer of an adapter.
    for (const Channel c : ids<Channel>(fabric.num_channels())) {
      if (fabric.connected(c) && !fabric.is_switch(fabric.neighbour(c))) round_[c] = 0;
    }
  }

  SomeChoice run() {
    SomeChoice result;
    for (std::uint32_t round = 1;; ++round) {
      const Table<Channel, std::uint8_t> blocked = blocked_channels();
      bool any = false;
      for (const Channel c : ids<Channel>(fabric_.num_channels())) {
        if (!fabric_.connected(c) || round_[c] != kNotYet || blocked[c] != 0) continue;
        round_[c] = round;
        any = true;
      }
      if (!any) break;
      result.rounds = round;
    }
    // No channel depends on those out of hosts: they come first.
    for (const Channel c : ids<Channel>(fabric_.num_channels())) {
      if (fabric_.connected(c) && !fabric_.is_switch(fabric_.owner(c))) {
        round_[c] = result.rounds + 1;
      }
    }
    for (const Channel c : ids<Channel>(fabric_.num_channels())) {
      if (!fabric_.connected(c)) continue;
      if (round_[c] == kNotYet) ++result.stuck_count;
      result.order.push_back(c);
    }
    if (result.free()) {
      std::ranges::stable_sort(result.order,
                               [&](Channel a, Channel b) { return round_[a] > round_[b]; });
      return result;
    }
    result.order.clear();
    result.stuck = stuck_channels();
    return result;
  }

 private:
  static constexpr std::uint32_t kNotYet = 0xffffffffU;

  // Calls visit(channel, y, destination) for each channel by which packets to the destination reach
  // y.
  struct Scratch {
    std::vector<std::uint32_t> queue;
    std::vector<std::uint8_t> seen;  // by switch
  };
  template <class Visit>
  void each_arrival(Destination destination, Scratch& scratch, const Visit& visit) const {
    auto& [queue, seen] = scratch;
    seen.assign(fabric_.num_switches(), 0);
    queue.clear();
    const Switch silent = senders_.silent(fabric_, routing_.tables, destination);
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      if (!senders_.starts_at(s) || s == silent) continue;
      seen[index(s)] = 1;
      queue.push_back(index(s));
    }
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const auto x = static_cast<Switch>(queue[i]);
      for (const Port port : routing_.ports(x, destination)) {
        const Hop hop = map_.at(x, port);
        if (!hop.to_switch()) continue;
        visit(fabric_.channel(fabric_.node(x), port), static_cast<Switch>(hop.next()));
        if (seen[hop.next()] != 0) continue;
        seen[hop.next()] = 1;
        queue.push_back(hop.next());
      }
    }
  }

  // Whether a packet to the destination in the buffer of c, at y, has a safe next channel or has
  // arrived.
  bool moves(Channel c, Switch y, Destination destination) const {
    const std::span<const Port> ports = routing_.ports(y, destination);
    const Port back = fabric_.port(fabric_.peer(c));
    for (const Port port : ports) {
      if (port == back && ports.size() > 1 && !routing_.may_return) continue;
      if (port == kOwnPort || !map_.at(y, port).to_switch()) return true;  // there, or dropped
      if (round_[fabric_.channel(fabric_.node(y), port)] != kNotYet) return true;
    }
    return ports.empty();  // dropped
  }

  Table<Channel, std::uint8_t> blocked_channels() const {
    struct Worker {
      Table<Channel, std::uint8_t> blocked;
      Scratch scratch;
    };
    std::vector<Worker> workers = parallel_with(
        Worker{Table<Channel, std::uint8_t>(fabric_.num_channels(), 0), {}}, destinations_.size(),
        threads_,
        [&](std::size_t item, Worker& worker) {
          auto& [blocked, scratch] = worker;
          each_arrival(destinations_[item], scratch, [&](Channel c, Switch y) {
            if (round_[c] == kNotYet && blocked[c] == 0 && !moves(c, y, destinations_[item])) {
              blocked[c] = 1;
            }
          });
        },
        4);
    Table<Channel, std::uint8_t>& all = workers.front().blocked;
    for (const Worker& worker : workers) {
      for (const Channel c : ids<Channel>(fabric_.num_channels())) all[c] |= worker.blocked[c];
    }
    return std::move(all);
  }

  std::vector<StuckChannel> stuck_channels() const {
    std::vector<StuckChannel> stuck;
    for (const Channel c : ids<Channel>(fabric_.num_channels())) {
      if (!fabric_.connected(c) || round_[c] != kNotYet || stuck.size() == kShown) continue;
      stuck.push_back({.channel = c,
                       .at = fabric_.next_switch(c),
                       .destination = kNone<Destination>,
                       .source = {}});
    }
    Scratch scratch;
    for (const Destination destination : destinations_) {
      each_arrival(destination, scratch, [&](Channel c, Switch y) {
        const auto mine = std::ranges::find(stuck, c, &StuckChannel::channel);
        if (mine == stuck.end() || mine->destination <= destination || moves(c, y, destination))
          return;
        mine->destination = destination;
      });
    }
    for (StuckChannel& one : stuck) {
      one.source = find_holder(fabric_, routing_, sources_, one.channel, one.destination);
    }
    return stuck;
  }

  const Fabric& fabric_;
  const Routing& routing_;
  HopMap map_;
  Sources sources_;
  int threads_;
  Senders senders_;
  std::vector<Destination> destinations_;
  Table<Channel, std::uint32_t> round_;  // in which it became safe
};

}  // namespace

SomeChoice find_some_choice(const Fabric& fabric, const Routing& routing,
                            const DestinationClasses& classes, Sources sources, int threads) {
  return FixedPoint(fabric, routing, classes, sources, threads).run();
}

}  // namespace fatwood
