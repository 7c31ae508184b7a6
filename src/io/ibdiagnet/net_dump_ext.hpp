// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ibdiagnet2.net_dump_ext: the signal of each port, one row per port, columns between colons.
//
//   Ty : #     : #IB : GUID               : ... : FEC mode       : ... : Raw BER : Effective BER :
//   ... SW : 1/1/2 : 2   : 0x00000000000000a1 : ... : RS_FEC_544_514 : ... : 2.1e-08 : 1.5e-254 :
//   ...
//
// The titles identify the columns. The last one, the name of the node, may contain colons. Cells
// are empty where ibdiagnet did not ask for BER (options --get_phy_info and --ber_test).

#include <string_view>

#include "io/base/input.hpp"
#include "io/ibdiagnet/side_data.hpp"

namespace fatwood {

bool looks_like_net_dump_ext(std::string_view head);
// Rows with too few columns, or without a GUID or a port, are skipped with a warning. InputError
// for rows before the titles, and for cells that should be numbers.
SideData read_net_dump_ext(Input& input);

}  // namespace fatwood
