// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Small fabrics of many kinds, drawn from a seed: what an engine may meet, whether it is made for
// it or not.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "topology/fabric.hpp"

namespace fatwood::test {

// Switches, the cables between them and the number of hosts of each; parallel cables are repeated.
struct Wiring {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cables;
  std::vector<std::uint32_t> hosts;  // by switch
};

// Ports are taken in order of the cables, then by hosts.
Fabric build(const Wiring& wiring);
// Adapters with several ports become several hosts.
Wiring wiring_of(const Fabric& fabric);

// Three towers of `height` levels of two switches, complete between neighbouring levels, joined
// at the top by one switch for each two towers. The number of shortest paths doubles with each
// level.
Wiring towers(std::uint32_t height);

struct DrawnFabric {
  std::string name;  // the kind and the seed
  Fabric fabric;
};
// Random graphs, rings, tori, hypercubes, trees with cables inside a level, disconnected fabrics,
// hosts on spines, parallel cables, damaged trees, towers, in turns.
DrawnFabric draw_fabric(std::uint64_t seed);

}  // namespace fatwood::test
