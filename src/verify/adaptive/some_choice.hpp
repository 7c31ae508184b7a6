// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A weaker proof of deadlock freedom, for adaptive tables whose dependency graph has a cycle. It
// applies if a waiting packet may take whichever port of its group becomes free first: then it is
// enough that some packet can always move.
//
// Method: a least fixed point. A channel is safe if every packet in its buffer has a next channel
// that is safe, or that leads to its destination. In each round, channels become safe because of
// earlier rounds.
// - If all channels in use become safe, the reverse of the order in which they do is the
//   certificate: each packet has a next channel that is later in it. So among full buffers, the
//   packet in the one that became safe first can move.
// - Otherwise the other channels are the witness: each can be full of packets that wait only for
//   channels among them.
//
// Assumption: the port is chosen again while a packet waits, and buffers take whole packets
// (virtual cut-through, as in InfiniBand). If a switch binds a packet to a port on arrival, only a
// graph without a cycle is a proof (dependencies.hpp).
// Cost: O(rounds * ports of all entries of all classes). References: Duato's escape channels
// (1995); the static condition of Verbeek and Schmaltz (2011).

#include <cstdint>
#include <vector>

#include "routing/adaptive/destination_classes.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

// Packets to this destination in the buffer of this channel have no safe next channel.
struct StuckChannel {
  Channel channel = kNone<Channel>;
  Switch at = kNone<Switch>;  // the end of the channel
  Destination destination = kNone<Destination>;
  Endpoint source;
};

struct SomeChoice {
  // All channels with a cable, empty unless free(). At each channel, every packet has a next
  // channel that is later in the order.
  std::vector<Channel> order;
  std::vector<StuckChannel> stuck;  // the first few channels that never become safe
  std::uint64_t stuck_count = 0;
  std::uint32_t rounds = 0;

  bool free() const { return stuck_count == 0; }
};

// REQUIRES one lane, tables of this fabric's size (check_size), and classes of this routing.
SomeChoice find_some_choice(const Fabric& fabric, const Routing& routing,
                            const DestinationClasses& classes, Sources sources, int threads = 0);

}  // namespace fatwood
