// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A folder with everything that OpenSM needs to use Fatwood's routes without the plug-in, or its
// own engines with Fatwood's hints:
//
//   lfts           the tables, for `opensm -R file -U lfts`
//   guid2lid       the LIDs of the tables, for OSM_CACHE_DIR: "0x<port GUID> 0x<first> 0x<last>"
//   roots.guids    the top switches, for -a
//   compute.guids  the compute nodes' ports, for -u
//   io.guids       ports of all other hosts, for -G
//   sl             the service level of each path, if there is more than one lane
//   commands       what to type
//   opensm.conf    lines for OpenSM's configuration: for the plug-in, and as comments for the
//   tables
//                  (for an algebraic routing, which the plug-in has not, for the tables alone)
//
// The three lists of GUIDs are described in opensm_lists.hpp; they are left out if OpenSM's ftree
// would not accept them.

#include <cstdint>
#include <string>
#include <vector>

#include "io/base/output.hpp"
#include "routing/tables/lids.hpp"
#include "routing/tables/routing.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

// The files that will be written to the folder, for the check before any work is done.
void add_opensm_outputs(Outputs& outputs, const std::string& option, const std::string& folder);

// Creates the folder if necessary. Returns the files written. InputError if one cannot be written.
// All are written before the first appears.
std::vector<std::string> write_opensm_files(const std::string& folder, const Fabric& fabric,
                                            const Routing& routing, const Lids& lids,
                                            const Levels& levels);

// The tables of each round of a transition, and the commands that give them to OpenSM one after the
// other: FOLDER/round1.lft, FOLDER/round2.lft, ..., FOLDER/commands. A file has the complete tables
// of the switches after its round.
struct RoundNotes {
  std::uint64_t entries = 0;       // that the round changes
  bool drain = false;              // old packets must be gone before the next round
  std::vector<std::string> order;  // of switches, if it matters
};

// For the check before anything is written.
void add_round_outputs(Outputs& outputs, const std::string& option, const std::string& folder);

// InputError if they cannot be written. REQUIRES as many notes as tables.
void write_round_files(const std::string& folder, const Fabric& fabric, const Lids& lids,
                       const std::vector<ForwardingTables>& rounds,
                       const std::vector<RoundNotes>& notes);

}  // namespace fatwood
