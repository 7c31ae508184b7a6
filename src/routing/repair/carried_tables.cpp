// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/carried_tables.hpp"

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "routing/adaptive/port_sets_builder.hpp"

namespace fatwood {

namespace {

// By node of `after`, the one with the same id before; kNone: it is new.
Table<Node, Node> nodes_before(const Fabric& before, const Fabric& after) {
  std::unordered_map<std::string_view, Node> by_id;
  for (const Node node : ids<Node>(before.num_nodes())) by_id.emplace(before.id(node), node);
  Table<Node, Node> old(after.num_nodes(), kNone<Node>);
  for (const Node node : ids<Node>(after.num_nodes())) {
    const auto at = by_id.find(after.id(node));
    if (at != by_id.end() && before.is_switch(at->second) == after.is_switch(node)) {
      old[node] = at->second;
    }
  }
  return old;
}

Terminal terminal_before(const Fabric& before, const Fabric& after, Terminal t, Node adapter) {
  if (adapter == kNone<Node>) return kNone<Terminal>;
  const Port port = after.port(after.terminal_channel(t));
  const Channel c = before.find_channel(adapter, index(port));
  return c == kNone<Channel> ? kNone<Terminal> : before.terminal_at(c);
}

// Groups and kinds of entries, as the switches of `after` have them.
class CarriedSets {
 public:
  CarriedSets(const PortSets& old, const Fabric& after, const Table<Switch, Switch>& old_switch)
      : old_(old),
        after_(after),
        old_switch_(old_switch),
        builder_(after),
        row_(after.num_switches()) {
    for (const Switch s : ids<Switch>(old.empty() ? 0 : after.num_switches())) {
      if (old_switch[s] == kNone<Switch>) continue;
      for (const PortSets::Numbered& group : old.groups(old_switch[s])) {
        builder_.add_group(s, group.number, old.content(group));
      }
    }
  }
  // `ports`: the row of `to` after the loss.
  void copy_row(Destination to, Destination from, std::span<const Port> ports) {
    if (old_.empty()) return;
    for (const Switch s : ids<Switch>(after_.num_switches())) {
      const Switch old = old_switch_[s];
      const PortSets::KindOf of =
          old == kNone<Switch> ? PortSets::KindOf{} : old_.of(old, old_.kind(old, from));
      row_[index(s)] = builder_.kind(s, of.state, of.group, live(s, ports[index(s)]));
    }
    builder_.set_row(to, row_);
  }
  PortSets build(std::size_t destinations) && {
    return old_.empty() ? PortSets() : std::move(builder_).build(destinations);
  }

 private:
  Port live(Switch s, Port port) const {
    if (port == kNoRoute || port == kOwnPort) return port;
    return after_.connected(after_.channel(after_.node(s), port)) ? port : kNoRoute;
  }

  const PortSets& old_;
  const Fabric& after_;
  const Table<Switch, Switch>& old_switch_;
  PortSetsBuilder builder_;
  std::vector<PortSets::Kind> row_;
};

}  // namespace

CarriedTables carry_tables(const Fabric& before, const ForwardingTables& tables, const Lids& lids,
                           const Fabric& after, const PortSets& sets) {
  const Table<Node, Node> node_before = nodes_before(before, after);
  Table<Switch, Switch> old_switch(after.num_switches(), kNone<Switch>);
  for (const Switch s : ids<Switch>(after.num_switches())) {
    const Node node = node_before[after.node(s)];
    if (node != kNone<Node>) old_switch[s] = before.as_switch(node);
  }
  CarriedTables carried{
      ForwardingTables(after.num_terminals(), after.num_switches(), tables.lmc()), {}, {}};
  CarriedSets carried_sets(sets, after, old_switch);
  carried.lids = {.lmc = lids.lmc,
                  .own = lids.own,
                  .terminal = Table<Terminal, Lid>(after.num_terminals(), kNoLid),
                  .switches = Table<Switch, Lid>(after.num_switches(), kNoLid)};
  const auto copy_row = [&](Destination to, Destination from) {
    const auto old = tables.row(from);
    const auto row = carried.tables.row(to);
    for (const Switch s : ids<Switch>(after.num_switches())) {
      if (old_switch[s] != kNone<Switch>) row[index(s)] = old[index(old_switch[s])];
    }
    carried_sets.copy_row(to, from, row);
  };
  for (const Terminal t : ids<Terminal>(after.num_terminals())) {
    const Terminal old = terminal_before(before, after, t, node_before[after.adapter_node(t)]);
    if (old == kNone<Terminal>) continue;
    carried.lids.terminal[t] = lids.terminal[old];
    for (std::uint32_t offset = 0; offset < (1U << tables.lmc()); ++offset) {
      copy_row(carried.tables.destination(t, offset), tables.destination(old, offset));
    }
  }
  for (const Switch s : ids<Switch>(after.num_switches())) {
    if (old_switch[s] == kNone<Switch>) continue;
    carried.lids.switches[s] = lids.switches[old_switch[s]];
    copy_row(carried.tables.destination(s), tables.destination(old_switch[s]));
  }
  carried.sets = std::move(carried_sets).build(carried.tables.num_destinations());
  return carried;
}

}  // namespace fatwood
