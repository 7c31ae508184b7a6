// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Names of Ethernet interfaces, as switches and hosts print them.
//
//   swp1, swp1s0                 Cumulus: port 1, and the first part of a split port 1
//   Ethernet4, Ethernet1/1, Et1  SONiC, NX-OS, EOS; "Eth1/1" and "Ethernet1/1" are the same
//   ethernet-1/1, e1-1           SR Linux and its short form in containerlab
//   et-0/0/1, xe-0/0/1:2         Junos
//   eth1, ens4f0np0, mlx5_0      hosts

#include <cstdint>
#include <string>
#include <string_view>

namespace fatwood {

enum class InterfaceUse : std::uint8_t {
  kPort,        // a socket for a cable
  kManagement,  // eth0, mgmt0, Management1, em0, fxp0, ma1, ...
  kLogical,     // swp1.100: a sub-interface
  kBundle,      // bond1, PortChannel1, Port-Channel1, ae0: several ports
  kVirtual,     // Vlan100, lo, br0, docker0, vxlan1
};

// One text for all spellings of an interface: in lower case, with the long words.
std::string canonical_interface(std::string_view name);
InterfaceUse interface_use(std::string_view name);
// Whether only switches, or only hosts, have interfaces of this name. "eth1" is neither.
bool is_switch_interface(std::string_view name);
bool is_host_interface(std::string_view name);
// Whether this is a name of an interface, and not a remark or an address.
bool is_interface(std::string_view name);

}  // namespace fatwood
