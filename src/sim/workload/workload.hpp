// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The messages of end ports: each has its messages in order; the engine asks for the next one when
// the adapter could take it, so that a source's backlog is never stored.

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

  // When the next message of e may be sent; kNever when there is none, or none until something
  // sent or delivered. Changes only by take, sent and delivered.
  virtual Time next_at(Endpoint e) const = 0;
  // A hint that e will be asked for soon, for what is not in the cache.
  virtual void look_soon(Endpoint /*e*/) const {}
  // REQUIRES next_at(e) <= now.
  virtual MessageSpec take(Endpoint e, Time now) = 0;
  // The last flit of e's newest message is on the wire.
  virtual void sent(Endpoint /*e*/, Time /*now*/) {}
  // A message has arrived whole. Returns the endpoints whose next_at may have come down.
  virtual std::span<const Endpoint> delivered(Endpoint /*source*/, Endpoint /*dest*/,
                                              Time /*now*/) {
    return {};
  }
  // Whether several threads may call, each for endpoints of its own: what one of these does
  // changes nothing for another, and delivered() wakes nobody.
  virtual bool is_local() const { return false; }
  // Whether the engine has to call sent().
  virtual bool wants_sent() const { return false; }
};

}  // namespace fatwood::sim
