// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Classes of destinations that share their groups of ports: the terminals of a leaf, or, if there
// are few leaves, equal parts of them.

#include <cstdint>
#include <vector>

#include "routing/adaptive/least_hop_groups.hpp"

namespace fatwood {

struct GroupClass {
  std::uint32_t home;               // the switch they are on
  std::vector<Terminal> terminals;  // that count
};

// At least one class for each switch, in order of switches. The terminals of leaves are divided
// until there are `least` classes, or each terminal has its own. The first class of a switch also
// has its destinations that are not counted.
std::vector<GroupClass> group_classes(const Model& model, std::size_t least);

// Copies the groups of `full`, which are by destination switch, to the classes.
GroupTable by_class(const Fabric& fabric, const std::vector<GroupClass>& classes,
                    const GroupTable& full, const ForwardingTables& tables);

}  // namespace fatwood
