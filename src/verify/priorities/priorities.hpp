// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Can pauses (PFC) of Ethernet lock up, by priority?
//
// Model. A switch pauses a cable in one priority while packets of that priority which came by it
// cannot leave. So (channel, priority) waits for the (channel, priority) of the next hop, as in
// changing_lanes.hpp. A priority pauses on a cable if both ends have it on; otherwise its packets
// are dropped there when buffers are full, and nothing waits for the channel. Where an end is not
// known, it counts as on. The priority on a cable is that of the port which receives: its maps give
// it from the code point of the packet. Code points stay as they are unless a port rewrites them.
// Every code point may come from every host.
//
// Method. Code points that no port tells apart count once. If nothing rewrites them, all follow the
// dependencies of the routes (dependencies.hpp), each in its priorities. Otherwise packets to each
// class of destinations are followed with their code point.
// Cost: that of the dependencies, then O(dependencies * code points); with rewriting O(classes *
// arrivals * ports * code points).
// Without any settings: one verdict, as if all packets had one priority that pauses everywhere.

#include <cstdint>
#include <string>
#include <vector>

#include "topology/port_priorities.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

struct PriorityVerdict {
  unsigned priority = 0;
  std::size_t channels = 0;            // between switches, on which it pauses
  std::vector<Dependency> cycle = {};  // a short one with this priority in it; `lane`: the priority

  bool free() const { return cycle.empty(); }
};

struct PrioritiesVerdict {
  bool given = false;
  bool rewritten = false;                // some port changes code points
  std::vector<PriorityVerdict> of = {};  // those that pause somewhere

  bool free() const;
};

// REQUIRES a routing of this fabric's size (check_size). `known`: the verdict of the routes on one
// lane, for the same sources. `settings` may be empty.
PrioritiesVerdict find_priorities(const Fabric& fabric, const Routing& routing,
                                  const PortPriorities& settings, const Deadlock& known,
                                  Sources sources, int threads);

// Where the two ends of a cable disagree.
struct PfcMismatch {
  enum class Kind : std::uint8_t {
    kPauses,   // one end has a priority on, the other does not
    kMeaning,  // a code point is in another priority at the other end, and one of them pauses
    kQueue,    // a pause stops another queue than the one that its packets wait in
  };
  Kind kind = Kind::kPauses;
  Channel cable = kNone<Channel>;  // the end with the lower number
  std::vector<unsigned> values;    // priorities, or code points
};
std::vector<PfcMismatch> find_pfc_mismatches(const Fabric& fabric, const PortPriorities& settings);

}  // namespace fatwood
