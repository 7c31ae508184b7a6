// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A routing from files: tables (load_tables.hpp) and, if it has several lanes, the SL of each path
// (lane_file.hpp) and the VL of each SL (sl2vl_file.hpp). And files of a routing: its tables, and
// its addresses.

#include <ostream>
#include <string>
#include <vector>

#include "routing/tables/lids.hpp"
#include "routing/tables/path_source.hpp"
#include "routing/tables/prefixes.hpp"
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
  Prefixes prefixes;  // of routes of Ethernet switches
};

// InputError with file and line if one cannot be read or belongs to another fabric. `labels`: of
// ports, by channel.
LoadedRouting load_routing_files(const std::string& path, const Fabric& fabric,
                                 const LaneFiles& lanes = {}, int threads = 0,
                                 const Names& labels = {});

// Writes tables as `opensm -R file -U FILE` reads them (lfts.hpp), with the fabric's own LIDs, or
// those of assign_lids if it has none. "-" is standard output. InputError, with the path, if it
// cannot be written.
void save_tables(const std::string& path, const Fabric& fabric, const ForwardingTables& tables);

// Writes tables, and lanes as service levels (lane_file.hpp); "": not that one. Returns the files.
std::vector<std::string> save_routing(const std::string& tables, const std::string& levels,
                                      const Fabric& fabric, const Routing& routing,
                                      const Lids& lids);

// Which of 2^lmc addresses each source uses for each destination, for routings whose paths depend
// on the source (OSRM, MLID, ..). The address is the base LID of the destination plus an offset.
//
//   # source destination offset[,offset...]
//   H0 H1 0
//   H0 H4 0,2,3
//
// One line per pair, by source, then destination; terminals by name. Several offsets share the
// traffic equally.
void write_addresses(std::ostream& out, const Fabric& fabric, const AddressChoice& choice);

}  // namespace fatwood
