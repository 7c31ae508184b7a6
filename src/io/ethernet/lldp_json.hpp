// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Neighbours that a device has seen, as JSON.
//
// lldpd (lldpcli show neighbors -f json; -f json0 and Cumulus: a list around each value), and the
// device itself (lldpcli show chassis):
//   {"lldp": {"interface": [{"swp1": {"chassis": {"spine1": {"id": {"type": "mac", "value": ...}}},
//     "port": {"id": {"type": "ifname", "value": "swp7"}, "descr": "swp7"}}}]}}
//   {"local-chassis": {"chassis": {"leaf1": {"id": ...}}}}
// Arista EOS (show lldp neighbors detail | json), also without "detail":
//   {"lldpNeighbors": {"Ethernet1": {"lldpNeighborInfo": [{"systemName": "spine1", ...}]}}}
// Junos (show lldp neighbors | display json):
//   {"lldp-neighbors-information": [{"lldp-neighbor-information": [{...}]}]}

#include "io/ethernet/reports.hpp"
#include "io/ethernet/tree.hpp"

namespace fatwood {

// Each returns whether the value is of its kind.
bool read_lldpd(const Tree& value, DeviceReports& reports);
bool read_eos(const Tree& value, DeviceReports& reports);
bool read_junos(const Tree& value, DeviceReports& reports);

}  // namespace fatwood
