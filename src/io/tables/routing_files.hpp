// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A routing from files: tables (load_tables.hpp), and where it has several lanes the service level
// of each path (lane_file.hpp) and the lane of each level (sl2vl_file.hpp).

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
  bool whole = false;  // a file of levels that leaves paths out is an error, not a warning
};

struct LoadedRouting {
  Routing routing;  // the engine is the path of the tables
  Lids lids;
  std::vector<std::string> warnings;
  LidContradictions contradictions;
};

// InputError with file and line when one cannot be read or is of another fabric.
LoadedRouting load_routing_files(const std::string& path, const Fabric& fabric,
                                 const LaneFiles& lanes = {}, int threads = 0);

}  // namespace fatwood
