// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/by_component.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "topology/graph/component_fabric.hpp"

namespace fatwood {

namespace {

// By number in the whole fabric: the number in the component, or kNone.
template <class Id>
Table<Id, Id> numbers_in_component(const Table<Id, Id>& in_whole, std::size_t size) {
  Table<Id, Id> number(size, kNone<Id>);
  for (const Id id : ids<Id>(in_whole.size())) number[in_whole[id]] = id;
  return number;
}

// Those of the list that are in the component, by their numbers there.
template <class Id>
std::vector<Id> only_in_part(std::span<const Id> listed, const Table<Id, Id>& number) {
  std::vector<Id> found;
  for (const Id id : listed) {
    if (number[id] != kNone<Id>) found.push_back(number[id]);
  }
  return found;
}

// A component as a model of its own, with the hints that concern it.
struct ComponentModel {
  std::unique_ptr<Model> model;
  // By number in the component: the number in the whole fabric, and the other way round.
  Table<Switch, Switch> switches, own_switch;
  Table<Terminal, Terminal> terminals, own_terminal;
};
ComponentModel component_model(const Model& whole, std::uint32_t component) {
  const Fabric& fabric = whole.fabric();
  ComponentFabric own = component_fabric(fabric, whole.components(), component);
  auto own_switch = numbers_in_component(own.switches, fabric.num_switches());
  auto own_terminal = numbers_in_component(own.terminals, fabric.num_terminals());
  ModelHints hints;
  hints.roots = only_in_part<Switch>(whole.hints().roots, own_switch);
  hints.compute = only_in_part<Terminal>(whole.hints().compute, own_terminal);
  for (const Terminal t : ids<Terminal>(own.terminals.size())) {
    if (whole.counted()[own.terminals[t]] == 0) hints.uncounted.push_back(t);
  }
  hints.aggregation = whole.hints().aggregation;
  return {std::make_unique<Model>(std::move(own.fabric), std::move(hints)), std::move(own.switches),
          std::move(own_switch), std::move(own.terminals), std::move(own_terminal)};
}

RouteOptions options_in_component(const RouteOptions& options,
                                  const Table<Switch, Switch>& switches,
                                  const Table<Terminal, Terminal>& terminals) {
  RouteOptions own = options;
  own.order = only_in_part<Terminal>(options.order, terminals);
  own.manager.reset();
  if (options.manager && switches[*options.manager] != kNone<Switch>) {
    own.manager = switches[*options.manager];
  }
  own.demands.clear();
  for (const PairDemand& demand : options.demands) {
    const Terminal source = terminals[demand.source];
    const Terminal destination = terminals[demand.destination];
    if (source == kNone<Terminal> || destination == kNone<Terminal>) continue;
    own.demands.push_back({source, destination, demand.amount});
  }
  if (own.aim == Aim::kDemands && own.demands.empty()) own.aim = Aim::kJobs;
  return own;
}

void write_rows(const ComponentModel& component, const ForwardingTables& from,
                ForwardingTables& to) {
  const auto write = [&](Destination source, Destination destination) {
    const std::span<const Port> row = from.row(source);
    const std::span<Port> whole = to.row(destination);
    for (const Switch s : ids<Switch>(component.switches.size())) {
      whole[index(component.switches[s])] = row[index(s)];
    }
  };
  for (const Terminal t : ids<Terminal>(component.terminals.size())) {
    for (std::uint32_t offset = 0; offset < 1U << to.lmc(); ++offset) {
      write(from.destination(t, offset), to.destination(component.terminals[t], offset));
    }
  }
  for (const Switch s : ids<Switch>(component.switches.size())) {
    write(from.destination(s), to.destination(component.switches[s]));
  }
}

}  // namespace

bool is_joined(const Model& model) {
  const Fabric& fabric = model.fabric();
  return model.components().count == 1 &&
         std::ranges::none_of(ids<Terminal>(fabric.num_terminals()),
                              [&](Terminal t) { return fabric.leaf(t) == kNone<Switch>; });
}

Routing route_components(const Model& model, const RouteOptions& options,
                         Routing (*engine)(const Model&, const RouteOptions&)) {
  const Fabric& fabric = model.fabric();
  ForwardingTables tables(fabric.num_terminals(), fabric.num_switches(), options.lmc);
  for (std::uint32_t p = 0; p < model.components().count; ++p) {
    const ComponentModel component = component_model(model, p);
    const RouteOptions own =
        options_in_component(options, component.own_switch, component.own_terminal);
    write_rows(component, engine(*component.model, own).tables, tables);
  }
  return {.tables = std::move(tables)};
}

}  // namespace fatwood
