// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fills missing entries with fallback routes: routes for pairs without an up*/down* path.
//
// Problem: two cores have no up*/down* path, nor have hosts that lost their last one. sftree gives
// such pairs fallback routes over a leaf. A repair by levels (forced.hpp) drops the fallback routes
// that used a cut cable. Their replacements must not deadlock together with the routes that stay.
//
// Idea: maintain an order of all links that every dependency follows (table_order.hpp); it proves
// freedom from deadlock. Accept an entry only if its new dependencies fit the order, or if the
// order can be rearranged so that they fit.
// 1. Switches whose cable is gone come first. A switch prefers the shortest path; then the next
//    switch at which packets already turn from down to up (turns at one leaf cannot close a cycle,
//    turns at two can); then the least used port; then the lowest. Switches that forwarded to it
//    over working cables get their old entries back.
// 2. Then any other switch without a route may take another path, in order of number.
// Only two kinds of pairs are filled: those that had a route before, and pairs of hosts. All
// switches on their paths are filled with them.
//
// Cost: O(cables) for each incomplete row, and a search for each dependency that does not fit the
// order.

#include <optional>
#include <vector>

#include "routing/repair/known_tables.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct Filled {
  ForwardingTables tables;
  // Unchanged entries that prevented other old entries from staying, because together they close a
  // cycle; a few per refusal. If these are released, more entries may stay.
  std::vector<TableEntry> blocking;
  std::size_t refused = 0;  // entries that could not stay, or could not take the best path
  std::vector<Destination> unfilled;  // destinations that some pair still cannot reach
};

// Destinations that are filled before the others, and get their old entries back if these fit.
struct FillOrder {
  std::vector<Destination> first;
  bool hosts_first = false;  // hosts before `first`; all destinations get old entries back
};

// `known` belongs to the tables to fill. No value if these have a cycle of dependencies. REQUIRES
// tables of one size and LMC, of this fabric.
std::optional<Filled> fill_fallback(const Model& model, const ForwardingTables& old,
                                    ForwardingTables tables, const KnownTables& known,
                                    const FillOrder& order = {});

// Fills with shortest paths, even if they deadlock on one VL: VLs are chosen later
// (kept_lanes.hpp).
ForwardingTables fill_for_lanes(const Model& model, const ForwardingTables& old,
                                ForwardingTables tables, const KnownTables& known);

}  // namespace fatwood
