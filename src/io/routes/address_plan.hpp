// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Addresses of a generated fabric of Ethernet switches, for its configuration and for tests.
//
//   switch number i                 loopback 10.255.X.Y/32, where 256 * X + Y = i
//   if it has hosts                 prefix 10.X.Y.0/24; the switch has its highest free address,
//                                   10.X.Y.254 unless a host is on port 254
//   host on port p of switch i      10.X.Y.p
//   port p of a switch              swpp
//
// Switches with hosts need a number below 65,280, others below 65,536.

#include <cstdint>
#include <optional>
#include <string>

#include "routing/tables/prefixes.hpp"
#include "routing/tables/routing.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

// "10.0.3.1"
std::string address_text(std::uint32_t address);

class AddressPlan {
 public:
  // InputError if the fabric has too many switches.
  explicit AddressPlan(const Fabric& fabric);

  std::uint32_t loopback(Switch s) const;
  // The addresses of hosts on it: the first of 256. No value if it has none.
  std::optional<std::uint32_t> prefix(Switch s) const;
  std::uint32_t gateway(Switch s) const;    // REQUIRES prefix(s)
  std::uint32_t address(Terminal t) const;  // REQUIRES a terminal on a switch
  // A name for files and host names: the display name, with other bytes than letters, digits, dots
  // and dashes replaced; unique.
  const std::string& name(Switch s) const { return names_[s]; }

 private:
  const Fabric& fabric_;
  Table<Switch, std::uint32_t> hosts_;
  Table<Switch, std::string> names_;
};

// The prefixes of the destinations of a routing, as the plan has them; empty if the fabric has too
// many switches for it.
Prefixes planned_prefixes(const Fabric& fabric, const Routing& routing);

}  // namespace fatwood
