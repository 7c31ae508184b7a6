// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/row_repair.hpp"

#include <algorithm>
#include <ranges>

namespace fatwood {

RowRepair::RowRepair(const Model& model, const ForwardingTables& old,
                     std::span<const Switch> by_level, const Table<Channel, std::uint8_t>* dead)
    : model_(model),
      old_(old),
      level_(model.levels().level),
      map_(model.hop_map()),
      by_level_(by_level),
      dead_(dead),
      direction_(model.fabric().num_switches()) {}

RowChange RowRepair::repair(Destination destination) {
  RowChange change;
  const Switch home = home_of(model_.fabric(), old_, destination);
  if (home == kNone<Switch> || is_settled(destination, home)) return change;
  std::ranges::fill(direction_, Direction::kNone);
  direction_[home] = Direction::kDown;
  for (const Switch s : by_level_) {
    if (s != home) settle_down(destination, s, change);
  }
  for (const Switch s : std::ranges::reverse_view(by_level_)) {
    if (direction_[s] != Direction::kDown) settle_up(destination, s, change);
  }
  const Port own = own_port(model_.fabric(), old_, destination);
  if (own != old_.at(destination, home)) change.forced.push_back({{destination, home}, {own}});
  drop_what_is_lost(destination, change);
  return change;
}

// Whether every switch goes up to one with a route, or down to one that goes down. True for most
// rows after a fault.
bool RowRepair::is_settled(Destination destination, Switch home) const {
  const auto row = old_.row(destination);
  if (row[index(home)] != own_port(model_.fabric(), old_, destination)) return false;
  const Level* const level = level_.data();
  for (std::uint32_t s = 0; s < row.size(); ++s) {
    if (s == index(home)) continue;
    const Hop hop = map_.at(s, row[s]);
    if (!hop.to_switch() || !works(Switch{s}, row[s])) return false;
    const std::uint32_t next = hop.next();
    if (level[next] == level[s]) return false;
    if (level[next] > level[s] || next == index(home)) continue;
    const Hop on = map_.at(next, row[next]);
    if (!on.to_switch() || level[on.next()] >= level[next]) return false;
  }
  return true;
}

bool RowRepair::works(Switch s, Port port) const {
  if (dead_ == nullptr) return true;
  return (*dead_)[model_.fabric().channel(model_.fabric().node(s), port)] == 0;
}

std::optional<Switch> RowRepair::old_next(Destination destination, Switch s) const {
  const Port entry = old_.at(destination, s);
  const Hop hop = map_.at(s, entry);
  if (!hop.to_switch() || !works(s, entry)) return std::nullopt;
  return static_cast<Switch>(hop.next());
}

template <class Leads>
std::vector<Port> RowRepair::ports_to(Switch s, const Leads& leads) const {
  const PortGraph& graph = model_.port_graph();
  std::vector<Port> ports;
  for (const Trunk g : graph.trunks(s)) {
    if (!leads(graph.neighbour(g))) continue;
    for (const Port port : graph.ports(g)) {
      if (works(s, port)) ports.push_back(port);
    }
  }
  std::ranges::sort(ports);
  return ports;
}

std::vector<Port> RowRepair::ports_down(Switch s) const {
  return ports_to(
      s, [&](Switch n) { return level(n) < level(s) && direction_[n] == Direction::kDown; });
}

// REQUIRES that all switches below are settled.
void RowRepair::settle_down(Destination destination, Switch s, RowChange& change) {
  if (const auto next = old_next(destination, s)) {
    if (level(*next) < level(s)) {
      if (direction_[*next] == Direction::kDown) {
        direction_[s] = Direction::kDown;
        return;
      }
    } else if (level(*next) > level(s)) {
      return;  // it goes up, and may go on to do so
    }
  }
  std::vector<Port> ports = ports_down(s);
  if (ports.empty()) return;
  direction_[s] = Direction::kDown;
  change.forced.push_back({{destination, s}, std::move(ports)});
}

// REQUIRES that all switches above are settled.
void RowRepair::settle_up(Destination destination, Switch s, RowChange& change) {
  const auto next = old_next(destination, s);
  if (next && level(*next) > level(s) && direction_[*next] != Direction::kNone) {
    direction_[s] = Direction::kUp;
    return;
  }
  std::vector<Port> ports = ports_to(
      s, [&](Switch n) { return level(n) > level(s) && direction_[n] != Direction::kNone; });
  if (ports.empty()) {
    // It went up to a switch without a route; going down is legal wherever a packet comes from.
    ports = ports_down(s);
    if (ports.empty()) return;
  }
  direction_[s] = Direction::kUp;
  change.forced.push_back({{destination, s}, std::move(ports)});
}

// A switch without a legal path keeps its old entry if that still arrives. If the destination is a
// switch, it keeps the entry as long as its cable works: no host depends on it, and if there is a
// path again nothing needs to be written here.
void RowRepair::drop_what_is_lost(Destination destination, RowChange& change) {
  bool any = false;
  for (const Switch s : by_level_) any = any || direction_[s] == Direction::kNone;
  if (!any) return;
  for (const Switch s : by_level_) {
    if (direction_[s] != Direction::kNone || old_.at(destination, s) == kNoRoute) continue;
    const bool stays = old_.is_switch(destination) ? old_next(destination, s).has_value()
                                                   : arrives(destination, s);
    if (!stays) change.dropped.push_back({destination, s});
  }
}
bool RowRepair::arrives(Destination destination, Switch from) const {
  Switch s = from;
  for (std::size_t hops = 0; hops < by_level_.size(); ++hops) {
    if (direction_[s] != Direction::kNone) return true;
    const auto next = old_next(destination, s);
    if (!next) return false;
    s = *next;
  }
  return false;
}

}  // namespace fatwood
