// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which of 2^lmc addresses each source uses for each destination, for routings whose paths depend
// on the source (OSRM, MLID, ..). The address is the base LID of the destination plus an offset.
//
//   # source destination offset[,offset...]
//   H0 H1 0
//   H0 H4 0,2,3
//
// One line per pair, by source, then destination; terminals by name. Several offsets share the
// traffic equally.

#include <ostream>

#include "routing/tables/path_source.hpp"

namespace fatwood {

void write_addresses(std::ostream& out, const Fabric& fabric, const AddressChoice& choice);

}  // namespace fatwood
