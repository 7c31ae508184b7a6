// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A routing from files: tables (load_tables.hpp) and, if it has several lanes, the SL of each path
// (lane_file.hpp) and the VL of each SL (sl2vl_file.hpp).

#include <string>
#include <vector>

#include "routing/tables/lid_contradictions.hpp"
#include "routing/tables/lids.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

// "" for none.
struct LaneFiles {
  std::string sl;
  std::string sl2vl;
  bool whole = false;  // a file of SLs that lacks paths is an error, not a warning
};

struct LoadedRouting {
  Routing routing;  // its engine is the path of the tables
  Lids lids;
  std::vector<std::string> warnings;
  LidContradictions contradictions;
};

// InputError with file and line if one cannot be read or belongs to another fabric.
LoadedRouting load_routing_files(const std::string& path, const Fabric& fabric,
                                 const LaneFiles& lanes = {}, int threads = 0);

}  // namespace fatwood
