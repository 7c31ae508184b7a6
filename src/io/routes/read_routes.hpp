// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The routing of a fabric of Ethernet switches from the routes of each: a folder, with sub-folders,
// or a tar archive of it. switch_routes.hpp lists the forms.
//
// Which switch: the name of the file, or of the folder that it is in, with or without an extension
// or what follows a dash or underscore ("leaf1.json", "leaf1-routes.txt", "leaf1/nexthop.json").
// Files of one switch are read together. Files that are no routes are skipped.
// Which port: its label (RunData::labels); else the number at the end: swp7, Ethernet7, eth7. A
// sub-interface (swp7.100) counts as its port. A VLAN, bridge or loopback leads to no switch.
// Other names (bonds) may: what leaves by them is unknown, not lost.
//
// Result: adaptive tables, hashed by flow. The destinations of a terminal are the classes of
// addresses (route_classes.hpp) that its switch owns, one for each address of the LMC; that of a
// switch is its loopback. What no table can say is unknown: a class with several owners ends at
// each of them, a terminal whose switch owns no class, a switch without a file.

#include <string>

#include "io/tables/load_tables.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

// InputError if no file has routes of a switch of the fabric. `labels`: by channel, or empty.
LoadedTables read_routes(const std::string& path, const Fabric& fabric, const Names& labels,
                         int threads = 0);

}  // namespace fatwood
