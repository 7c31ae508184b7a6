// SPDX-License-Identifier: BSD-3-Clause
#include "verify/reach/minimality.hpp"

#include <algorithm>
#include <vector>

#include "core/parallel.hpp"
#include "routing/tables/destination_tree.hpp"
#include "topology/graph/leaves.hpp"
#include "topology/graph/switch_net.hpp"
#include "verify/reach/like_last.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {

namespace {

struct HopWorker {
  DestinationTree tree;
  LikeLastDestination<Minimality> last;
  std::vector<std::uint32_t> least;  // hops from each switch to the destination at hand
  std::vector<std::uint32_t> queue;
  Minimality found;
};

void search(const SwitchNet& net, Switch from, HopWorker& worker) {
  std::fill(worker.least.begin(), worker.least.end(), DestinationTree::kLost);
  worker.least[index(from)] = 0;
  worker.queue.assign(1, index(from));
  // Stops when all are found, because most cables lead to switches that are already known.
  for (std::size_t i = 0; i < worker.queue.size() && worker.queue.size() < net.size(); ++i) {
    const std::uint32_t at = worker.queue[i];
    for (const SwitchNet::Edge& edge : net.edges(static_cast<Switch>(at))) {
      std::uint32_t& far = worker.least[index(edge.to)];
      if (far != DestinationTree::kLost) continue;
      far = worker.least[at] + 1;
      worker.queue.push_back(index(edge.to));
    }
  }
}

// Routes to one destination, with worker.least of its switch.
Minimality compare_lengths(const ForwardingTables& tables, Destination destination,
                           const Table<Switch, std::uint32_t>& on, HopWorker& worker) {
  DestinationTree& tree = worker.tree;
  if (worker.last.proves(tree, destination)) return worker.last.result();
  worker.last.forget();
  tree.follow(tables, destination);
  Minimality found;
  for (const std::uint32_t s : tree.reached()) {
    found.add(tree.hops(s), worker.least[s],
              pairs_from(on[static_cast<Switch>(s)], tables, destination,
                         tree.hops(s) == 0 ? Place::kHome : Place::kElsewhere));
  }
  if (tree.reached().size() == on.size()) worker.last.remember(destination, found);
  return found;
}

}  // namespace

Minimality find_minimality(const Fabric& fabric, const Routing& routing, int threads) {
  const HopMap map(fabric);
  const SwitchNet net = switch_net(fabric);
  const Table<Switch, std::uint32_t> on = terminals_on(fabric);
  const ForwardingTables& tables = routing.tables;
  const SourceRoutes& routes = routing.source_routes;
  // The destinations of each switch.
  Table<Switch, std::vector<Destination>> at(fabric.num_switches());
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const Switch home = switch_of(fabric, endpoint(tables, destination));
    if (home != kNone<Switch>) at[home].push_back(destination);
  }
  std::vector<HopWorker> workers(static_cast<std::size_t>(thread_count(threads)),
                                 HopWorker{DestinationTree(fabric, map),
                                           {fabric, tables, map},
                                           std::vector<std::uint32_t>(fabric.num_switches()),
                                           {},
                                           {}});
  parallel_for(fabric.num_switches(), threads, [&](std::size_t item, int thread) {
    const auto home = static_cast<Switch>(item);
    HopWorker& worker = workers[static_cast<std::size_t>(thread)];
    search(net, home, worker);
    for (const Destination destination : at[home]) {
      worker.found += compare_lengths(tables, destination, on, worker);
    }
    if (routes.empty()) return;
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (s == home || !source_route_arrives(fabric, routes, s, home)) continue;
      worker.found.add(static_cast<std::uint32_t>(routes.at(s, home).size()),
                       worker.least[index(s)],
                       {std::uint64_t{on[s]} * on[home], on[s], on[home], 1});
    }
  });
  Minimality all;
  for (const HopWorker& worker : workers) all += worker.found;
  return all;
}

}  // namespace fatwood
