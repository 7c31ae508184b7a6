// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which nodes display_name() does not identify. Such a name is printed with the id (unique_name).
//
// A name does not identify its node if
// - another node has the same name, or has it as its id (an id takes precedence over a name);
// - it begins with "0x" or ends in "]" and is not the id: it may be a GUID or a port;
// - it has the form "NAME (ID)" of unique_name, with the id of a node.
// Cost: O(nodes); nothing without descriptions, because ids are unique.

#include "topology/fabric.hpp"

namespace fatwood {

// 1 for each such node; empty if there is none.
Table<Node, std::uint8_t> shared_names(const Fabric& fabric);

// The ID of "NAME (ID)"; "" for another text.
std::string_view id_in_name(std::string_view text);

}  // namespace fatwood
