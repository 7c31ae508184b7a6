// SPDX-License-Identifier: BSD-3-Clause
// dfsssp: the routes of sssp, assigned to virtual lanes so that no lane has a cycle of
// dependencies.
//
// Problem: find a lane for each (source switch, destination) such that the dependencies between
// links in each lane have no cycle. All switches count as sources and destinations.
// Method: take sssp's tables. For each destination, terminals first, from the destination outwards,
// add the route of each switch to the first lane where its dependencies close no cycle
// (layers.hpp). Switches that an adapter joins share a lane, and are added together
// (source_groups.hpp). A tree of routes adds one dependency per switch, however many sources are
// behind it, and most of them exist already. If the route of a switch does not fit a lane, neither
// do the routes through it. Result: tables, and a row of lanes for each destination; equal rows are
// stored once. Cost: that of sssp, O(1) per table entry, and a search for each new dependency
// (layers.hpp). Paper: [Domke11], as in section 3 of [Bogdanski12]. There, cycles are searched for
// afterwards and broken at their weakest dependency. Here they never arise, and most dependencies
// need no search.

#include <algorithm>
#include <optional>

#include "core/time_limit.hpp"
#include "routing/engine_list.hpp"
#include "routing/shortest/layers.hpp"
#include "routing/shortest/nearer_links.hpp"
#include "routing/shortest/sssp.hpp"
#include "routing/tables/source_groups.hpp"

namespace fatwood {

namespace {

struct Laid {
  unsigned count = 1;
  std::vector<std::uint8_t> rows;  // [destination][switch]
};

// The input of each try.
struct Routes {
  const Fabric& fabric;
  const LinkGraph& links;
  Heights heights;
  const std::vector<std::uint16_t>& hops;
  const ForwardingTables& tables;
  SourceGroups groups;
};

std::optional<Laid> lay_in_lanes(const Routes& routes, LaneSearch search, unsigned limit) {
  const auto& [fabric, links, heights, hops, tables, groups] = routes;
  const std::size_t n = links.switches;
  Layers layers(links, heights, search);
  const unsigned most = limit + layers.fixed();
  Laid laid;
  laid.rows.assign(tables.num_destinations() * n, 0);
  std::vector<Link> next(n);
  std::vector<std::uint32_t> order;
  std::vector<std::vector<Fit>> known;
  std::vector<bool> done(n);  // for the destination at hand
  Switch at = kNone<Switch>;
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const Switch last = home_of(fabric, tables, destination);
    if (last == kNone<Switch>) continue;
    check_time();
    if (last != at) order = by_distance(links, {hops.data() + index(last) * n, n});
    at = last;
    const auto row = tables.row(destination);
    for (const std::uint32_t s : order) next[s] = links.link(s, row[s]);
    next[index(last)] = kNone<Link>;
    for (auto& lane : known) std::ranges::fill(lane, Fit::kUnknown);
    std::uint8_t* const lanes = laid.rows.data() + index(destination) * n;
    done.assign(n, false);
    for (const std::uint32_t s : order) {
      if (done[s]) continue;
      const std::span<const std::uint32_t> sources = groups.of(s);
      unsigned lane = 0;
      while (true) {
        if (lane == most) return std::nullopt;
        if (lane == known.size()) known.emplace_back(n, Fit::kUnknown);
        if (layers.add_routes(lane, sources, next, known[lane])) break;
        ++lane;
      }
      layers.commit(lane);
      for (const std::uint32_t source : sources) {
        lanes[source] = static_cast<std::uint8_t>(lane);
        done[source] = true;
      }
    }
  }
  laid.count = drop_empty_lanes(laid.rows);
  if (laid.count > limit) return std::nullopt;
  return laid;
}

}  // namespace

Routing route_dfsssp(const Model& model, const RouteOptions& options) {
  const Fabric& fabric = model.fabric();
  const LinkGraph& links = model.link_graph();
  const std::vector<std::uint16_t> hops = hop_counts(model.port_graph(), options.threads);
  ForwardingTables tables = sssp_tables(model, hops, options);
  const Routes routes{fabric, links,  height_above_hosts(model),
                      hops,   tables, SourceGroups(fabric, model.components())};
  Laid laid{kMostLanes + 1, {}};
  for (const LaneSearch search : {LaneSearch::kQuick, LaneSearch::kThorough}) {
    if (!are_many(laid.count, links, options)) break;
    auto fewer = lay_in_lanes(routes, search, limit_of_try(search, laid.count, options));
    if (fewer) laid = *std::move(fewer);
  }
  require_lanes("dfsssp", laid.count, options);
  Lanes lanes = pack_lanes(laid.count, links.switches, laid.rows);
  return {.tables = std::move(tables), .lanes = std::move(lanes)};
}

}  // namespace fatwood
