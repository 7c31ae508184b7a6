// SPDX-License-Identifier: BSD-3-Clause
// dnup: Up*/Down* ranked from the hosts instead of the roots, for trees with hosts near the top.
// The tables are those of OpenSM 3.3.23 (`opensm -R dnup`), entry by entry.
//
// Problem: updn ranks a switch by its distance to the roots. So for hosts on middle switches the
// tree is upside down.
// Method: the rank of a switch is its distance to the nearest switch with end ports. A route goes
// away from hosts, then back; it may cross between equal ranks anywhere (turn_search.hpp). Ports
// are balanced by opensm_balance.hpp. Hints of the user (roots, compute nodes) play no part.
// Result: tables on one lane. Crossings between equal ranks can close cycles of dependencies, and
// pairs without such a path have no route. PromiseError if no switch has hosts.
// Cost: as updn.

#include "core/error.hpp"
#include "routing/engine_list.hpp"
#include "routing/shortest/turn_search.hpp"

namespace fatwood {

Routing route_dnup(const Model& model, const RouteOptions& options) {
  const PortGraph& graph = model.port_graph();
  const Table<Switch, std::uint32_t> end_ports = terminals_on(model.fabric());
  std::vector<Switch> leaves;
  for (const Switch s : ids<Switch>(graph.size())) {
    if (end_ports[s] > 0) leaves.push_back(s);
  }
  if (leaves.empty()) {
    throw PromiseError(
        "dnup ranks switches from those with hosts, and no switch has one; OpenSM would run "
        "minhop");
  }
  const auto level = [](Switch, Switch) { return Turn::kLevel; };
  const TurnRule rule{.first = Turn::kDown,
                      .before = Turn::kUp,
                      .after = Turn::kDown,
                      .turn = turns_by_rank(graph, hops_from(graph, leaves), level)};
  return {.tables = opensm_balance(model, search_turns(graph, rule, options.threads), options)};
}

}  // namespace fatwood
