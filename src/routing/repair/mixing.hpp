// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Can switches be rewritten in any order, one after the other?
//
// They can if the dependencies of all mixtures of old and new entries have no cycle. Then no packet
// loops and nothing deadlocks. verify/transition.hpp has the model, the proof, the rules for
// several VLs, and the rounds that are used if there is a cycle.
//
// This class answers the question for many faults of the same tables. It maintains an order of
// links that all dependencies of the tables follow. For a fault it removes the dependencies over
// dead cables, adds those of changed entries until one closes a cycle, and then restores the order.
// Only rows with changed entries can have new dependencies.
// Cost per fault: O(changed entries * ports of a switch), and a search for each dependency that
// does not fit the order.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "routing/repair/table_order.hpp"
#include "routing/repair/tables_in_use.hpp"

namespace fatwood {

// kRounds: in rounds, with a drain between them. kNone: no safe order is known.
enum class Safety : std::uint8_t { kAnyOrder, kRounds, kNone };

// Working memory of one thread. Each other thread takes a copy.
class MixedTables {
 public:
  // Both must outlive this.
  MixedTables(const Model& model, const ForwardingTables& old, int threads = 0);

  // Whether the tables in use are free of deadlock on one VL.
  bool old_is_free() const { return order_.is_free(); }
  // Whether these changes can be written in any order if these cables (given by either end) are
  // cut. REQUIRES old_is_free(), and changes by destination, none of them on a removed switch.
  bool any_order(std::span<const EntryChange> changes, std::span<const Channel> dead);

 private:
  using Dependency = std::pair<Link, Link>;

  std::vector<Link> links_of(std::span<const Channel> cables) const;
  std::vector<Dependency> take_out(std::span<const Channel> dead);
  bool add_row(std::span<const EntryChange> changes);
  bool leads_on(std::uint32_t s, Port port) const;
  bool add(std::uint32_t s, Port by, std::uint32_t next, Port on);

  const Model& model_;
  const ForwardingTables& old_;
  TableOrder order_;
  std::vector<char> dead_;       // by link
  std::vector<Port> new_entry_;  // of the current row, where it changes
  std::vector<char> changes_;    // of the current row: 1 where it changes
};

}  // namespace fatwood
