// SPDX-License-Identifier: BSD-3-Clause
#include "topology/hosts/rails.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "topology/hosts/rail_parts.hpp"

namespace fatwood {
namespace {

using Seat = std::pair<Unit, Port>;  // a port number of the leaves of a unit

// Which machine each loose adapter on a leaf with a rail belongs to.
class LoosePlacer {
 public:
  LoosePlacer(const Fabric& fabric, const Machines& machines, const Rails& rails)
      : fabric_(fabric), machines_(machines), rails_(rails) {
    for (const Unit unit : ids<Unit>(rails.units.size())) {
      for (const Machine m : rails.units[unit].members) seat_named(unit, m);
      for (const Machine m : rails.units[unit].guests) seat_named(unit, m);
    }
  }

  Machines run() {
    std::vector<MachineParts> parts;
    std::map<Machine, std::vector<Node>> joined;
    for (const Machine m : ids<Machine>(machines_.size())) {
      if (!movable(m)) continue;
      const Node node = machines_.adapters(m).front();
      const auto [seat, host] = place(node);
      if (host != kNone<Machine>) {
        joined[host].push_back(node);
      } else {
        by_seat_[seat].push_back(node);
      }
    }
    for (const Machine m : ids<Machine>(machines_.size())) {
      if (movable(m)) continue;
      const auto adapters = machines_.adapters(m);
      MachineParts part{std::string(machines_.name(m)),
                        machines_.named_by(m),
                        {adapters.begin(), adapters.end()}};
      part.adapters.insert(part.adapters.end(), joined[m].begin(), joined[m].end());
      parts.push_back(std::move(part));
    }
    for (const auto& [seat, adapters] : by_seat_) parts.push_back(at_seat(seat, adapters));
    return Machines(fabric_, std::move(parts));
  }

 private:
  struct Named {
    Machine machine = kNone<Machine>;
    std::map<Rail, Port> ports;  // where it is
  };

  void seat_named(Unit unit, Machine m) {
    if (machines_.named_by(m) == NamedBy::kNothing) return;
    const Port usual = usual_port(fabric_, machines_, rails_, unit, m);
    if (usual == kNoSeat) return;
    Named& named = named_[{unit, usual}];
    if (named.machine != kNone<Machine>) return;  // two on one port: the first keeps it
    named.machine = m;
    for (const Terminal t : terminals_of(fabric_, machines_, m)) {
      const Rail rail = rails_.rail(fabric_, t);
      if (rail != kNone<Rail> && rails_.unit_of[fabric_.leaf(t)] == unit) {
        named.ports[rail] = fabric_.leaf_port(t);
      }
    }
  }

  Terminal only_terminal(Machine m) const {
    const std::vector<Terminal> terminals = terminals_of(fabric_, machines_, m);
    return terminals.size() == 1 ? terminals.front() : kNone<Terminal>;
  }

  bool movable(Machine m) const {
    if (machines_.named_by(m) != NamedBy::kNothing || machines_.adapters(m).size() > 1)
      return false;
    const Terminal t = only_terminal(m);
    return t != kNone<Terminal> && rails_.rail(fabric_, t) != kNone<Rail>;
  }

  std::pair<Seat, Machine> place(Node node) const {
    const Terminal t = only_terminal(machines_.of(node));
    const Unit unit = rails_.unit_of[fabric_.leaf(t)];
    const Rail rail = rails_.rail(fabric_, t);
    Seat seat{unit, fabric_.leaf_port(t)};
    const auto at = named_.find(seat);
    if (at == named_.end()) return {seat, kNone<Machine>};
    const auto has = at->second.ports.find(rail);
    if (has == at->second.ports.end()) return {seat, at->second.machine};
    // The named machine of this port is on another one here: they were exchanged.
    seat.second = has->second;
    const auto other = named_.find(seat);
    const bool lacks = other != named_.end() && !other->second.ports.contains(rail);
    return {seat, lacks ? other->second.machine : kNone<Machine>};
  }

  // Its own text when all adapters have the same.
  MachineParts at_seat(const Seat& seat, const std::vector<Node>& adapters) const {
    std::string_view text = described_adapter(fabric_.description(adapters.front())).host;
    for (const Node node : adapters) {
      if (described_adapter(fabric_.description(node)).host != text) text = {};
    }
    if (!text.empty()) return {std::string(text), NamedBy::kDescription, adapters};
    return {fmt::format("unit{}-port{}", index(seat.first) + 1, index(seat.second)),
            NamedBy::kPosition, adapters};
  }

  const Fabric& fabric_;
  const Machines& machines_;
  const Rails& rails_;
  std::map<Seat, Named> named_;
  std::map<Seat, std::vector<Node>> by_seat_;
};

}  // namespace

Port usual_port(const Fabric& fabric, const Machines& machines, const Rails& rails, Unit unit,
                Machine m) {
  std::map<Port, std::size_t> votes;
  std::size_t all = 0;
  for (const Terminal t : terminals_of(fabric, machines, m)) {
    if (fabric.leaf(t) == kNone<Switch> || rails.unit_of[fabric.leaf(t)] != unit) continue;
    ++votes[fabric.leaf_port(t)];
    ++all;
  }
  for (const auto& [port, times] : votes) {
    if (2 * times > all) return port;
  }
  return kNoSeat;
}

Rails find_rails(const Fabric& fabric, const Machines& machines) {
  Rails rails = with_meetings(fabric, find_units(fabric, machines));
  rails.oddities = rail_oddities(fabric, machines, rails);
  return rails;
}

Machines place_loose(const Fabric& fabric, const Machines& machines, const Rails& rails) {
  return LoosePlacer(fabric, machines, rails).run();
}

MachineMap map_machines(const Fabric& fabric) {
  Machines machines = named_machines(fabric);
  Rails rails = find_rails(fabric, machines);
  if (rails.any()) {
    machines = place_loose(fabric, machines, rails);
    rails = find_rails(fabric, machines);
  }
  return {std::move(machines), std::move(rails)};
}

}  // namespace fatwood
