// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The address (of 2^lmc) that each source uses for each destination, for routings whose paths
// depend on the source (OSRM, MLID, ..): the address is the destination's base LID plus an offset.
//
//   # source destination offset[,offset...]
//   H0 H1 0
//   H0 H4 0,2,3
//
// One line a pair, in the order of sources, then destinations; terminals by name. Several offsets
// share the traffic evenly.

#include <ostream>

#include "routing/tables/path_source.hpp"

namespace fatwood {

void write_addresses(std::ostream& out, const Fabric& fabric, const AddressChoice& choice);

}  // namespace fatwood
