// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/row_look.hpp"

#include <algorithm>
#include <ranges>

namespace fatwood {

namespace {

class RowLooker {
 public:
  RowLooker(const Model& model, std::span<const Port> row, Switch home,
            const Table<Channel, std::uint8_t>* dead)
      : model_(model),
        level_(model.levels().level.data()),
        map_(model.hop_map()),
        row_(row),
        home_(index(home)),
        dead_(dead) {}

  bool is_plain() const {
    for (std::uint32_t s = 0; s < row_.size(); ++s) {
      if (s == home_ || row_[s] == kNoRoute) continue;
      const Hop hop = map_.at(s, row_[s]);
      if (!hop.to_switch()) return false;
      const std::uint32_t next = hop.next();
      if (level_[next] == level_[s]) return false;
      if (next == home_) continue;
      if (row_[next] == kNoRoute) return false;
      if (level_[next] > level_[s]) continue;
      const Hop on = map_.at(next, row_[next]);
      if (!on.to_switch() || level_[on.next()] >= level_[next]) return false;
    }
    return true;
  }

  void mark_fallback(std::span<const Switch> by_level, RowLook& look) const {
    const std::vector<std::uint8_t> direction = directions(by_level);
    look.kind = RowKind::kFallback;
    look.fallback.resize(row_.size());
    for (std::uint32_t s = 0; s < row_.size(); ++s) {
      if (direction[s] != 0 || row_[s] == kNoRoute) continue;
      look.fallback[s] = true;
      if (could_be_legal(s, direction)) look.kind = RowKind::kUnsettled;
    }
  }

 private:
  // By switch: 1 goes down, 2 goes up.
  std::vector<std::uint8_t> directions(std::span<const Switch> by_level) const {
    std::vector<std::uint8_t> direction(row_.size(), 0);
    direction[home_] = 1;
    for (const Switch sw : by_level) {
      const std::uint32_t s = index(sw);
      const Hop hop = map_.at(s, row_[s]);
      if (s == home_ || !hop.to_switch() || level_[hop.next()] >= level_[s]) continue;
      if (direction[hop.next()] == 1) direction[s] = 1;
    }
    for (const Switch sw : std::ranges::reverse_view(by_level)) {
      const std::uint32_t s = index(sw);
      const Hop hop = map_.at(s, row_[s]);
      if (direction[s] != 0 || !hop.to_switch() || level_[hop.next()] <= level_[s]) continue;
      if (direction[hop.next()] != 0) direction[s] = 2;
    }
    return direction;
  }

  bool could_be_legal(std::uint32_t s, std::span<const std::uint8_t> direction) const {
    const PortGraph& graph = model_.port_graph();
    const Fabric& fabric = model_.fabric();
    for (const Trunk g : graph.trunks(Switch{s})) {
      const std::uint32_t n = index(graph.neighbour(g));
      const bool legal =
          level_[n] > level_[s] ? direction[n] != 0 : level_[n] < level_[s] && direction[n] == 1;
      if (!legal) continue;
      for (const Port port : graph.ports(g)) {
        if (dead_ == nullptr || (*dead_)[fabric.channel(fabric.node(Switch{s}), port)] == 0) {
          return true;
        }
      }
    }
    return false;
  }

  const Model& model_;
  const Level* level_;
  const HopMap& map_;
  std::span<const Port> row_;
  std::uint32_t home_;
  const Table<Channel, std::uint8_t>* dead_;
};

}  // namespace

RowLook look_at_row(const Model& model, const ForwardingTables& tables, Destination destination,
                    std::span<const Switch> by_level, const Table<Channel, std::uint8_t>* dead) {
  const auto row = tables.row(destination);
  const Switch home = home_of(model.fabric(), tables, destination);
  RowLook look;
  const auto missing = std::ranges::count(bytes_of(row), static_cast<std::uint8_t>(kNoRoute));
  const bool at_home = home != kNone<Switch> && row[index(home)] == kNoRoute;
  look.holes = missing > (at_home ? 1 : 0);
  const RowLooker looker(model, row, home, dead);
  if (home != kNone<Switch> && !looker.is_plain()) looker.mark_fallback(by_level, look);
  return look;
}

}  // namespace fatwood
