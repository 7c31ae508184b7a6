// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Completes a repair by levels (forced.hpp) with fallback routes that go up, then down, in one
// order of all switches: the order of sftree's sub-tree (routing/tree/sub_tree.hpp).
//
// Why an order: tables of sftree and even are legal in such an order, and rows that are legal in
// one order cannot deadlock together. So rows can be repaired one by one, a route is always found,
// and nothing else has to change for it. Each switch but the highest of its component has a higher
// neighbour; hence every pair has a path that goes up, then down, in the order.
//
// The order: its root is the leaf with the most turns from down to up (by levels) in the old
// tables, at the leaf itself and at the switches above it. Without such turns it is the root that
// sftree would select.
//
// Method for one row, as in forced.hpp, but with "up" and "down" in the order of the sub-tree:
// 1. Entries that the repair by levels changed or dropped, and missing ones, are open. All others
//    stay if they can.
// 2. From the lowest switch to the highest. A switch goes down if its entry leads down to a switch
//    that goes down. If its entry leads up, step 3 decides. An open switch takes a port down to a
//    switch that goes down, if it has one.
// 3. If the highest switch cannot go down, the switches on one path down from it do, on the path
//    that changes the fewest entries.
// 4. From the highest to the lowest. A switch keeps its entry if that leads up to a switch with a
//    route, otherwise it takes another port up.
// Of several ports, one on a path that is up*/down* by levels is preferred; then the shortest path,
// the least used port, the lowest port. (A path that only goes down in the order of the sub-tree is
// up*/down* by levels, too.)
// Entries that were missing are filled only if a wanted route uses them: that of a pair of hosts,
// or of a pair that had one before.
//
// Cost: O(cables) per row that is repaired, and the order once: O(cables + switches^2 at worst).

#include <span>
#include <vector>

#include "routing/repair/known_tables.hpp"

namespace fatwood {

// By switch: 0 is the highest. `known` belongs to the old tables.
Table<Switch, std::uint32_t> rank_of_fallback(const Model& model, const KnownTables& known);

// `by_levels`: the result of keep_what_can_stay for the old tables; `known` belongs to it. Returns
// it with these rows repaired.
ForwardingTables repair_by_rank(const Model& model, const ForwardingTables& old,
                                const ForwardingTables& by_levels, const KnownTables& known,
                                const Table<Switch, std::uint32_t>& rank,
                                std::span<const Destination> rows);

}  // namespace fatwood
