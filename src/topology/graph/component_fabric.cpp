// SPDX-License-Identifier: BSD-3-Clause
#include "topology/graph/component_fabric.hpp"

#include "topology/change/faults.hpp"

namespace fatwood {

ComponentFabric component_fabric(const Fabric& whole, const Components& components,
                                 std::uint32_t component) {
  ComponentFabric result;
  Table<Node, std::uint8_t> stays(whole.num_nodes());
  for (const Switch s : ids<Switch>(whole.num_switches())) {
    if (components.component[s] != component) continue;
    stays[whole.node(s)] = 1;
    result.switches.push_back(s);
  }
  for (const Terminal t : ids<Terminal>(whole.num_terminals())) {
    const Switch leaf = whole.leaf(t);
    if (leaf != kNone<Switch> && components.component[leaf] == component)
      stays[whole.adapter_node(t)] = 1;
  }
  ResolvedFaults rest;
  for (const Node node : ids<Node>(whole.num_nodes())) {
    if (stays[node] == 0) rest.removed.push_back(node);
  }
  // A cable from such an adapter to another adapter is of no part.
  for (const Terminal t : ids<Terminal>(whole.num_terminals())) {
    if (whole.leaf(t) == kNone<Switch>) rest.cut.push_back(whole.terminal_channel(t));
  }
  result.fabric = with_faults(whole, rest);
  // Adapters may have changed places: the port of the switch says who is who.
  for (const Terminal t : ids<Terminal>(result.fabric.num_terminals())) {
    const Node leaf = whole.node(result.switches[result.fabric.leaf(t)]);
    const Channel same = whole.channel(leaf, result.fabric.leaf_port(t));
    result.terminals.push_back(whole.terminal_at(whole.peer(same)));
  }
  return result;
}

}  // namespace fatwood
