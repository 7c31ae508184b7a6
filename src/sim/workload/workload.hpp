// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The messages that endpoints send, in order for each endpoint. The engine asks for the next
// message when the adapter can take it, so that a source's backlog is never stored.

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

  // The time at which the next message of e may be sent; kNever if there is none, or none before
  // some message is sent or delivered. Changed only by take, sent and delivered.
  virtual Time next_at(Endpoint e) const = 0;
  // A hint that e will be asked for soon, to prefetch its data.
  virtual void look_soon(Endpoint /*e*/) const {}
  // REQUIRES next_at(e) <= now.
  virtual MessageSpec take(Endpoint e, Time now) = 0;
  // The last flit of e's newest message is on the wire.
  virtual void sent(Endpoint /*e*/, Time /*now*/) {}
  // A whole message has arrived. Returns the endpoints whose next_at may be earlier now.
  virtual std::span<const Endpoint> delivered(Endpoint /*source*/, Endpoint /*dest*/,
                                              Time /*now*/) {
    return {};
  }
  // Whether several threads may call, each for its own endpoints: calls for one endpoint change
  // nothing for another, and delivered() returns no endpoints.
  virtual bool is_local() const { return false; }
  // Whether the engine has to call sent().
  virtual bool wants_sent() const { return false; }
};

}  // namespace fatwood::sim
