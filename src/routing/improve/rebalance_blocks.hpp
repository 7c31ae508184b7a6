// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Balances all-to-all on repaired tables by moving entries that cost nothing to send: those in
// blocks of 64 LIDs that must be sent anyway, and as many spare blocks as are allowed.
//
// Method: local search, the simplest form of PathFinder [McMurchie, Ebeling 1995].
// 1. Take the most loaded channel (flows divided by capacity). Find the first entry, in order of
//    destinations, whose route crosses it and that can use another port in the same direction, such
//    that every channel that gains load stays below the maximum. Move it.
// 2. If there is none, try the next most loaded channel: at most 64 channels, with at least 0.8 of
//    the maximum. This makes room for later moves.
// 3. If no allowed block has such an entry and spare blocks are left, spend one on the first
//    suitable entry of any block.
// 4. Stop if nothing moves, or after `most_moves`. Undo spare blocks that were spent after the
//    maximum last improved.
// It terminates because the sorted list of loads decreases with every move.
//
// Legality: an up entry moves to an upper switch with a legal path, a down entry to a lower switch
// that leads down. So tables stay up*/down*, and if old and new tables could be mixed, they still
// can. Rows with a switch that does not go up and then down, although it could, are not changed.
//
// Deterministic. Cost: O(addresses * switches) to count flows; per move, the entries behind the
// most loaded channel.

#include <cstdint>
#include <span>
#include <vector>

#include "core/fraction.hpp"
#include "routing/improve/row_flows.hpp"
#include "routing/repair/kept_tables.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

struct RebalanceOptions {
  std::uint64_t spare_blocks = 0;
  std::uint64_t most_moves = 20'000;
  const TableFlows* flows = nullptr;  // of the tables, where they are known
  int threads = 0;
};

struct RebalanceResult {
  std::vector<EntryChange> moves;  // each entry once, by destination, then switch
  Fraction before = 0;             // flows on the most loaded channel between switches
  Fraction after = 0;
  std::uint64_t spare_blocks = 0;  // spent
};

// `sent`: entries whose blocks are sent anyway. The moves are made in `kept`.
RebalanceResult rebalance_blocks(KeptTables& kept, const Lids& lids,
                                 std::span<const TableEntry> sent,
                                 const RebalanceOptions& options = {});

}  // namespace fatwood
