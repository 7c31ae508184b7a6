// SPDX-License-Identifier: BSD-3-Clause
// own_engine FABRIC: an engine of one's own, in a list with the built-in ones, evaluated like the
// rest. It takes the first shortest path by port number: every pair, but no promise about deadlock.

#include <deque>
#include <exception>
#include <fatwood/compare.hpp>
#include <fatwood/fabric.hpp>
#include <fatwood/files.hpp>
#include <fatwood/route.hpp>
#include <iostream>
#include <span>
#include <vector>

namespace {

using namespace fatwood;

// Lays the routes from everywhere to one switch: a breadth-first search against the cables.
void lay(const Fabric& fabric, Switch destination, std::span<Port> row) {
  std::vector<char> seen(fabric.num_switches());
  std::deque<Switch> queue = {destination};
  seen[index(destination)] = 1;
  while (!queue.empty()) {
    const Node node = fabric.node(queue.front());
    queue.pop_front();
    for (const Channel out : fabric.channels(node)) {
      if (!fabric.connected(out) || !fabric.is_switch(fabric.neighbour(out))) continue;
      const Switch next = fabric.as_switch(fabric.neighbour(out));
      if (seen[index(next)]) continue;
      seen[index(next)] = 1;
      row[index(next)] = fabric.port(fabric.peer(out));
      queue.push_back(next);
    }
  }
}

Routing route_first(const Model& model, const RouteOptions& options) {
  const Fabric& fabric = model.fabric();
  Routing routing;
  routing.engine = "first";
  ForwardingTables& tables = routing.tables;
  tables = ForwardingTables(fabric.num_terminals(), fabric.num_switches(), options.lmc);
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const Switch home = home_of(fabric, tables, destination);
    const auto row = tables.row(destination);
    lay(fabric, home, row);
    row[index(home)] = own_port(fabric, tables, destination);
  }
  return routing;
}

constexpr Engine kFirst{.name = "first",
                        .summary = "the first shortest path by port number",
                        .needs = "",
                        .pairs = Pairs::kAll,
                        .route = route_first};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  const Model model(load_fabric(argv[1]).fabric);
  const std::vector<Engine> all = engines_with({&kFirst, 1});
  bool kept = false;
  for (const EngineRow& row : compare(model, {.list = all}).rows) {
    std::cout << row.name << ' '
              << (row.result ? row.result->promise_kept ? "keeps" : "BREAKS" : "refuses")
              << " its promise";
    if (row.result) std::cout << ", most loaded link " << row.result->flows.largest.to_string();
    std::cout << '\n';
    if (row.name == "first") kept = row.result && row.result->promise_kept;
  }
  // Found by name like any other, and not by who has a list without it.
  std::cout << resolve_paths(model, "first", {}, all)->num_adapters() << " hosts\n";
  try {
    resolve_paths(model, "first");
    return 1;
  } catch (const InputError&) {
    std::cout << "unknown elsewhere\n";
  }
  return kept ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
