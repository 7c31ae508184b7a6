// lash: shortest paths between switches, layered into virtual lanes by pair.
//
// Problem: one shortest path for each pair of switches, used by all terminals on them, and a lane
// for the pair, the same in both directions, so that no lane has a cycle of waits.
// Method: trees of fewest hops to each switch, links taken in turn as minhop does (balance.hpp,
// without the terminals); then pairs in order of their numbers: the two routes of a pair go into
// the first lane that can take both (layers.hpp).
// Result: a terminal's rows are its leaf's, but for the leaf's own entry. Lanes: one row for each
// switch, shared by what hangs on it.
// Cost: O(hops) a pair, the search of each new wait (layers.hpp), O(1) a table entry.
// Paper: Skeie, Lysne, Theiss, "Layered shortest path (LASH) routing in irregular system area
// networks" (2002), as in 003's section 3.

#include <algorithm>

#include "core/parallel.hpp"
#include "routing/balance.hpp"
#include "routing/engine_list.hpp"
#include "routing/layers.hpp"

namespace fatwood {

namespace {

// Next links [destination][switch].
std::vector<std::uint32_t> next_links(const LinkGraph& links, const ForwardingTables& tables) {
  const std::size_t n = links.switches;
  std::vector<std::uint32_t> next(n * n, Layers::kNoLink);
  for (std::uint32_t d = 0; d < n; ++d) {
    const auto row = tables.row(tables.target(Switch{d}));
    for (std::uint32_t s = 0; s < n; ++s) {
      if (s != d && row[s] != kNoRoute) next[d * n + s] = links.link(s, row[s]);
    }
  }
  return next;
}

struct PairLanes {
  unsigned count = 1;
  std::vector<std::uint8_t> lane;  // [destination][switch]
};

PairLanes lay_pairs(const Fabric& fabric, const LinkGraph& links,
                    const std::vector<std::uint32_t>& next) {
  const std::size_t n = links.switches;
  Layers layers(links, height_above_hosts(fabric, links));
  std::vector<std::vector<Fit>> known;  // by lane: [destination][switch]
  PairLanes pairs;
  pairs.lane.assign(n * n, 0);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      if (next[b * n + a] == Layers::kNoLink) continue;  // in different parts of the fabric
      for (unsigned lane = 0;; ++lane) {
        if (lane == known.size()) known.emplace_back(n * n, Fit::kUnknown);
        const auto fits = [&](std::size_t from, std::size_t to) {
          return layers.add_route(lane, static_cast<std::uint32_t>(from), {next.data() + to * n, n},
                                  {known[lane].data() + to * n, n});
        };
        if (!fits(a, b) || !fits(b, a)) continue;
        pairs.lane[b * n + a] = pairs.lane[a * n + b] = static_cast<std::uint8_t>(lane);
        break;
      }
    }
  }
  pairs.count = layers.count();
  return pairs;
}

// Each terminal's row is a copy of its leaf's.
void copy_to_terminals(const Fabric& fabric, ForwardingTables& tables, int threads) {
  parallel_for(
      fabric.num_terminals(), threads,
      [&](std::size_t i, int) {
        const auto t = static_cast<Terminal>(i);
        if (fabric.leaf(t) == kNone<Switch>) return;
        const Target target = tables.target(t);
        std::ranges::copy(tables.row(tables.target(fabric.leaf(t))), tables.row(target).begin());
        tables.row(target)[index(fabric.leaf(t))] = own_port(fabric, tables, target);
      },
      256);
}

}  // namespace

Routing route_lash(const Fabric& fabric, const RouteOptions& options) {
  const PortGraph graph = port_graph(fabric);
  const LinkGraph links = link_graph(fabric, graph);
  Routing routing;
  routing.engine = "lash";
  routing.tables = balance_switches(fabric, graph, hop_counts(graph, options.threads), options);
  const PairLanes pairs = lay_pairs(fabric, links, next_links(links, routing.tables));
  require_lanes("lash", pairs.count, options);
  copy_to_terminals(fabric, routing.tables, options.threads);
  std::vector<std::uint32_t> row_of(routing.tables.num_targets());
  for (const Target target : ids<Target>(row_of.size())) {
    const Switch at = routing.tables.is_switch(target)
                          ? routing.tables.as_switch(target)
                          : fabric.leaf(routing.tables.terminal(target));
    row_of[index(target)] = at == kNone<Switch> ? 0 : index(at);
  }
  routing.lanes = pack_lanes(pairs.count, links.switches, pairs.lane, row_of);
  return routing;
}

}  // namespace fatwood
