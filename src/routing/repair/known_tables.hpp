// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a repair and its proof ask of tables: which switches reach each destination, the kind of
// each row, destinations per port, and dependencies between channels.
//
// Tables that differ in a few rows have all of it by the difference. A repair asks for the old
// tables once, and then for several that differ from them in the rows of a lost cable. A what-if
// on known tables asks for these rows alone.
// Cost: O(destinations * switches) once; O(switches) for each row that differs. Memory: about 40
// bytes per row, 1 kB per switch, and dependency_counts.hpp.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/repair/dependency_counts.hpp"
#include "routing/repair/row_look.hpp"

namespace fatwood {

// Sources without a route to one destination.
struct RowPaths {
  std::uint32_t switches = 0;
  std::uint32_t terminals = 0;
  // Of these, those that cables connect with the destination.
  std::uint32_t lost_switches = 0;
  std::uint32_t lost_terminals = 0;
  std::uint32_t loops = 0;  // of switches

  friend bool operator==(const RowPaths&, const RowPaths&) = default;
};

// Pairs without a route though cables connect them, and loops.
struct LostPaths {
  std::uint64_t terminals = 0;  // pairs of terminals
  std::uint64_t all = 0;        // pairs of any two of terminals and switches
  std::uint64_t loops = 0;
};

class KnownTables {
 public:
  // REQUIRES tables of the model's size, and a fabric like a tree.
  explicit KnownTables(const PlacedTables& now, int threads = 0);

  // Becomes what is known of `now`, whose rows are those of `before` except for these.
  // REQUIRES `before`: the tables that this is about; and models that allow it (may_change).
  void change(const PlacedTables& before, const PlacedTables& now,
              std::span<const Destination> rows, int threads = 0);
  // The same with rows found by comparison, on one model.
  void change(const Model& model, const ForwardingTables& before, const ForwardingTables& now,
              int threads = 0);
  // Whether change() can go from a model to another: nothing but cables between switches is gone,
  // and levels and components stay.
  static bool may_change(const Model& before, const Model& now);

  const RowPaths& paths(Destination destination) const { return paths_[destination]; }
  LostPaths lost() const;
  // Few ask for it: looked up here, for rows that changed since the last call. REQUIRES `now`: the
  // tables that this is about.
  const Table<Destination, RowLook>& looks(const PlacedTables& now, int threads = 0);
  // [switch * 256 + port]: destinations.
  const std::vector<std::uint32_t>& use() const { return use_; }
  const DependencyCounts& dependencies() const { return dependencies_; }

 private:
  void follow(const PlacedTables& now, std::span<const Destination> rows, int threads);

  Table<Destination, RowPaths> paths_;
  Table<Destination, RowLook> looks_;
  Table<Destination, std::uint8_t> to_look_at_;  // 1: the look is not that of the row
  std::vector<std::uint32_t> use_;
  DependencyCounts dependencies_;
};

// Rows with an entry that leads elsewhere in the other model. REQUIRES models of one size.
std::vector<Destination> rows_led_elsewhere(const Model& before, const Model& now,
                                            const ForwardingTables& tables);
// Rows that differ. REQUIRES tables of one size.
std::vector<Destination> changed_rows(const ForwardingTables& old, const ForwardingTables& now);

}  // namespace fatwood
