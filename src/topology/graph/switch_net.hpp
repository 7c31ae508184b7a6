// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The switches of a fabric with the number of cables between each two, without hosts and ports. CSR
// over switches, neighbours ascending. Cost: O(ports).

#include <cstdint>
#include <span>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

struct SwitchNet {
  struct Edge {
    Switch to;
    std::uint32_t cables;

    friend bool operator==(const Edge&, const Edge&) = default;
  };
  std::vector<std::uint32_t> first;  // by switch, and the end
  std::vector<Edge> edge;
  Table<Switch, std::uint32_t> cables;  // of a switch to other switches

  std::size_t size() const { return cables.size(); }
  std::span<const Edge> edges(Switch s) const {
    return std::span(edge).subspan(first[index(s)], first[index(s) + 1] - first[index(s)]);
  }
};

// Cables from a switch to itself are left out.
SwitchNet switch_net(const Fabric& fabric);

// Channels from one switch to another, in order of ports.
std::vector<Channel> cables_from(const Fabric& fabric, Switch from, Switch to);

// The connected component of each switch, numbered from 0 in order of the first switch.
struct Components {
  Table<Switch, std::uint32_t> component;
  std::uint32_t count = 0;
};
Components connected_components(const SwitchNet& net);

}  // namespace fatwood
