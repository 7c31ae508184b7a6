// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What an engine reports: each packet at its destination, a deadlock, counters.

#include <cstdint>
#include <vector>

#include "sim/engine/network.hpp"

namespace fatwood::sim {

// One packet, at its destination.
struct Delivery {
  Endpoint source, dest;
  std::uint32_t message;  // number of messages that the source had begun before
  std::uint32_t packet;   // number within its message
  std::uint32_t flits;
  Time created;    // of the message
  Time started;    // first flit on the wire
  Time delivered;  // last flit received
  bool last;  // the message is complete; if several packets arrive in one tick, any of them has it

  friend bool operator==(const Delivery&, const Delivery&) = default;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void delivered(const Delivery& delivery) = 0;
  // The observer for deliveries of one of `threads` threads. nullptr: deliveries must come one at a
  // time, so the engine has one thread.
  virtual Observer* of_thread(unsigned /*thread*/, unsigned /*threads*/) { return nullptr; }
};

// A packet that cannot move: the buffer that it holds, as the first of its lane, and the one that
// it needs.
struct Wait {
  Endpoint source, dest;
  std::uint32_t message, packet;
  struct Buffer {
    std::uint32_t port;  // of the network
    unsigned lane;
    bool output;
    friend bool operator==(const Buffer&, const Buffer&) = default;
  } holds, wants;
};
// Each needs the buffer that the next holds; the last needs that of the first.
using Deadlock = std::vector<Wait>;

struct Counters {
  std::uint64_t flits_injected = 0;  // into an adapter's output buffer
  std::uint64_t flits_delivered = 0;
  std::uint64_t packets_delivered = 0;
  std::uint64_t messages_begun = 0;
  std::uint64_t messages_delivered = 0;
  std::uint64_t packets_discarded = 0;  // while tables change: no route
  std::uint64_t flits_discarded = 0;
  std::uint64_t packets_looping = 0;  // while tables change: see TableSwitch (run.hpp)
  std::uint64_t flit_hops = 0;        // flits through a switch
  std::uint64_t events = 0;

  Counters& operator+=(const Counters& other);
  friend bool operator==(const Counters&, const Counters&) = default;
};

}  // namespace fatwood::sim
