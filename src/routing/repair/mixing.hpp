// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Can switches take their new entries in any order, one after the other?
//
// They can when the dependencies of all mixtures of old and new entries have no cycle: then no
// packet loops and nothing deadlocks, whatever the order of writing. verify/transition.hpp gives
// the model of packets, the proof, the rounds where the answer is no, and lanes.
//
// This class answers for many faults of the same tables. The dependencies of the tables in use are
// kept in an order. For a fault, those over dead cables are taken out, those of changed entries are
// added until one closes a cycle, and all is put back. Entries of other rows can't be part of a new
// dependency. Cost for a fault: O(changed entries * ports of a switch), and a search for each
// dependency that disagrees with the order.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "routing/repair/kept_tables.hpp"
#include "routing/repair/table_order.hpp"

namespace fatwood {

// kRounds: in rounds between which the fabric drains. kNone: no safe order is known.
enum class Safety : std::uint8_t { kAnyOrder, kRounds, kNone };

// The working memory of one thread; a copy is another one's.
class MixedTables {
 public:
  // Both must outlive this.
  MixedTables(const Model& model, const ForwardingTables& old, int threads = 0);

  // Whether the tables in use are free of deadlock on one VL.
  bool old_is_free() const { return order_.is_free(); }
  // Whether these changes can be written in any order when these cables (either end) are gone.
  // REQUIRES old_is_free(), and changes by destination, none of a switch that is gone.
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
  std::vector<Port> new_entry_;  // of the row at hand, where it changes
  std::vector<char> changes_;    // of the row at hand: 1 where it changes
};

}  // namespace fatwood
