// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A complete tree with its nodes and ports in random order and some of its cables gone: what
// recognition has to see through. Names keep the truth: "S<level>_<index>", "H<index>".

#include <cstdint>
#include <string>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood::test {

struct DamagedTree {
  Fabric fabric;
  // Ids of the two ends of each cut cable, the lower node first.
  std::vector<std::pair<std::string, std::string>> cut;
};

// Cuts each cable between switches with probability `share`, each host's cable with `host_share`.
DamagedTree damaged_tree(const Fabric& whole, std::uint64_t seed, double share,
                         double host_share = 0);

// The level in the name of a generated switch.
unsigned level_in_name(std::string_view id);

}  // namespace fatwood::test
