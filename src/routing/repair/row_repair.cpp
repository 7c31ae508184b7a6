// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/row_repair.hpp"

#include <algorithm>
#include <ranges>

namespace fatwood {

std::vector<Switch> switches_by_level(const Model& model) {
  std::vector<Switch> by_level;
  for (const Switch s : ids<Switch>(model.fabric().num_switches())) by_level.push_back(s);
  std::ranges::stable_sort(by_level, {}, [&](Switch s) { return model.levels().level[s]; });
  return by_level;
}

RowRepair::RowRepair(const Model& model, const ForwardingTables& old,
                     std::span<const Switch> by_level, const Table<Channel, std::uint8_t>* dead)
    : model_(model),
      old_(old),
      level_(model.levels().level),
      map_(model.hop_map()),
      by_level_(by_level),
      dead_(dead),
      way_(model.fabric().num_switches()) {}

RowChange RowRepair::repair(Target target) {
  RowChange change;
  const Switch home = home_of(model_.fabric(), old_, target);
  if (home == kNone<Switch>) return change;
  std::ranges::fill(way_, Way::kNone);
  way_[home] = Way::kDown;
  for (const Switch s : by_level_) {
    if (s != home) settle_down(target, s, change);
  }
  for (const Switch s : std::ranges::reverse_view(by_level_)) {
    if (way_[s] != Way::kDown) settle_up(target, s, change);
  }
  const Port own = own_port(model_.fabric(), old_, target);
  if (own != old_.at(target, home)) change.forced.push_back({{target, home}, {own}});
  drop_what_is_lost(target, change);
  return change;
}

bool RowRepair::works(Switch s, Port port) const {
  if (dead_ == nullptr) return true;
  return (*dead_)[model_.fabric().channel(model_.fabric().node(s), port)] == 0;
}

std::optional<Switch> RowRepair::old_next(Target target, Switch s) const {
  const Port entry = old_.at(target, s);
  const Hop hop = map_.at(s, entry);
  if (!hop.to_switch() || !works(s, entry)) return std::nullopt;
  return static_cast<Switch>(hop.next());
}

template <class Leads>
std::vector<Port> RowRepair::ports_to(Switch s, const Leads& leads) const {
  const PortGraph& graph = model_.port_graph();
  std::vector<Port> ports;
  for (std::uint32_t g = graph.first[index(s)]; g < graph.first[index(s) + 1]; ++g) {
    if (!leads(static_cast<Switch>(graph.neighbour[g]))) continue;
    for (const Port port : graph.ports(g)) {
      if (works(s, port)) ports.push_back(port);
    }
  }
  std::ranges::sort(ports);
  return ports;
}

// REQUIRES that all switches below are settled.
void RowRepair::settle_down(Target target, Switch s, RowChange& change) {
  const auto descends = [&](Switch n) { return level(n) < level(s) && way_[n] == Way::kDown; };
  if (const auto next = old_next(target, s)) {
    if (level(*next) < level(s)) {
      if (way_[*next] == Way::kDown) {
        way_[s] = Way::kDown;
        return;
      }
    } else if (level(*next) > level(s)) {
      return;  // it goes up, and may go on to do so
    }
  }
  std::vector<Port> ports = ports_to(s, descends);
  if (ports.empty()) return;
  way_[s] = Way::kDown;
  change.forced.push_back({{target, s}, std::move(ports)});
}

// REQUIRES that all switches above are settled.
void RowRepair::settle_up(Target target, Switch s, RowChange& change) {
  const auto next = old_next(target, s);
  if (next && level(*next) > level(s) && way_[*next] != Way::kNone) {
    way_[s] = Way::kUp;
    return;
  }
  std::vector<Port> ports =
      ports_to(s, [&](Switch n) { return level(n) > level(s) && way_[n] != Way::kNone; });
  if (ports.empty()) {
    // It went up to a switch without a route; going down is legal wherever a packet comes from.
    ports = ports_to(s, [&](Switch n) { return level(n) < level(s) && way_[n] == Way::kDown; });
    if (ports.empty()) return;
  }
  way_[s] = Way::kUp;
  change.forced.push_back({{target, s}, std::move(ports)});
}

// A switch without a legal path keeps its old entry if that still arrives; towards a switch, where
// its cable lives: no host waits for it, and once there is a way again nothing needs to be written
// here.
void RowRepair::drop_what_is_lost(Target target, RowChange& change) {
  bool any = false;
  for (const Switch s : by_level_) any = any || way_[s] == Way::kNone;
  if (!any) return;
  for (const Switch s : by_level_) {
    if (way_[s] != Way::kNone || old_.at(target, s) == kNoRoute) continue;
    const bool stays =
        old_.is_switch(target) ? old_next(target, s).has_value() : arrives(target, s);
    if (!stays) change.dropped.push_back({target, s});
  }
}
bool RowRepair::arrives(Target target, Switch from) const {
  Switch s = from;
  for (std::size_t hops = 0; hops < by_level_.size(); ++hops) {
    if (way_[s] != Way::kNone) return true;
    const auto next = old_next(target, s);
    if (!next) return false;
    s = *next;
  }
  return false;
}

}  // namespace fatwood
