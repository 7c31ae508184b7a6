// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Generator of the real-life fabrics of [Bogdanski12]: boxes (648- or 3456-port switches, trees
// inside) over one layer of leaf or rack switches.
//
//   switch648       XGFT(2;18,36;1,18): 36-port parts, 54 switches, 648 terminals
//   switch3456      XGFT(3;12,12,24;1,12,12): 24-port parts, 720 switches, 3456 terminals
//   ...+racks       the same box over rack switches of 36 ports: 12 terminals, 12 up-links, and 9
//                   horizontal links to the other switch of its two-switch unit. 54 rack switches
//                   fill the 648-port box (108 switches in all), 288 the 3456-port box (1008).
//                   A rack's up-links go to 12 different line switches of the box; the 18 (or 12)
//                   racks of a group share the same 12 line switches.
//   juropa          432 leaves like those racks, in pairs, over eight 648-port boxes: 5184
//                   terminals, 864 switches. Pair k has three cables to line switch k/6 of every
//                   box: its first leaf two of them in boxes 0-3, its second two in boxes 4-7.
//   ranger          576 leaves of 24 ports (12 terminals, 12 up-links) over two 3456-port boxes of
//                   1440 switches: 6912 terminals, 2016 switches. Leaf r has six cables to line
//                   switch r/2 of each box.
//   directors       any number of 648-port boxes over leaves of 36 ports, cabled by hand: the
//                   up-links of a leaf go to line switches drawn at random, in bundles of 1 to 6
//                   cables. Two leaves may share a line switch with one cable each.
//
// [Bogdanski12] gives the totals. Where it gives no details (how many horizontal links, which line
// switch), we chose: 9 horizontal links as in the two-switch units that it cites, and cables spread
// so that every leaf reaches every spine of every box.
//
// Names: adapters "H<i>", leaves "L<i>", box switches "B<box>S<level>_<index>". On a leaf the
// up-ports come first, then terminals, then horizontal links. Cost: O(ports).

#include <cstdint>

#include "topology/fabric.hpp"

namespace fatwood {

TreeShape switch648_shape();
TreeShape switch3456_shape();
Fabric make_switch648_with_racks();
Fabric make_switch3456_with_racks();
Fabric make_juropa();
Fabric make_ranger();

struct Directors {
  std::uint32_t leaves = 0;
  std::uint32_t hosts = 0;     // on each leaf
  std::uint32_t up_links = 0;  // of each leaf
  std::uint32_t boxes = 1;
  std::uint64_t seed = 1;
};
// InputError if there are not enough ports.
Fabric make_directors(const Directors& wanted);

}  // namespace fatwood
