// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Repairs one row of the tables as a whole: finds the entries that must change, and the ports that
// they can use instead, by the rule of forced.hpp. Cables of the fabric can be marked dead.
// Cost: O(switches) per row, and the ports of switches whose entry must change.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct TableEntry {
  Destination destination = kNone<Destination>;
  Switch at = kNone<Switch>;

  friend bool operator==(const TableEntry&, const TableEntry&) = default;
};

// An entry that must change, and the ports that it can use, ascending.
struct ForcedEntry {
  TableEntry entry;
  std::vector<Port> ports;
};

struct RowChange {
  std::vector<ForcedEntry> forced;
  std::vector<TableEntry> dropped;  // there is no legal path
};

class RowRepair {
 public:
  // `by_level`: by_level(levels). `dead`: 1 for dead channels, in both directions; nullptr: all
  // work. All arguments must outlive this.
  RowRepair(const Model& model, const ForwardingTables& old, std::span<const Switch> by_level,
            const Table<Channel, std::uint8_t>* dead = nullptr);

  RowChange repair(Destination destination);

 private:
  enum class Direction : std::uint8_t { kNone, kDown, kUp };

  Level level(Switch s) const { return level_[s]; }
  bool works(Switch s, Port port) const;
  bool is_settled(Destination destination, Switch home) const;  // the row can stay as it is
  // The switch that the old entry leads to over a working cable, if any.
  std::optional<Switch> old_next(Destination destination, Switch s) const;
  // Ports of s to switches for which leads() is true.
  template <class Leads>
  std::vector<Port> ports_to(Switch s, const Leads& leads) const;
  std::vector<Port> ports_down(Switch s) const;  // to switches that go down
  void settle_down(Destination destination, Switch s, RowChange& change);
  void settle_up(Destination destination, Switch s, RowChange& change);
  void drop_what_is_lost(Destination destination, RowChange& change);
  bool arrives(Destination destination, Switch from) const;

  const Model& model_;
  const ForwardingTables& old_;
  const Table<Switch, Level>& level_;
  const HopMap& map_;
  std::span<const Switch> by_level_;  // ascending
  const Table<Channel, std::uint8_t>* dead_;
  Table<Switch, Direction> direction_;
};

}  // namespace fatwood
