// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// LIDs on which a file of tables and the fabric disagree: the port GUID next to a LID belongs to
// another port than the one that has the LID in the fabric. io/tables/load_tables.hpp then believes
// the GUIDs. Switches know only LIDs.

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
