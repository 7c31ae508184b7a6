// SPDX-License-Identifier: BSD-3-Clause
// ecmp, ospf: the routes of Ethernet switches with all equal paths in use.
//
// Problem: predict what switches have once BGP or OSPF has settled, so that it can be proved and
// measured before it is configured (io/routes/switch_files.hpp writes that of BGP).
// ecmp: BGP, with the AS numbers of as_numbers.hpp, a session on each cable, `as-path
// multipath-relax`. Pairs that BGP leaves without a route, such as two spines, have none. On trees
// with cables between neighbouring levels only, packets go up, then down, so there is no deadlock.
// ospf: all shortest paths, as OSPF gives, or BGP with an AS for each switch. Damaged trees can
// have valleys, and pauses can lock up.
// Method: bgp_search.hpp for each destination switch.
// Result: one lane; an entry with several ports is a group, hashed by flow.
// Cost: O(switches * cables), in parallel over destinations.
// Reference: RFC 7938.

#include <algorithm>
#include <vector>

#include "core/parallel.hpp"
#include "routing/adaptive/as_numbers.hpp"
#include "routing/adaptive/bgp_search.hpp"
#include "routing/adaptive/least_hop_groups.hpp"
#include "routing/engine_list.hpp"

namespace fatwood {

namespace {

// A default port for each destination: they take turns. Nothing depends on it while groups are in
// use.
ForwardingTables default_ports(const Fabric& fabric, const std::vector<PortMask>& masks) {
  ForwardingTables tables(fabric.num_terminals(), fabric.num_switches(), 0);
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const Switch home = home_of(fabric, tables, destination);
    if (home == kNone<Switch>) continue;
    const std::span<Port> row = tables.row(destination);
    for (std::size_t s = 0; s < row.size(); ++s) {
      const PortMask& mask = masks[index(home) * row.size() + s];
      const int ports = count_ports(mask);
      if (ports == 0) continue;
      int turn = static_cast<int>(index(destination) % static_cast<std::uint32_t>(ports));
      each_port(mask, [&](Port port) {
        if (turn-- == 0) row[s] = port;
      });
    }
    row[index(home)] = own_port(fabric, tables, destination);
  }
  return tables;
}

Routing route_equal_paths(const Fabric& fabric, const Table<Switch, std::uint32_t>& as,
                          std::string_view engine, const RouteOptions& options) {
  const std::size_t switches = fabric.num_switches();
  std::vector<PortMask> masks(switches * switches);  // [destination][switch]
  parallel_with(
      BgpSearch(fabric, as), switches, options.threads,
      [&](std::size_t d, BgpSearch& search) {
        const std::vector<PortMask>& found = search.run(static_cast<Switch>(d));
        std::ranges::copy(found, masks.begin() + static_cast<std::ptrdiff_t>(d * switches));
      },
      1);
  GroupTable groups{std::vector<std::vector<PortMask>>(switches, {PortMask{}}),
                    std::vector<std::uint16_t>(switches * switches),
                    {}};
  for (std::size_t at = 0; at < masks.size(); ++at) {
    if (count_ports(masks[at]) < 2) continue;
    groups.number[at] = groups.number_of(at % switches, masks[at]);
  }
  RouteOptions hashed = options;
  if (hashed.choice == EntryState::kFree) hashed.choice = EntryState::kHashed;  // what ECMP does
  ForwardingTables tables = default_ports(fabric, masks);
  PortSets sets = sets_of(fabric, groups, tables, engine, hashed);
  return {.tables = std::move(tables), .sets = std::move(sets), .may_return = true};
}

}  // namespace

Routing route_ecmp(const Model& model, const RouteOptions& options) {
  return route_equal_paths(model.fabric(), as_numbers(model), "ecmp", options);
}

Routing route_ospf(const Model& model, const RouteOptions& options) {
  return route_equal_paths(model.fabric(), own_as_numbers(model.fabric()), "ospf", options);
}

}  // namespace fatwood
