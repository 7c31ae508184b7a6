// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Source switches whose paths to a destination must have one SL.
//
// A file of SLs, like the tools that read it, knows one SL for each (source node, destination). An
// adapter with ports on two switches sends from both with that SL, so both switches need the same
// one. All nodes on a switch have the same SL (Lanes), so this is transitive: adapters on A and B
// and on B and C join all three. Switches of different components are not joined: only one of them
// reaches the destination.
//
// Groups are sets of switches of one component, joined by adapters with several ports. Without such
// adapters each switch is a group.

#include <cstdint>
#include <span>
#include <vector>

#include "topology/fabric.hpp"
#include "topology/graph/port_graph.hpp"

namespace fatwood {

class SourceGroups {
 public:
  SourceGroups(const Fabric& fabric, const Components& components);

  // All switches of the group of this switch, in ascending order.
  std::span<const std::uint32_t> of(std::uint32_t s) const {
    return {members_.data() + first_[group_[s]], members_.data() + first_[group_[s] + 1]};
  }

 private:
  std::vector<std::uint32_t> group_;    // by switch
  std::vector<std::uint32_t> first_;    // by group, and the end
  std::vector<std::uint32_t> members_;  // by group
};

}  // namespace fatwood
