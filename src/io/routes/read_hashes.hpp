// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How Ethernet switches hash flows, from a list or from databases of SONiC.
//
// A list has a line for each switch, or for all whose names begin alike; later lines win:
//
//   switch,function,fields,seed,offset
//   *,crc,src dst proto sport dport,10,0
//   spine*,crc,src dst proto sport dport,25,0
//
// SONiC (a file, or a folder or archive with one for each switch): SWITCH_HASH|GLOBAL has fields
// and function, SWITCH_TABLE:switch of APPL_DB the seed and the offset; without it the seed is that
// of the role in DEVICE_METADATA: ToRRouter 0, LeafRouter 10, SpineRouter 25 (all roles with that
// word in them).
//
// Queue pairs of two hosts differ in their UDP source port and in what InfiniBand's header says;
// fields without these treat all of them alike.

#include <string>
#include <vector>

#include "routing/adaptive/switch_hash.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

// By switch: equal streams where fields, function, seed and offset are equal; those not in the file
// hash by themselves. InputError if no switch of the fabric is in it.
std::vector<SwitchHash> read_hashes(const std::string& path, const Fabric& fabric);

}  // namespace fatwood
