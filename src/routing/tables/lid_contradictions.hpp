// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// LIDs on which a file of tables and the fabric disagree: the port GUID next to the LID is of
// another port than the one that has the LID in the fabric. The GUIDs count where tables are read
// (io/tables/load_tables.hpp); switches know LIDs only.

#include <cstddef>
#include <string>

#include "core/ids.hpp"

namespace fatwood {

struct LidContradictions {
  std::size_t lids = 0;
  Lid first = kNoLid;
  std::string by_guid;    // whose it is by the GUID
  std::string in_fabric;  // whose it is in the fabric; "" when no port has it
};

}  // namespace fatwood
