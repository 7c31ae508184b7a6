// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Neighbours that a device has seen, as text, and SONiC's state of interfaces.
//
// lldpctl, lldpcli show neighbors (also in a show techsupport of SONiC):
//   Interface:    swp1, via: LLDP, RID: 2, Time: 0 day, 00:06:15
//     Chassis:
//       ChassisID:    mac 52:54:00:7f:7a:90
//       SysName:      spine1
//     Port:
//       PortID:       ifname swp7
//       PortDescr:    swp7
// lldpcli -f keyvalue:
//   lldp.swp1.chassis.name=spine1
//   lldp.swp1.port.ifname=swp7
// SONiC, show lldp table: the columns are where the header's words are.
//   LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr
//   Ethernet0    spine1          Eth1/1          BR            Ethernet0
// SONiC, show interfaces status (names, aliases and speeds):
//   Interface    Lanes      Speed    MTU    FEC    Alias    Vlan    Oper    Admin ...
//   Ethernet0    0,1,2,3    400G     9100   rs     Eth1/1   routed  up      up

#include "io/ethernet/reports.hpp"

namespace fatwood {

bool looks_like_lldpctl(std::string_view head);
void read_lldpctl(Input& input, DeviceReports& reports);
bool looks_like_keyvalue(std::string_view head);
void read_keyvalue(Input& input, DeviceReports& reports);
bool looks_like_lldp_table(std::string_view head);
void read_lldp_table(Input& input, DeviceReports& reports);
bool looks_like_interface_status(std::string_view head);
void read_interface_status(Input& input, DeviceReports& reports);

}  // namespace fatwood
