// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The simulation engine: packets through switches, exact to the flit, with events per packet
// and hop instead of per flit.
//
// Problem: simulate model.hpp for any fabric, routes and workload, at tens of millions of flit-hops
// per second.
//
// Method: a granted packet streams without gaps, so the times of all its flits follow from two
// lines (see model.hpp), and nothing happens between its head and its tail. When a packet starts on
// a link, the time of its request at the next switch is known. So a hop takes one event, the
// request, if the packet does not wait and links have no latency; otherwise also the start of the
// link and the credit. Freed buffer space and ports are stored as times and evaluated on request;
// only waiting packets get an event. Data: flat arrays of ports and lanes; queues are linked lists
// of packets; the requests of an output lane are a bit mask.
//
// Parts: each switch belongs to a part (partition.hpp), and each part has its own calendar of
// events. A packet or credit takes at least the latency of the link plus a tick to reach another
// part. So all parts can run for that long, and then exchange what crossed: a conservative parallel
// simulation [Fujimoto90], on one or several threads. Parts that fit the cache also make a single
// thread faster. Results are the same for any number of parts, because the order within a tick does
// not matter (model.hpp), random numbers belong to endpoints, and sums are integers.
//
// Result: each Delivery goes to the observer; counters are here; a deadlock is a cycle.
// Cost: 1 to 3 events per packet-hop; 112 bytes per port with one lane, 80 for each further lane.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/engine_state.hpp"
#include "sim/engine/engine_thread.hpp"
#include "sim/engine/observer.hpp"

namespace fatwood::sim {

double thread_seconds();  // CPU time of the calling thread

class Engine {
 public:
  // REQUIRES that all references outlive the engine. `threads`: at most this many; one is used
  // unless the workload is local, the observer can be split, and tables do not change. `parts`: per
  // thread; 0: as many as suit the cache.
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

  // What threads exchanged, and how long each ran.
  struct Exchange {
    std::uint64_t windows = 0;  // time windows; threads meet after each
    std::uint64_t packets = 0, credits = 0;
    std::vector<double> seconds;  // CPU, by thread; 0 for the first, which is the caller's
  };
  const Exchange& exchange() const { return exchange_; }

  // The first packet that passed more switches than the fabric has (than 250 on larger fabrics): it
  // loops.
  using Pair = EnginePart::Pair;
  std::optional<Pair> first_looping() const { return parts_.front()->first_looping(); }

  // A cycle of packets that can never move again, if there is one at this time. Exact: packets that
  // only wait for packets that will move are not in it. Cost: O(lanes + packets).
  std::optional<Deadlock> deadlock() const;
  // "", or what does not balance. Flits injected = delivered + discarded + in buffers and on
  // wires. On each lane, credits + credits under way + flits that the receiver holds = its buffer.
  std::string imbalance() const;
  // The memory of the state, with its present packets and events.
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
  using Left = std::vector<std::uint32_t>;         // packets of a lane that cannot move, in order
  std::uint32_t next_left(std::uint32_t out_lane, const std::vector<Left>& in) const;
  std::optional<Deadlock> cycle_of(const std::vector<Left>& in, const std::vector<Left>& out) const;

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
