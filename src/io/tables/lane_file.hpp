// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lanes of routes as a file of service levels, the format that `ibdmchk -c` reads:
//
//   0x<GUID of the source node> <destination LID, decimal> <service level>
//
// One line for each source node and each address on a switch; sources in order, adapters before
// switches. Lane n is written as SL n, because SL-to-VL tables are the identity. A path depends on
// the switch where it starts, and so does its lane: nodes on one switch must have the same lane to
// an address. The format knows only nodes, so the SL of an adapter with several ports is that of
// all its ports: their switches must have the same lane, too (source_groups.hpp). Ports that cannot
// reach the address do not count. When read, blank lines and lines that begin with '#' are skipped.
//
// OpenSM's dump of path records is read, too, with one block per source port:
//
//   Channel Adapter 0x<GUID of the port>, base LID 2, "H0", port 1
//   # LID  : SL : MTU : RATE
//   0x0001 : 0  : 4   : 3                        (or UNREACHABLE)

#include <ostream>
#include <string>
#include <string_view>

#include "routing/tables/lids.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

class Input;

bool looks_like_levels(std::string_view head);

// PromiseError if the ports of an adapter have different lanes to an address.
void write_lanes(std::ostream& out, const Fabric& fabric, const Routing& routing, const Lids& lids);

// Lanes, and the number of paths from one switch to an address on another that the file lacks;
// these have lane 0.
struct FileLanes {
  Lanes lanes;
  std::uint64_t left_out = 0;
  std::uint64_t left_out_hosts = 0;  // of these, from a switch with terminals to a terminal
  Switch first_source = kNone<Switch>;
  Destination first_destination = kNone<Destination>;
};

// The lanes of tables with known LIDs. InputError with line and column for an unknown GUID or LID,
// an SL above 15, or two sources on one switch with different lanes to the same address. A source
// without a line has the lane of the others on its switch.
FileLanes read_lanes(Input& input, const Fabric& fabric, const ForwardingTables& tables,
                     const Lids& lids);
FileLanes load_lanes(const std::string& path, const Fabric& fabric, const ForwardingTables& tables,
                     const Lids& lids);

}  // namespace fatwood
