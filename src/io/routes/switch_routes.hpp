// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The routes of one switch as its operating system lists them. Each form is recognised by content:
//
//   ip route; ip route show table all      Linux, as text
//   ip nexthop; ip -j route; ip -j nexthop  a route may show only the number of a next-hop object
//   show ip route json                     FRR: selected entries, hops that are in the FIB
//   show ip route                          FRR and SONiC, as text: "B>*  10.1.0.0/24 ... via ..."
//   APPL_DB                                SONiC's ROUTE_TABLE, with next-hop groups and the ports
//                                          of PortChannels (LAG_MEMBER_TABLE)
//   show ip route vrf all | json           Arista EOS
//   show route | display json              Junos
//
// Left out, because no traffic of hosts uses them: other tables than main and local (mgmt), other
// VRFs than the default one, multicast, broadcast, link-local addresses, routes by a management
// port (eth0, mgmt0, Management1, em0, fxp0), next hops that are down or inactive.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/input.hpp"
#include "io/base/warnings.hpp"

namespace fatwood {

// 128 bits, or 32 for IPv4.
struct IpAddress {
  std::uint64_t high = 0, low = 0;

  friend auto operator<=>(const IpAddress&, const IpAddress&) = default;
};

struct Prefix {
  bool six = false;  // IPv6
  IpAddress first;
  unsigned bits = 0;

  friend auto operator<=>(const Prefix&, const Prefix&) = default;
};

// "10.1.0.0/24", "10.1" is none; "default" has 0 bits; without a length: one address. Bits beyond
// the length are cleared.
std::optional<Prefix> parse_prefix(std::string_view text);
std::string to_string(const Prefix& prefix);
IpAddress last_address(const Prefix& prefix);

struct RouteHop {
  std::string port;  // as the switch names it
  std::uint32_t weight = 1;

  friend auto operator<=>(const RouteHop&, const RouteHop&) = default;
};

// The port of a next hop that the files do not tell: it leads to an unknown place.
inline constexpr std::string_view kMissingHop = "a next-hop group that is not in the files";

enum class RouteKind : std::uint8_t {
  kVia,        // to the next switch
  kConnected,  // the addresses are on this port
  kOwn,        // an address of the switch itself
  kNowhere,    // refused: blackhole, unreachable
};

struct SwitchRoute {
  Prefix prefix;
  RouteKind kind = RouteKind::kVia;
  std::uint32_t metric = 0;
  std::vector<RouteHop> hops = {};
  std::optional<std::uint64_t> object = {};  // of next hops, where `hops` is empty
};

struct SwitchRoutes {
  std::vector<SwitchRoute> routes;
  std::map<std::uint64_t, std::vector<RouteHop>> objects;
  std::map<std::uint64_t, std::vector<std::pair<std::uint64_t, std::uint32_t>>> groups;
  std::map<std::string, std::vector<std::string>> bonds;   // their ports, where a file tells them
  std::map<std::uint64_t, std::vector<RouteHop>> settled;  // by object, of settle_routes()
};

// Adds what the file has. False if it is none of these forms. InputError if it is broken.
bool read_switch_routes(Input& input, SwitchRoutes& routes, Warnings& warnings);
// Detects a form without reading all.
bool looks_like_routes(std::string_view head);

// To be called when all files of a switch are read: next-hop objects are resolved, routes that do
// not count are dropped, and of several routes to a prefix that of the lowest metric stays.
void settle_routes(SwitchRoutes& routes);
// Of a settled route: its own, or those of its object.
const std::vector<RouteHop>& hops_of(const SwitchRoutes& routes, const SwitchRoute& route);

// For the readers.
bool read_json_routes(Input& input, SwitchRoutes& routes);
bool is_management(std::string_view port);

}  // namespace fatwood
