// SPDX-License-Identifier: BSD-3-Clause
// updn: Up*/Down* routing from roots. The tables are those of OpenSM 3.3.23 (`opensm -R updn`),
// entry by entry.
//
// Problem: find shortest paths that go up, then down.
// Method: the rank of a switch is its distance to the nearest root: those given, or those that
// OpenSM finds (opensm_roots.hpp). Up is to a lower rank, of equal ranks to the smaller GUID;
// cables between roots always count as up. OpenSM's search (turn_search.hpp) finds the ports,
// opensm_balance.hpp chooses.
// Result: tables on one lane. Pairs without such a path have no route, two roots for example. In
// trees ranked by level routes between hosts have no cycle of dependencies. In other graphs, or
// where OpenSM takes most switches as roots, they may have one: updn+ has none.
// PromiseError if a component with hosts has no root. OpenSM would run minhop there.
// Cost: O(switches * cables), O(1) per table entry.

#include <fmt/format.h>

#include "core/error.hpp"
#include "routing/engine_list.hpp"
#include "routing/shortest/opensm_roots.hpp"
#include "routing/shortest/turn_search.hpp"

namespace fatwood {

Routing route_updn(const Model& model, const RouteOptions& options) {
  const Fabric& fabric = model.fabric();
  const PortGraph& graph = model.port_graph();
  const std::vector<Switch> roots = opensm_roots(model, options.threads);
  if (const Switch s = switch_without_root(model, roots); s != kNone<Switch>) {
    throw PromiseError(
        fmt::format("OpenSM's search finds no root for {}, so that opensm -R updn would run "
                    "minhop. Give roots (opensm -a), or take updn+",
                    unique_name(fabric, s)));
  }
  const Table<Switch, std::uint32_t> rank = hops_from(graph, roots);
  const auto equal = [&](Switch a, Switch b) {
    const bool up = rank[a] == 0 || fabric.guid(fabric.node(a)) > fabric.guid(fabric.node(b));
    return up ? Turn::kUp : Turn::kDown;
  };
  const TurnRule rule{.first = Turn::kUp,
                      .before = Turn::kDown,
                      .after = Turn::kUp,
                      .turn = turns_by_rank(graph, rank, equal)};
  return {.tables = opensm_balance(model, search_turns(graph, rule, options.threads), options)};
}

}  // namespace fatwood
