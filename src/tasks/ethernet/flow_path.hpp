// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where a flow goes that switches hash: the ports that it may take at each switch, or the path that
// switches with the Linux kernel give it (routing/adaptive/linux_hash.hpp).

#include <functional>
#include <string>
#include <vector>

#include "routing/adaptive/linux_hash.hpp"
#include "routing/tables/packet_path.hpp"
#include "topology/graph/hop_map.hpp"

namespace fatwood {

// A switch that packets may come to, and the ports by which they may leave it.
struct FlowStep {
  Switch at = kNone<Switch>;
  std::uint32_t hops = 0;  // the fewest from the source's switch
  std::vector<Port> ports;
};

struct FlowPaths {
  std::vector<FlowStep> steps;  // by hops, then by number of the switch
  std::string failure = {};     // "" if every choice arrives
};

// REQUIRES a routing of this fabric's size, and a source with a switch.
FlowPaths follow_choices(const Fabric& fabric, const Routing& routing, Switch from,
                         Destination destination);

// By switch: the seed of its hash.
using SeedOf = std::function<std::uint32_t(Switch)>;
// Groups are in the order of ports, as io/routes/switch_files.hpp writes static routes.
PacketPath follow_linux_flow(const Fabric& fabric, const Routing& routing, Terminal source,
                             Destination destination, const UdpFlow& flow, const SeedOf& seed);

}  // namespace fatwood
