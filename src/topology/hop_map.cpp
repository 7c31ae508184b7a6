// SPDX-License-Identifier: BSD-3-Clause
#include "topology/hop_map.hpp"

#include "core/invariant.hpp"

namespace fatwood {

HopMap::HopMap(const Fabric& fabric)
    : hops_(fabric.num_switches() * 256, Hop::ends(HopEnd::kNoSuchPort)) {
  invariant(fabric.num_switches() < 0xffffffU, "more switches than a hop can name");
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    Hop* of = hops_.data() + (std::size_t{index(s)} << 8);
    const Node node = fabric.node(s);
    for (Port port = 1; port <= fabric.ports(node); ++port) {
      const Channel c = fabric.channel(node, port);
      if (!fabric.connected(c)) {
        of[port] = Hop::ends(HopEnd::kNoCable);
      } else if (const Node far = fabric.neighbour(c); !fabric.is_switch(far)) {
        of[port] = Hop::ends(HopEnd::kAdapter);
      } else {
        of[port] = Hop::to(fabric.as_switch(far), fabric.port(fabric.peer(c)));
      }
    }
    of[0] = Hop::ends(HopEnd::kOwnPort);
    of[kNoRoute] = Hop::ends(HopEnd::kNoEntry);
  }
}

}  // namespace fatwood
