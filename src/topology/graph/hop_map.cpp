// SPDX-License-Identifier: BSD-3-Clause
#include "topology/graph/hop_map.hpp"

#include "core/invariant.hpp"

namespace fatwood {

HopMap::HopMap(const Fabric& fabric)
    : hops_(fabric.num_switches() * 256, Hop::ends(HopEnd::kNoSuchPort)) {
  invariant(fabric.num_switches() < 0xffffffU, "more switches than a hop can name");
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    Hop* of = hops_.data() + (std::size_t{index(s)} << 8);
    const Node node = fabric.node(s);
    for (const Channel c : fabric.channels(node)) {
      Hop& hop = of[index(fabric.port(c))];
      if (!fabric.connected(c)) {
        hop = Hop::ends(HopEnd::kNoCable);
      } else if (const Node far = fabric.neighbour(c); !fabric.is_switch(far)) {
        hop = Hop::ends(HopEnd::kAdapter);
      } else {
        hop = Hop::to(fabric.as_switch(far), fabric.port(fabric.peer(c)));
      }
    }
    of[index(kOwnPort)] = Hop::ends(HopEnd::kItself);
    of[index(kNoRoute)] = Hop::ends(HopEnd::kNoEntry);
  }
}

}  // namespace fatwood
