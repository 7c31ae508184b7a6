// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Restores what jobs and the slowest pair lose by a fault, with few packets to switches.
//
// Problem: a repair sends some LID blocks (64 entries of a switch, one packet each). Every other
// entry of these blocks can change for free. But the detour of a lost cable often begins at other
// switches: all traffic to one destination now comes down over a cable that already carries
// another, and only the switches that send it can spread it. Which further blocks help most?
//
// Objective: the sum over links of their cost, for windows of neighbouring hosts and for the whole
// machine (routing/even/even_job_loads.hpp). It is that of `even`.
//
// Method: greedy search in rounds.
// 1. Entries of sent blocks move to the port with the least cost, until none gains.
// 2. A round takes the 32 links that cost most. For each entry whose traffic crosses them, it
//    computes the gain of its best move. The gain of a block is the sum over its entries. Blocks
//    open in the order of their gain, as many as a round may open; their entries move. A gain is
//    computed again before a block opens, because earlier moves change it; less than half of it is
//    left for the next round.
// 3. If nothing moved, the next round takes the 32 links after these, up to kMostLinks in all.
// Moves are legal (legal_moves.hpp), and new paths are no longer than the old ones (job_costs.hpp).
//
// Deterministic. Cost: O(addresses * sources * hops * windows) to count loads, in each round the
// entries behind 32 links, each O(ports * hops * windows of both ends).

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "routing/repair/tables_in_use.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

struct SpreadOptions {
  std::vector<std::uint64_t> spare_blocks = {0};  // ascending: a result for each
  std::vector<Terminal> host_order = {};          // RouteOptions::host_order
};

struct SpreadResult {
  std::uint64_t spare_blocks = 0;  // that were used
  std::vector<EntryChange> moves;  // from the given tables; by destination, then switch
};

// One result for each number of spare blocks; later ones contain the earlier ones' blocks. `sent`:
// entries whose blocks are sent anyway. The moves of the last result are made in the tables of
// `in_use`. No value if the fabric has fewer than two hosts in jobs, or if its loads take too much
// memory (EvenJobLoads::fits).
std::optional<std::vector<SpreadResult>> spread_blocks(TablesInUse& in_use, const Lids& lids,
                                                       std::span<const TableEntry> sent,
                                                       const SpreadOptions& options = {});

}  // namespace fatwood
