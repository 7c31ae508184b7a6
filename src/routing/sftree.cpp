// sftree: ftree, and a route for every other pair, switches included, on the same lane.
//
// Problem: two cores of a tree, or a spine and a core of another column, have no route that climbs,
// then descends (003, section 3.1); nor have terminals that hang there.
// Method (003, Algorithms 1 and 2): a switch without a route to a target sends towards the root of
// one upside-down sub-tree until a switch that has one. sub_tree.hpp makes that sub-tree a second
// total order of the switches, also where cables are missing; ftree's own routes stay as they are
// unless they break that order.
// Result: tables on one lane. Free of deadlock: in the sub-tree's order every route climbs, then
// descends, and is an ascending sequence of (up channels ascending, then down channels
// descending).
// Cost: that of ftree; a row that breaks the order costs O(cables) more.

#include <fmt/format.h>

#include "core/error.hpp"
#include "routing/engine_list.hpp"
#include "routing/ftree.hpp"
#include "routing/sub_tree.hpp"
#include "routing/tree_relief.hpp"
#include "routing/tree_rows.hpp"
#include "topology/switch_net.hpp"

namespace fatwood {

namespace {

void require_whole(const Fabric& fabric) {
  const Parts parts = connected_parts(switch_net(fabric));
  if (parts.count > 1) {
    std::string apart;
    std::size_t others = 0;
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (parts.part[s] == 0) continue;
      if (++others <= 5) apart += fmt::format(" {}", display_name(fabric, fabric.node(s)));
    }
    throw PromiseError(fmt::format(
        "sftree routes every pair of switches, but {} of them have no cable path to {}:{}{}",
        others, display_name(fabric, fabric.node(Switch{0})), apart, others > 5 ? " ..." : ""));
  }
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) continue;
    const Channel c = fabric.terminal_channel(t);
    throw PromiseError(
        fmt::format("sftree routes every terminal, but {} is cabled to {}, no switch",
                    port_name(fabric, c), port_name(fabric, fabric.peer(c))));
  }
}

}  // namespace

Routing route_sftree(const Fabric& fabric, const RouteOptions& options) {
  require_whole(fabric);
  TreeRouting tree = prepare_tree(fabric, options, "sftree");
  std::vector<std::uint32_t> terminals(fabric.num_switches());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    ++terminals[index(fabric.leaf(t))];
  }
  const SubTree sub = sub_tree(tree.climb, select_root(tree.climb, terminals, options.manager));
  const RowMender mender(tree.climb, sub);
  write_tree_tables(
      fabric, tree.climb, tree.plan, sub.to_root,
      [&](const TreeView& view, std::span<std::uint8_t> row) {
        mender.mend(view.destination(), row);
      },
      options.threads, tree.tables);
  relieve_climbs(fabric, tree.climb, tree.counted, sub.rank, options.threads, tree.tables);
  Routing routing;
  routing.engine = "sftree";
  routing.tables = std::move(tree.tables);
  return routing;
}

}  // namespace fatwood
