// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One total order of the switches of a tree-like fabric, and which switch is below which: the
// shared basis of ftree and sftree.
//
// Order: by level, then by number. So even a horizontal cable has an upper end. A legal route goes
// up, then down. So every legal route follows one order of channels: up channels ascending, then
// down channels descending. This proves freedom from deadlock, even if cables are missing or skip
// levels.
//
// Switch s is below switch a if s reaches a by going up only. A root has no neighbour of a higher
// level. Most switches are below a root, so each root has a row with one byte per switch; other
// switches have few switches below them, and lists. Roots with equal hops share a row (in a
// complete tree, all roots of a column).
//
// The trunks up from a switch are sorted by column: the lowest root number above the
// neighbour. So in a complete tree, columns have the same order at every switch, however the
// switches are numbered.
//
// Cost: O(pairs of switches where one is above the other), and a byte per (class of roots, switch).

#include <cstdint>
#include <span>
#include <vector>

#include "core/table.hpp"
#include "topology/graph/port_graph.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

enum class PortSlot : std::uint32_t {};   // (switch, port): see slot()
enum class Root : std::uint32_t {};       // number among the roots
enum class RootClass : std::uint32_t {};  // roots that share a row of hops

constexpr std::uint32_t kPorts = 256;  // slots of a switch: one for each byte of a table
constexpr PortSlot slot(Switch s, Port port) {
  return static_cast<PortSlot>(index(s) * kPorts + index(port));
}

inline constexpr std::uint8_t kNotBelow = 255;
inline constexpr std::uint8_t kMostHops = 120;  // longer paths up are not used

// A switch below another, and its ports that lead there in the fewest hops: the first port of each
// trunk in order of columns, then the second ones, and so on (as [Zahavi10] orders
// up-ports).
struct Below {
  Switch at;
  std::uint32_t first;  // see UpDownOrder::choices()
  std::uint16_t choices;
  std::uint8_t hops;
};

class UpDownOrder {
 public:
  UpDownOrder() = default;
  UpDownOrder(const PortGraph& graph, const Levels& levels);

  std::size_t size() const { return graph_.size(); }
  const PortGraph& graph() const { return graph_; }     // up-trunks by column
  Trunk reverse(Trunk g) const { return reverse_[g]; }  // the trunk of the other end
  // The switch that a port leads to, or kNone.
  Switch next(PortSlot slot) const { return next_[slot]; }
  Switch next(Switch s, Port port) const { return next_[slot(s, port)]; }

  Level level(Switch s) const { return level_[s]; }
  Level lowest_level() const { return level_[ascending_.front()]; }
  Level highest_level() const { return level_[ascending_.back()]; }
  const std::vector<Switch>& ascending() const { return ascending_; }         // lowest first
  const Table<Switch, std::uint32_t>& position() const { return position_; }  // 0: the highest
  Switch column(Switch s) const { return column_[s]; }

  bool is_root(Switch s) const { return root_[s] != kNone<Root>; }
  Root root(Switch s) const { return root_[s]; }  // or kNone
  const Table<Root, Switch>& roots() const { return roots_; }
  RootClass class_of(Root root) const { return class_[root]; }
  std::size_t num_classes() const { return graph_.size() == 0 ? 0 : hops_.size() / size(); }
  // A byte per switch: hops of its path up, or kNotBelow.
  const std::uint8_t* hops_to(RootClass roots) const {
    return hops_.data() + std::size_t{index(roots)} * size();
  }
  const std::uint8_t* hops_to(Root root) const { return hops_to(class_[root]); }
  // A byte per switch: its port towards the root if there is only one, otherwise kNoRoute.
  const Port* only_ports(Root root) const {
    return only_port_.data() + std::size_t{index(root)} * size();
  }
  // The switches below s. For a root, only those with a choice of ports.
  std::span<const Below> below(Switch s) const {
    return {below_.data() + first_below_[s],
            below_.data() + first_below_[static_cast<Switch>(index(s) + 1)]};
  }
  std::span<const Port> choices(const Below& entry) const {
    return {choice_.data() + entry.first, entry.choices};
  }
  // Least common multiple of all numbers of choices, limited.
  std::uint32_t choices_multiple() const { return choices_multiple_; }

 private:
  friend class BelowFinder;

  PortGraph graph_;
  Table<Trunk, Trunk> reverse_;
  Table<Switch, Level> level_;
  std::vector<Switch> ascending_;
  Table<Switch, std::uint32_t> position_;
  Table<Switch, Switch> column_;
  Table<PortSlot, Switch> next_;

  Table<Switch, Root> root_;
  Table<Root, Switch> roots_;
  Table<Root, RootClass> class_;
  std::vector<std::uint8_t> hops_;            // [class][switch]
  Table<Switch, std::uint32_t> first_below_;  // and the end
  std::vector<Below> below_;
  std::vector<Port> choice_;
  std::vector<Port> only_port_;  // [root][switch]
  std::uint32_t choices_multiple_ = 1;
};

}  // namespace fatwood
