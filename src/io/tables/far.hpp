// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ibdiagnet2.far: groups of ports and adaptive forwarding tables, as `ibdiagnet -r` dumps them.
//
//   File version: 2
//
//   Switch 0x0000000000001001
//   (any lines)
//
//   Groups Definition:
//   Group   Sub Group   WHBF    Ports
//   ------------------------------------
//   1       0           0       3,4,
//   1       1           0
//
//   LFT Definition:
//   PLFT_NUM: 0, top: 0x0008
//   LID       Static Port   Lid State   Group
//   ------------------------------------
//   0x0005    1             Static      0
//   0x0007    4             Free        1
//
// States are Static, Free, Bounded and HBF (hashed). An older layout lacks the column WHBF (the
// weight of a sub-group for hashing), an even older one also that of sub-groups; the titles tell.
// The group of a static row is meaningless. Port 255 or a missing row means no route. A file may
// have several tables per switch (PLFT_NUM); they must be equal.

#include <ostream>
#include <string_view>

#include "io/base/input.hpp"
#include "io/tables/lid_tables.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

bool looks_like_far(std::string_view head);

// Like read_lfts, in one pass, on this many threads (0: all cores). Memory: two bytes per (named
// LID, switch), and some tens of megabytes per thread, each of which takes parts of `part_bytes`.
LidTables read_far(Input& input, const Fabric& fabric, Warnings& warnings, int threads = 0,
                   std::size_t part_bytes = std::size_t{16} << 20U);

// For any routing with tables; without sets, all rows are static.
void write_far(std::ostream& out, const Fabric& fabric, const Routing& routing, const Lids& lids);

}  // namespace fatwood
