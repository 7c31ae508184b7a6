// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The dependency graph of tables on one lane if every switch sends: the common case, and the only
// one that looks at every entry.
//
// Every entry is the first hop of some packet. So switch s, whose entry leads to switch y, adds one
// dependency: on the entry of y in the same row.
// Method: for each switch and value of its entry, a set of the ports by which packets leave the
// next switch, one bit each. That order, not the order of arrivals at y, is the order in which rows
// are read. Each thread has its own sets; they are merged at the end. Some rows at a time are done
// switch by switch, so that a switch's sets stay in the first-level cache.
// Eight switches with equal entries and neighbours share one set (common_hops.hpp). Others need no
// branch: a value that leads to no switch leads to s itself, and its set is ignored; a port that
// cannot be in a set has an empty bit.
// Switches of more than 64 ports: one pass for each 64 ports of the next switch.
// Cost: about 6 instructions per entry, 2 if it is one of eight equal ones; 2 kB per switch, thread
// and pass.

#include "routing/tables/routing.hpp"
#include "topology/graph/hop_map.hpp"
#include "verify/deadlock/dependencies.hpp"

namespace fatwood {

// REQUIRES tables of this fabric's size (check_size). `map` is of the fabric.
DependencyGraph find_row_dependencies(const Fabric& fabric, const HopMap& map,
                                      const ForwardingTables& tables, int threads);

}  // namespace fatwood
