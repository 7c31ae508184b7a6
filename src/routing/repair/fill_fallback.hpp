// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fills missing entries with fallback routes: routes that are not up*/down*.
//
// Problem: two cores have no up*/down* path, nor have hosts that lost their last one. sftree gives
// such pairs fallback routes over a leaf. A repair by levels leaves out those that the cut hit. New
// ones must not deadlock together with the routes that stay.
//
// Method: the links are kept in an order that all dependencies ascend (table_order.hpp). An entry
// is taken only if the dependencies that it adds fit the order, or the order can be changed so that
// they do. So each step keeps the proof.
// - First come switches whose cable is gone. Each takes the shortest path; then a switch where
//   packets already turn from down to up (turns at two leaves can close a cycle, turns at one can
//   not); then the least used port; then the lowest. Switches that led there over live cables get
//   their old entries back.
// - Then any switch without a route may take another path, by number.
// - Only pairs that had a route before, and hosts to hosts, are filled in, with what lies on their
//   paths.
//
// Cost: O(cables) for each row that lacks something, and a search for each dependency that
// disagrees with the order.

#include <optional>
#include <vector>

#include "routing/repair/row_repair.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct Filled {
  ForwardingTables tables;
  // Unchanged entries, a few for each refusal, whose dependencies close a cycle with other entries
  // that could stay: without them more may stay.
  std::vector<TableEntry> blocking;
  std::size_t refused = 0;  // entries that could not stay, or could not take the best path
  std::vector<Destination> unfilled;  // destinations to which some pair still has no route
};

// Destinations that come before the others, and get their old entries back where these fit.
struct FillOrder {
  std::vector<Destination> first;
  bool hosts_first = false;  // hosts before `first`; all destinations get old entries back
};

// Nothing when the tables are not free of deadlock as they are. REQUIRES tables of one size and
// LMC, of this fabric.
std::optional<Filled> fill_fallback(const Model& model, const ForwardingTables& old,
                                    ForwardingTables tables, const FillOrder& order = {},
                                    int threads = 0);

// By shortest paths, whatever deadlocks on one VL: VLs are chosen later (kept_lanes.hpp).
ForwardingTables fill_for_lanes(const Model& model, const ForwardingTables& old,
                                ForwardingTables tables);

}  // namespace fatwood
