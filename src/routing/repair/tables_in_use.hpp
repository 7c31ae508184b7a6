// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The tables in use, together with everything that a repair looks up often: cut cables, the number
// of destinations per port of a switch, fallback routes, and rows with missing entries.
//
// A cut cable stays in the model and is only marked dead. So levels are not computed again, and a
// cut costs only what it changes (fault_repair.hpp).
// Cost: built once in O(destinations * switches). Memory: the tables, and 1 kB per switch.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "routing/repair/known_tables.hpp"

namespace fatwood {

// The new value of an entry. kNoRoute: the switch has no legal path.
struct EntryChange {
  Destination destination = kNone<Destination>;
  Switch at = kNone<Switch>;
  Port port = kNoRoute;

  friend bool operator==(const EntryChange&, const EntryChange&) = default;
};

class TablesInUse {
 public:
  // REQUIRES tables of this model's size. PromiseError unless the fabric is like a tree. The model
  // must outlive this.
  TablesInUse(const Model& model, ForwardingTables tables, int threads = 0);
  // The same, if `known` already describes these tables: it is faster.
  TablesInUse(const Model& model, ForwardingTables tables, KnownTables& known, int threads = 0);

  const Model& model() const { return model_; }
  const ForwardingTables& tables() const& { return tables_; }
  ForwardingTables tables() && { return std::move(tables_); }
  const Table<Channel, std::uint8_t>& dead() const { return dead_; }
  std::uint64_t marks() const { return marks_; }  // incremented by every change of marks
  std::span<const Switch> by_level() const { return by_level_; }
  std::uint32_t use(Switch s, Port port) const {
    return use_[(std::size_t{index(s)} << 8) | index(port)];
  }
  RowKind kind(Destination destination) const { return looks_[destination].kind; }
  // Whether the entry of a switch is a fallback route.
  bool is_fallback(Destination destination, std::uint32_t s) const {
    return looks_[destination].is_fallback(s);
  }
  const Table<Destination, RowLook>& looks() const { return looks_; }
  bool has_holes(Destination destination) const { return looks_[destination].holes; }
  // The switch of the destination; kNone for a terminal without a switch.
  Switch home(Destination destination) const {
    return home_of(model_.fabric(), tables_, destination);
  }

  // Mark cables, each given by either end, as dead or as working. Entries do not change.
  void mark_dead(std::span<const Channel> cables);
  void mark_working(std::span<const Channel> cables);
  void apply(std::span<const EntryChange> changes);

 private:
  // Marks switches whose entry leads to a switch of `lost` (directly or not) as fallback routes:
  // they have no legal path either.
  void mark_leading(Destination destination, std::vector<std::uint32_t> lost);

  const Model& model_;
  ForwardingTables tables_;
  std::vector<Switch> by_level_;
  Table<Channel, std::uint8_t> dead_;
  std::uint64_t marks_ = 0;
  std::vector<std::uint32_t> use_;
  Table<Destination, RowLook> looks_;
};

}  // namespace fatwood
