// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// GUID files for OpenSM: one line "0x0008f10500200b50" per node (roots: node GUIDs, for -a) or port
// (compute and I/O nodes: port GUIDs, for -u and -G). node_list.hpp reads them.

#include <ostream>
#include <span>

#include "topology/fabric.hpp"

namespace fatwood {

void write_guids(std::ostream& out, const Fabric& fabric, std::span<const Switch> switches);
void write_guids(std::ostream& out, const Fabric& fabric, std::span<const Terminal> terminals);

}  // namespace fatwood
