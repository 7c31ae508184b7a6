// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The configuration of a generated fabric of Ethernet switches that run Linux, one folder a switch:
//
//   DIR/addresses.csv      all addresses (address_plan.hpp) and AS numbers (as_numbers.hpp)
//   DIR/NAME/interfaces    commands of iproute2: ports up, addresses, forwarding, hashing by flow
//   DIR/NAME/frr.conf      for zebra and bgpd of FRR: BGP unnumbered, a session on each cable,
//                          equal paths through several ASes in use. It gives the routes of the
//                          engine ecmp (routing/adaptive/ecmp.cpp).
//   DIR/NAME/routes        instead of frr.conf: commands of iproute2 that set the routes of any
//                          engine. A next hop is the neighbour's loopback, on the cable's port.

#include <string>
#include <vector>

#include "io/base/output.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

// For the check before any work is done.
void add_switch_outputs(Outputs& outputs, const std::string& option, const std::string& folder);

// Both return the files written, which appear together. InputError if one cannot be written, or if
// the fabric has more switches than there are addresses.
std::vector<std::string> write_frr(const std::string& folder, const Model& model);
// InputError if terminals of one switch have different routes: they share a prefix.
std::vector<std::string> write_static_routes(const std::string& folder, const Model& model,
                                             const Routing& routing);

}  // namespace fatwood
