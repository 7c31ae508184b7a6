// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Adaptive tables whose union of dependencies has a cycle may still never stand still, if a switch
// lets a waiting packet take whichever port of its group frees first.
//
// Problem: does every full set of buffers have a packet that can move?
// Method: a least fixed point. A channel is safe when for every packet that can be in its buffer
// some port that it may take next is safe, or is the one to its destination. If all channels that
// packets hold become safe, the order is the certificate: at each channel each packet has a next
// one that became safe earlier, so that among full buffers the earliest can send. What is left over
// is the witness: each of these channels can be full of packets that wait only for others of them.
// Assumption: the port is chosen again while the packet waits, and buffers take whole packets
// (virtual cut-through, as in InfiniBand). If a switch binds a packet to a port when it arrives,
// only a union without a cycle is a proof (dependencies.hpp).
// Encoding: rounds; all channels of a round become safe by those of earlier rounds. Cost: O(rounds
// * ports of all entries of all classes). Reference: the part of Duato's escape channels (1995);
// close to the static condition of Verbeek and Schmaltz (2011).

#include <cstdint>
#include <vector>

#include "routing/adaptive/destination_classes.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

// Packets to this destination that came by the channel may take these next ones alone, none of them
// safe.
struct StuckChannel {
  Channel channel = kNone<Channel>;
  Switch at = kNone<Switch>;  // where it leads
  Destination destination = kNone<Destination>;
  Endpoint source;
};

struct SomeChoice {
  // All channels with a cable: at each, every packet has a next channel that is later in the order.
  // Empty unless free().
  std::vector<Channel> order;
  std::vector<StuckChannel> stuck;  // what never becomes safe, by channel; the first few
  std::uint64_t stuck_count = 0;
  std::uint32_t rounds = 0;

  bool free() const { return stuck_count == 0; }
};

// REQUIRES one lane, tables of this fabric's size (check_size), and classes of this routing.
SomeChoice find_some_choice(const Fabric& fabric, const Routing& routing,
                            const DestinationClasses& classes, Sources sources, int threads = 0);

}  // namespace fatwood
