// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// LIDs on which a file of tables and the fabric disagree: the port GUID next to the LID in the file
// belongs to another port than the one with that LID in the fabric. io/tables/load_tables.hpp then
// follows the GUIDs and reports these LIDs, because switches forward by LID only.

#include <cstddef>
#include <string>

#include "core/ids.hpp"

namespace fatwood {

struct LidContradictions {
  std::size_t lids = 0;
  Lid first = kNoLid;
  std::string by_guid;    // the port with the GUID
  std::string in_fabric;  // the port with the LID in the fabric; "" if there is none
};

}  // namespace fatwood
