// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The messages of end points. Each has its messages in order. The engine asks for the next one when
// the adapter can take it, so the backlog of a source is never stored.

#include <cstdint>
#include <span>

#include "sim/engine/network.hpp"

namespace fatwood::sim {

struct MessageSpec {
  Time created = 0;  // its latency counts from here
  Endpoint dest{};
  std::uint64_t flits = 0;  // >= 1
  std::uint8_t service_level = 0;
};

class Workload {
 public:
  virtual ~Workload() = default;

  // When the next message of e may be sent. kNever: there is none, or none before something is sent
  // or delivered. Changes only by take, sent and delivered.
  virtual Time next_at(Endpoint e) const = 0;
  // REQUIRES next_at(e) <= now.
  virtual MessageSpec take(Endpoint e, Time now) = 0;
  // Called when the last flit of e's newest message is on the wire.
  virtual void sent(Endpoint /*e*/, Time /*now*/) {}
  // Called when a message has arrived completely. Returns the end points whose next_at may have
  // decreased.
  virtual std::span<const Endpoint> delivered(Endpoint /*source*/, Endpoint /*dest*/,
                                              Time /*now*/) {
    return {};
  }
  // Whether the engine must call sent().
  virtual bool wants_sent() const { return false; }
};

}  // namespace fatwood::sim
