// SPDX-License-Identifier: BSD-3-Clause
#include "routing/adaptive/changed_sets.hpp"

#include <vector>

#include "routing/adaptive/port_sets_builder.hpp"

namespace fatwood {

namespace {

// state_of(switch, state) is what an entry of this state becomes.
template <class StateOf>
PortSets changed(const Fabric& fabric, const Routing& routing, const StateOf& state_of) {
  const PortSets& sets = routing.sets;
  if (sets.empty()) return {};
  PortSetsBuilder builder(fabric);
  constexpr PortSets::Kind kUnknown = 0xffff;
  Table<Switch, std::vector<PortSets::Kind>> kind;  // of each kind: what it becomes
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    for (const PortSets::Numbered& group : sets.groups(s)) {
      builder.add_group(s, group.number, sets.content(group));
    }
    kind.push_back(std::vector<PortSets::Kind>(sets.num_kinds(s), kUnknown));
  }
  std::vector<PortSets::Kind> row(fabric.num_switches());
  for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const PortSets::Kind was = sets.kind(s, destination);
      PortSets::Kind& now = kind[s][was];
      if (now == kUnknown) {
        const PortSets::KindOf of = sets.of(s, was);
        now = builder.kind(s, state_of(s, of.state), of.group, routing.tables.at(destination, s));
      }
      row[index(s)] = now;
    }
    builder.set_row(destination, row);
  }
  return std::move(builder).build(routing.tables.num_destinations());
}

}  // namespace

PortSets sets_only_at(const Fabric& fabric, const Routing& routing,
                      const Table<Switch, std::uint8_t>& marked) {
  return changed(fabric, routing, [&](Switch s, EntryState state) {
    return marked[s] != 0 ? state : EntryState::kStatic;
  });
}

PortSets sets_in_state(const Fabric& fabric, const Routing& routing, EntryState state) {
  return changed(fabric, routing,
                 [&](Switch, EntryState was) { return was == EntryState::kStatic ? was : state; });
}

}  // namespace fatwood
