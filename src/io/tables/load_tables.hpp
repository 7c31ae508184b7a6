// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Forwarding tables from a file, for a fabric that is known: the format is found by looking inside
// (lfts.hpp has three, far.hpp the adaptive one), gzip and xz as they are, "-" for standard input.
// Of a run of ibdiagnet (run_files.hpp), its far, or else its fdbs; of a folder with a dump for
// each switch, all of them.
//
// Owners of LIDs: a port GUID in a line that the fabric has decides (so a dump survives changed
// LIDs); otherwise the fabric's own LIDs; and for fabrics without any, those of assign_lids. The
// LMC is the fabric's, or what the file's LIDs imply. A warning says where GUIDs and LIDs
// contradict each other.

#include <string>
#include <vector>

#include "routing/tables/lid_contradictions.hpp"
#include "routing/tables/lids.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

class Input;

struct LoadedTables {
  ForwardingTables tables;
  PortSets sets;           // of adaptive tables
  UnknownEntries unknown;  // of plain tables
  Lids lids;
  LidContradictions contradictions;
  std::string format;                 // "lfts.dump", "dump_fts", "fdbs", "far"
  std::vector<std::string> warnings;  // unknown switches and LIDs, ports that do not exist, gaps
};

// InputError with file, line and column when it cannot be read or is of another fabric.
// `threads`: 0 for all cores.
LoadedTables load_tables(const std::string& path, const Fabric& fabric, int threads = 0);
LoadedTables read_tables(Input& input, const Fabric& fabric, int threads = 0);

}  // namespace fatwood
