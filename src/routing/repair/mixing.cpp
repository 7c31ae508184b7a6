// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/mixing.hpp"

namespace fatwood {

MixedTables::MixedTables(const Model& model, const ForwardingTables& old, int threads)
    : model_(model),
      old_(old),
      order_(model, old, threads),
      dead_(order_.links().size()),
      new_entry_(model.fabric().num_switches()),
      changes_(model.fabric().num_switches()) {}

bool MixedTables::any_order(std::span<const EntryChange> changes, std::span<const Channel> dead) {
  const std::vector<Dependency> taken = take_out(dead);
  bool safe = true;
  for (std::size_t i = 0; i < changes.size() && safe;) {
    std::size_t end = i;
    while (end < changes.size() && changes[end].destination == changes[i].destination) ++end;
    safe = add_row(changes.subspan(i, end - i));
    i = end;
  }
  Layer& order = order_.order();
  order.undo();
  // Refusals were due to the dependencies of this fault.
  if (!safe) order.forget_refusals();
  for (const auto& [a, b] : taken) order.add(a, b);
  order.commit();
  for (const Link link : links_of(dead)) dead_[index(link)] = 0;
  return safe;
}

std::vector<MixedTables::Dependency> MixedTables::take_out(std::span<const Channel> dead) {
  std::vector<Dependency> taken;
  for (const Link link : links_of(dead)) {
    dead_[index(link)] = 1;
    for (const Dependency& dependency : order_.order().dependencies_of(link)) {
      order_.order().remove(dependency.first, dependency.second);
      taken.push_back(dependency);
    }
  }
  return taken;
}

std::vector<Link> MixedTables::links_of(std::span<const Channel> cables) const {
  const Fabric& fabric = model_.fabric();
  std::vector<Link> links;
  for (const Channel c : cables) {
    for (const Channel end : {c, fabric.peer(c)}) {
      const Switch s = fabric.as_switch(fabric.owner(end));
      links.push_back(order_.links().link(index(s), fabric.port(end)));
    }
  }
  return links;
}

bool MixedTables::leads_on(std::uint32_t s, Port port) const {
  return model_.hop_map().at(s, port).to_switch() &&
         dead_[index(order_.links().link(s, port))] == 0;
}

bool MixedTables::add(std::uint32_t s, Port by, std::uint32_t next, Port on) {
  if (!leads_on(next, on)) return true;
  return order_.order().add(order_.links().link(s, by), order_.links().link(next, on));
}

// Packets that use a new entry may continue by the old or the new entry of the next switch; those
// that came by an old entry may continue by a new one.
bool MixedTables::add_row(std::span<const EntryChange> changes) {
  const auto row = old_.row(changes.front().destination);
  const PortGraph& graph = model_.port_graph();
  const HopMap& map = model_.hop_map();
  for (const EntryChange& change : changes) {
    changes_[index(change.at)] = 1;
    new_entry_[index(change.at)] = change.port;
  }
  bool safe = true;
  for (std::size_t i = 0; i < changes.size() && safe; ++i) {
    const std::uint32_t s = index(changes[i].at);
    const Port port = changes[i].port;
    if (!leads_on(s, port)) continue;
    const std::uint32_t next = map.at(s, port).next();
    safe = add(s, port, next, row[next]) &&
           (changes_[next] == 0 || add(s, port, next, new_entry_[next]));
    for (const Switch other : graph.neighbours(Switch{s})) {
      if (!safe) break;
      const std::uint32_t u = index(other);
      if (leads_on(u, row[u]) && map.at(u, row[u]).next() == s) safe = add(u, row[u], s, port);
    }
  }
  for (const EntryChange& change : changes) changes_[index(change.at)] = 0;
  return safe;
}

}  // namespace fatwood
