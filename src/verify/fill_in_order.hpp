// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Entries that are missing, filled in so that the tables stay free of deadlock on one lane.
//
// Problem: a repair by levels leaves switches without a route where none climbs and then descends
// (between two cores; hosts that hang there). Tables of sftree had further routes for them, in an
// order of channels that only its maker knows; entries of fresh tables follow another order, and
// the two together can deadlock.
// Method: the channels in an order that all routes ascend. A missing entry is taken only if what
// packets then wait for fits the order, or the order can be changed so that it does: the channels
// that must come later move behind (as in [Pearce06], with one search). So each step keeps the
// proof. Entries whose cable is gone come first, each by the shortest way, a place where packets
// turn already (turns at one leaf instead of another leave the order free; turns at both can close
// a cycle), the least used port, the lowest number; whoever led there by a live cable has the old
// entry back. Where that leaves switches without a route, any of them may go another way, by
// number. Where lanes are to follow (routing/repair/kept_lanes.hpp) there is no order to keep. Only
// what had a route before, and hosts to hosts, is filled in, with what lies on the way. Encoding:
// tables. Cost: O(cables) for each row that misses something, and a search of the channels between
// the two ends for each wait that turns the order round.

#include <optional>
#include <vector>

#include "routing/repair/row_repair.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct Filled {
  ForwardingTables tables;
  // Entries as they were before, a few for each refusal, whose waits close a cycle with others that
  // could be as before too: without them more may stay.
  std::vector<TableEntry> in_the_way;
  std::size_t refused = 0;  // entries that could not be as before, or could not go the best way
};

// Nothing when the tables are not free of deadlock as they are. REQUIRES tables of one size and
// LMC, of this fabric.
std::optional<Filled> fill_in_order(const Model& model, const ForwardingTables& old,
                                    ForwardingTables tables, int threads = 0);

// By the shortest ways, whatever may deadlock on one lane.
ForwardingTables fill_for_lanes(const Model& model, const ForwardingTables& old,
                                ForwardingTables tables);

}  // namespace fatwood
