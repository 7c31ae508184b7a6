// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The oracle of the simulator: the same model (src/sim/engine/model.hpp), every flit of every
// packet moved by hand, tick after tick, over all ports. Nothing is computed ahead but whether a
// packet can be sent without a gap; and whether that came true is checked flit by flit.

#include <vector>

#include "sim/engine/engine.hpp"

namespace fatwood::oracle {

// One endpoint's messages, in order.
struct SourceList {
  std::vector<sim::MessageSpec> messages;
  bool after_sent = false;  // the next message waits until the last is on the wire
};

// All deliveries until tick `until`, by (delivered, source, message, packet). Paths are taken by
// packet, in turns or in order. Throws std::logic_error when a flit is missing or a buffer
// overflows.
std::vector<sim::Delivery> run_flits(const sim::Network& network, const sim::Model& model,
                                     const sim::Routes& routes, sim::PathChoice choice,
                                     const std::vector<SourceList>& sources, sim::Time until);

}  // namespace fatwood::oracle
