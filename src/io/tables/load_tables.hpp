// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Loads forwarding tables for a known fabric. The format is detected by content (lfts.hpp has
// three, far.hpp the adaptive one); gzip and xz are decompressed; "-" is standard input. A run of
// ibdiagnet (run_files.hpp) gives its far, or else its fdbs. A folder with one dump per switch
// gives all. Other folders and archives are routes of Ethernet switches (io/routes).
//
// Which port has a LID: a port GUID in a line decides if the fabric has it, so a dump survives
// changed LIDs. Otherwise the fabric's own LIDs decide; for fabrics without LIDs, those of
// assign_lids. The LMC is that of the fabric, or follows from the LIDs in the file. A warning lists
// contradictions between GUIDs and LIDs.

#include <string>
#include <vector>

#include "routing/tables/lids.hpp"
#include "routing/tables/prefixes.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

class Input;

struct LoadedTables {
  ForwardingTables tables;
  PortSets sets;            // for adaptive tables
  UnknownEntries unknown;   // for plain tables, and routes of Ethernet switches
  bool may_return = false;  // Routing::may_return
  Prefixes prefixes;        // of routes of Ethernet switches
  Lids lids;
  LidContradictions contradictions;
  std::string format;                 // "lfts.dump", "dump_fts", "fdbs", "far", "routes"
  std::vector<std::string> warnings;  // unknown switches and LIDs, ports that do not exist, gaps
};

// InputError with file, line and column if it cannot be read or belongs to another fabric.
// `threads`: 0 for all cores. `labels`: of ports, by channel; names of Ethernet ports.
LoadedTables load_tables(const std::string& path, const Fabric& fabric, int threads = 0,
                         const Names& labels = {});
LoadedTables read_tables(Input& input, const Fabric& fabric, int threads = 0);

}  // namespace fatwood
