// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fills missing entries with fallback routes: routes that are not up*/down*.
//
// Problem: two cores have no up*/down* path, nor have hosts that lost their last one. sftree gives
// such pairs fallback routes over a leaf. A repair by levels drops the fallback routes that a cut
// hit. New ones must not deadlock together with the unchanged routes.
//
// Method: links are kept in an order that all dependencies follow (table_order.hpp). An entry is
// accepted only if its new dependencies fit the order, or the order can be changed so that they do.
// So each step keeps the proof.
// 1. Switches whose cable is gone come first. Each takes the shortest path; then a switch where
//    packets already turn from down to up (turns at two leaves can close a cycle, turns at one
//    cannot); then the least used port; then the lowest. Switches that led there over working
//    cables get their old entries back.
// 2. Then any switch without a route may take another path, by number.
// Only pairs that had a route before, and pairs of hosts, are filled, with all switches on their
// paths.
//
// Cost: O(cables) for each incomplete row, and a search for each dependency against the order.

#include <optional>
#include <vector>

#include "routing/repair/known_tables.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct Filled {
  ForwardingTables tables;
  // Unchanged entries, a few for each refusal, whose dependencies close a cycle with other entries
  // that could stay. Without them more may stay.
  std::vector<TableEntry> blocking;
  std::size_t refused = 0;  // entries that could not stay, or could not take the best path
  std::vector<Destination> unfilled;  // destinations that some pair still does not reach
};

// Destinations that come before the others, and get their old entries back if these fit.
struct FillOrder {
  std::vector<Destination> first;
  bool hosts_first = false;  // hosts before `first`; all destinations get old entries back
};

// `known`: of the tables to fill. No value if they are not free of deadlock. REQUIRES tables of one
// size and LMC, of this fabric.
std::optional<Filled> fill_fallback(const Model& model, const ForwardingTables& old,
                                    ForwardingTables tables, const KnownTables& known,
                                    const FillOrder& order = {});

// Fills with shortest paths, even if they deadlock on one VL: VLs are chosen later
// (kept_lanes.hpp).
ForwardingTables fill_for_lanes(const Model& model, const ForwardingTables& old,
                                ForwardingTables tables, const KnownTables& known);

}  // namespace fatwood
