// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Facts about tables that a repair and its proof need: which switches reach each destination, the
// kind of each row, destinations per port, and dependencies between channels.
//
// The facts are computed once, for the old tables. A repair tries several new tables, which differ
// from the old ones only in the rows that used a lost cable. Their facts follow from these rows
// alone.
// Cost: O(destinations * switches) once; O(switches) for each row that differs. Memory: about 40
// bytes per row, 1 kB per switch, and dependency_counts.hpp.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/repair/dependency_counts.hpp"
#include "routing/repair/row_look.hpp"

namespace fatwood {

// How many sources have no route to one destination.
struct RowPaths {
  std::uint32_t switches = 0;
  std::uint32_t terminals = 0;
  // Of these, the ones that cables connect with the destination.
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
  explicit KnownTables(const PlacedTables& placed, int threads = 0);

  // Updates the facts to the tables `after`, whose rows are those of `before` except for `rows`.
  // REQUIRES that this describes `before`, and models that allow it (may_change).
  void change(const PlacedTables& before, const PlacedTables& after,
              std::span<const Destination> rows, int threads = 0);
  // The same on one model; the rows that differ are found by comparison.
  void change(const Model& model, const ForwardingTables& before, const ForwardingTables& after,
              int threads = 0);
  // Whether change() can go from one model to the other: only cables between switches are gone, and
  // levels and components are the same.
  static bool may_change(const Model& before, const Model& after);

  const RowPaths& paths(Destination destination) const { return paths_[destination]; }
  LostPaths lost() const;
  // The kind of each row. Computed here, for rows that changed since the last call, because few
  // callers need it. REQUIRES that this describes `placed`.
  const Table<Destination, RowLook>& looks(const PlacedTables& placed, int threads = 0);
  // [switch * 256 + port]: destinations.
  const std::vector<std::uint32_t>& use() const { return use_; }
  const DependencyCounts& dependencies() const { return dependencies_; }

 private:
  void follow(const PlacedTables& placed, std::span<const Destination> rows, int threads);

  Table<Destination, RowPaths> paths_;
  Table<Destination, RowLook> looks_;
  Table<Destination, std::uint8_t> to_look_at_;  // 1: looks_ is out of date for this row
  std::vector<std::uint32_t> use_;
  DependencyCounts dependencies_;
};

// Rows with an entry that leads to another switch or port in the other model. REQUIRES models of
// one size.
std::vector<Destination> rows_led_elsewhere(const Model& before, const Model& after,
                                            const ForwardingTables& tables);
// Rows that differ. REQUIRES tables of one size.
std::vector<Destination> changed_rows(const ForwardingTables& old, const ForwardingTables& after);

}  // namespace fatwood
