// SPDX-License-Identifier: BSD-3-Clause
// sssp: shortest paths to one destination after the other, with weights that grow with use.
//
// Problem: among paths with the fewest hops, find those that spread the traffic of all pairs over
// the links of the whole fabric, not only over the ports of each switch.
// Method: the weight of a link is the number of routes between terminals that use it so far. For
// each destination in order, every switch chooses, among the links one hop nearer, the one with the
// lightest path to the destination (Dijkstra's algorithm; hops come before weights, so an order by
// hops replaces the queue). Then the weight of each link of the tree grows by the number of
// terminals behind it. Distances are computed once for all terminals of a leaf. Counted terminals,
// other terminals and switches have separate weights (balance.hpp). The addresses of one terminal
// first avoid the links of its earlier addresses.
// Result: tables on one lane, which may have cycles of dependencies. On a tie the lowest link of
// the switch is used.
// Cost: O(links one hop nearer) per destination.
// Paper: [Hoefler09], as in section 3 of [Bogdanski12].

#include "routing/shortest/sssp.hpp"

#include <array>

#include "routing/engine_list.hpp"
#include "routing/shortest/balance.hpp"
#include "routing/shortest/nearer_links.hpp"

namespace fatwood {

namespace {

using Weights = Table<Link, std::uint64_t>;
using Amounts = LightestTree::Amounts;

// The traffic of each switch, in units of weight.
struct Sources {
  Amounts terminals;  // one for each terminal on it
  Amounts itself;     // one: routes to switches
};

Sources count_sources(const Fabric& fabric) {
  Sources sources{Amounts(fabric.num_switches()), Amounts(fabric.num_switches(), kWeightUnit)};
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) sources.terminals[index(fabric.leaf(t))] += kWeightUnit;
  }
  return sources;
}

// Routes the destinations of one run. Links of a terminal's earlier addresses are avoided until its
// last address.
void lay_run(const Fabric& fabric, const LinkGraph& links, const NearerLinks& nearer,
             const Run& run, std::span<const Destination> destinations, const Amounts& sources,
             Weights& weights, LightestTree& tree, ForwardingTables& tables) {
  const std::size_t addresses = run.weight == Weight::kSwitch ? 1 : std::size_t{1} << tables.lmc();
  std::vector<Link> shunned;
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    const Destination destination = destinations[i];
    const std::span<Port> row = tables.row(destination);
    tree.choose(nearer, index(run.at), weights,
                [&](std::uint32_t s, Link link) { row[s] = links.port[link]; });
    tree.add_load(nearer, sources, weights);
    row[index(run.at)] = own_port(fabric, tables, destination);
    if (addresses == 1) continue;
    if ((i + 1) % addresses != 0) {
      for (const NearerLinks::Entry& entry : nearer.entries) {
        shunned.push_back(tree.chosen(entry.at));
        weights[shunned.back()] += kReused;
      }
    } else {
      for (const Link link : shunned) weights[link] -= kReused;
      shunned.clear();
    }
  }
}

}  // namespace

ForwardingTables sssp_tables(const Model& model, const std::vector<std::uint16_t>& hops,
                             const RouteOptions& options) {
  const Fabric& fabric = model.fabric();
  const LinkGraph& links = model.link_graph();
  ForwardingTables tables(fabric.num_terminals(), links.switches, options.lmc);
  const Runs runs = destination_runs(model, tables, options);
  const Sources sources = count_sources(fabric);
  std::array<Weights, 3> weights;
  weights.fill(Weights(links.size()));
  LightestTree tree(links);
  NearerLinks nearer;
  Switch at = kNone<Switch>;
  for (const Run& run : runs.runs) {
    if (run.at != at) {
      find_nearer_links(links, {hops.data() + index(run.at) * links.switches, links.switches},
                        nearer);
    }
    at = run.at;
    lay_run(fabric, links, nearer, run, {runs.destinations.data() + run.first, run.count},
            run.weight == Weight::kSwitch ? sources.itself : sources.terminals,
            weights[static_cast<std::size_t>(run.weight)], tree, tables);
  }
  return tables;
}

Routing route_sssp(const Model& model, const RouteOptions& options) {
  return {.tables = sssp_tables(model, hop_counts(model.port_graph(), options.threads), options)};
}

}  // namespace fatwood
