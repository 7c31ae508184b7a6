// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Balances all-to-all traffic on repaired tables without more packets to switches.
//
// Problem: a repair sends some LID blocks (64 entries of a switch, one packet each). Every other
// entry of these blocks can change for free. Which of them reduce the load of the most loaded
// channel? Also, up to a given number of spare blocks may be sent that the repair does not need.
//
// Method: local search, the simplest form of PathFinder [McMurchie, Ebeling 1995].
// 1. Take the most loaded channel (flows divided by capacity). Among the entries of sent blocks
//    whose routes cross it, find the first (by destination) that can use another port in the same
//    direction, such that every channel that gains load stays below the maximum. Move it.
// 2. If there is none, try the next most loaded channels: at most 64, each with at least 0.8 of the
//    maximum. This makes room for later moves.
// 3. If there is still none and spare blocks are left, use one for the first suitable entry of any
//    block.
// 4. Stop if nothing moves, or after `most_moves`. Undo the spare blocks that were used after the
//    maximum last improved.
// The search ends because the sorted list of loads decreases with every move.
//
// Moves are legal (legal_moves.hpp).
//
// Deterministic. Cost: O(addresses * switches) to count flows; per move, the entries behind the
// most loaded channel.

#include <cstdint>
#include <span>
#include <vector>

#include "core/fraction.hpp"
#include "routing/improve/row_flows.hpp"
#include "routing/repair/tables_in_use.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

struct RebalanceOptions {
  std::uint64_t spare_blocks = 0;
  std::uint64_t most_moves = 20'000;
  const TableFlows* flows = nullptr;  // of the tables; nullptr: computed here
  int threads = 0;
};

struct RebalanceResult {
  std::vector<EntryChange> moves;  // each entry once, by destination, then switch
  Fraction before = 0;             // flows on the most loaded channel between switches
  Fraction after = 0;
  std::uint64_t spare_blocks = 0;  // that were used
};

// `sent`: entries whose blocks are sent anyway. The moves are made in the tables of `in_use`.
RebalanceResult rebalance_blocks(TablesInUse& in_use, const Lids& lids,
                                 std::span<const TableEntry> sent,
                                 const RebalanceOptions& options = {});

}  // namespace fatwood
