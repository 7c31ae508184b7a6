// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The engine: packets through switches, exact to the flit, with the packet as the event.
//
// Problem: what model.hpp says, for any fabric, routes and workload, at tens of millions of
// flit-hops a second.
// Method: a granted packet streams, so that all its flits' times follow from two lines (see
// model.hpp) and nothing happens between its head and its tail. When its link starts, the time at
// which it may ask at the next switch is known; so one request event and one link event a hop, and
// one for the credit. Room and ports that come free are noted as times and looked at when somebody
// asks; only who waits gets an event. Flat arrays of ports and lanes; queues are lists through the
// packets; the requests of an output lane are a bit mask.
//
// Parts: switches are dealt out to parts (partition.hpp), each with a calendar of its own. What
// crosses to another part, a packet or a credit, takes the latency of the link and at least a tick.
// So all parts run for that long, exchange what crossed, and go on: a conservative parallel
// simulation [Fujimoto90], on one thread or several. One thread, too, is faster with parts that fit
// its cache. Within a tick order does not matter (model.hpp), random numbers belong
// to end-points and sums are of whole numbers, so every result is the same for any number of parts.
// Result: Delivery by delivery to the observer; counters here; a deadlock as a cycle.
// Cost: about 3 events a packet-hop; 112 bytes a port with one lane, 80 more for each other lane.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/engine_state.hpp"
#include "sim/engine/engine_thread.hpp"
#include "sim/engine/observer.hpp"

namespace fatwood::sim {

class Engine {
 public:
  // REQUIRES: all references outlive the engine. `threads`: at most so many; one unless the
  // workload is local, the observer can be split and tables do not change. `parts`: of each thread;
  // 0: as many as are good for the cache.
  Engine(const Network& network, const Model& model, const Routes& routes, PathChoice choice,
         std::uint64_t seed, Workload& workload, Observer& observer, unsigned threads = 1,
         unsigned parts = 0);

  // Runs until after tick `until`, or no event is left.
  void run(Time until);
  Time now() const { return parts_.front()->now(); }
  bool idle() const;
  Time last_delivery() const;
  Counters counters() const;
  std::uint64_t flits_sent(std::uint32_t port) const { return state_.port(port).sent; }
  unsigned threads() const { return split_.threads; }

  // What threads exchanged, and how long each of them ran.
  struct Exchange {
    std::uint64_t windows = 0;  // after each of which they met
    std::uint64_t packets = 0, credits = 0;
    std::vector<double> seconds;  // CPU, by thread; 0 for the first, which is the caller's
  };
  const Exchange& exchange() const { return exchange_; }

  // The first packet that came to more switches than there are (than 250 on larger fabrics).
  using Pair = EnginePart::Pair;
  std::optional<Pair> first_looping() const { return parts_.front()->first_looping(); }

  // A cycle of packets that can never move again, if there is one now. Exact: packets that only
  // wait for others that move are not in it. Cost: O(lanes of all ports).
  std::optional<Deadlock> deadlock() const;
  // "" or what does not balance: flits injected = delivered + in buffers and on wires; and on each
  // lane credits + credits under way + what the receiver holds = its buffer.
  std::string imbalance() const;
  // Of the state, with the packets and events of now.
  std::size_t bytes() const;

 private:
  struct Windows;
  struct Split {
    unsigned threads = 1;
    unsigned parts = 1;  // of each thread
  };
  static Split split(const Network& network, const Routes& routes, const Workload& workload,
                     Observer& observer, unsigned threads, unsigned parts);
  void run_windows(Time until);
  void run_thread(unsigned number, Windows& windows);

  // engine_check.cpp
  std::uint32_t queued(std::uint32_t head) const;  // flits
  std::uint32_t next_left(std::uint32_t out_lane,
                          const std::vector<std::vector<std::uint32_t>>& in) const;
  std::optional<Deadlock> cycle_of(const std::vector<std::vector<std::uint32_t>>& in,
                                   const std::vector<std::vector<std::uint32_t>>& out) const;

  const Split split_;
  EngineState state_;
  const Packet* const packets_;
  const Message* const messages_;
  const Time lookahead_;
  std::vector<std::unique_ptr<EngineThread>> threads_;
  std::vector<const EnginePart*> parts_;  // of all threads
  Exchange exchange_;
};

}  // namespace fatwood::sim
