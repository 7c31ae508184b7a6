// SPDX-License-Identifier: BSD-3-Clause
// ecmp: the routes that BGP gives a Clos of Ethernet switches, with all equal paths in use.
//
// Problem: predict what switches have once BGP has settled, so that it can be proved and measured
// before it is configured (io/routes/frr_files.hpp writes that configuration).
// Method: AS numbers as in as_numbers.hpp; a session on each cable; `as-path multipath-relax`. For
// each destination switch, breadth-first: a switch takes all cables to neighbours whose path is one
// AS shorter than its own and does not have its AS. A switch announces one of its best paths; which
// one makes no difference in trees with cables between neighbouring levels only, because the levels
// of both ends determine the ASes in between.
// Result: one lane; an entry with several ports is a group, hashed by flow. Pairs that BGP leaves
// without a route, such as two spines, have none. On such trees packets go up, then down, so there
// is no deadlock. Cost: O(switches * cables), in parallel over destinations.
// Reference: RFC 7938.

#include <algorithm>
#include <vector>

#include "core/parallel.hpp"
#include "routing/adaptive/as_numbers.hpp"
#include "routing/adaptive/least_hop_groups.hpp"
#include "routing/engine_list.hpp"

namespace fatwood {

namespace {

using AsPath = std::vector<std::uint32_t>;

// The routes to one switch at a time.
class BgpSearch {
 public:
  BgpSearch(const Fabric& fabric, const Table<Switch, std::uint32_t>& as)
      : fabric_(fabric), as_(as), path_(fabric.num_switches()), ports_(fabric.num_switches()) {}

  // The ports of each switch; none where there is no route, and at the destination.
  const std::vector<PortMask>& run(Switch destination) {
    std::ranges::fill(path_, AsPath{});
    std::ranges::fill(ports_, PortMask{});
    path_[index(destination)] = {as_[destination]};
    std::vector<Switch> front{destination};
    while (!front.empty()) front = step(front);
    return ports_;
  }

 private:
  // The switches whose best paths are one longer than those of `front`.
  std::vector<Switch> step(const std::vector<Switch>& front) {
    std::vector<Switch> next, best;
    for (const Switch from : front) {
      const AsPath& path = path_[index(from)];
      for (const SwitchLink& link : fabric_.links(from)) {
        if (!path_[index(link.to)].empty()) continue;
        if (std::ranges::find(path, as_[link.to]) != path.end()) continue;
        PortMask& ports = ports_[index(link.to)];
        if (count_ports(ports) == 0) {
          next.push_back(link.to);
          best.push_back(from);
        }
        put(ports, fabric_.port(fabric_.peer(link.channel)));
      }
    }
    for (std::size_t i = 0; i < next.size(); ++i) {
      path_[index(next[i])] = path_[index(best[i])];
      path_[index(next[i])].push_back(as_[next[i]]);
    }
    return next;
  }

  const Fabric& fabric_;
  const Table<Switch, std::uint32_t>& as_;
  std::vector<AsPath> path_;     // by switch: the ASes that it announces; empty: no route yet
  std::vector<PortMask> ports_;  // by switch
};

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

}  // namespace

Routing route_ecmp(const Model& model, const RouteOptions& options) {
  const Fabric& fabric = model.fabric();
  const Table<Switch, std::uint32_t> as = as_numbers(model);
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
  PortSets sets = sets_of(fabric, groups, tables, "ecmp", hashed);
  return {.tables = std::move(tables), .sets = std::move(sets), .may_return = true};
}

}  // namespace fatwood
