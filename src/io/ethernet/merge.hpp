// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One fabric of all reports.
//
// Cables. Each neighbour that a port names is a claim. What both ends claim is one cable; a claim
// of one end is one, too, if the other end is silent or names nothing at that port. Of claims that
// contradict each other, those that both ends make are taken, then the first in the order of names;
// the others are warnings with both places. Left out are:
// - management ports, VLANs, bundles of several ports, sub-interfaces (their ports count);
// - switches most of whose cables end at management ports;
// - a port with several neighbours (a hub, or an L2 network in between), with a warning. One that
//   has a name counts more than any that have none: adapters answer for themselves, too.
// Two switches that name one port of a silent host have a cable each: hosts name bonds so.
//
// Seen and meant. If any cable is seen, cables that are only meant count where their other device
// is silent, and differences are warnings. Otherwise the meant ones are the fabric, and it is a
// plan.
//
// Nodes. A switch has its known ports, numbered as port_numbers.hpp says, with their names as
// labels. A host has an adapter for each cable: "gpu1 ens4f0np0".
//
// Speeds. A cable has the lower speed of its ends (a warning if they differ); else the requested
// one, else the most common one, else what autonegotiation says, else 100G with a note.

#include "io/base/loaded_fabric.hpp"
#include "io/ethernet/port_numbers.hpp"
#include "io/ethernet/reports.hpp"

namespace fatwood {

// `name`: of the file, folder or archive. InputError if no report has a cable, a switch has more
// than 254 ports, or a rate is not one of Ethernet's.
LoadedFabric merge_reports(std::vector<DeviceReport> reports, const std::string& name,
                           Warnings warnings, const LoadOptions& options);

}  // namespace fatwood
