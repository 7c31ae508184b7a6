// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Evens out all-to-all on tables that are repaired, by entries that cost nothing to move: those in
// blocks of 64 LIDs that must be sent anyway, and as many further blocks as are allowed.
//
// Method: local search. Of the most loaded channel (flows over capacity), in order of destinations,
// an entry on its way or behind it is sought that can go by another port in the same direction,
// such that every channel that gains stays emptier than the fullest was; the first is taken. Where
// there is none the next most loaded channel is relieved in the same manner, down to 0.8 of the
// fullest and 64 channels: that makes room. So the list of loads, fullest first, falls with every
// move, and the search ends. Where no entry of an allowed block will do and spare blocks are left,
// one is spent on the first entry of any block that will; what was spent since the most loaded
// channels were last relieved is taken back at the end. It ends when none of these channels can be
// relieved, or after the moves allowed. A up entry moves to a switch above with a legal path, a
// down one to a switch below that goes down: tables stay legal, and directions stay (so old
// and new can be mixed where they could). Rows with switches that do not go up and then down though
// they could are left alone. Encoding: the moves as changes of entries, and what they cost.
// Deterministic. Cost: O(addresses * switches) to count flows; a move, the entries behind the
// most loaded channel. Local search of this kind: PathFinder [McMurchie, Ebeling 1995] in its
// simplest form.

#include <cstdint>
#include <span>
#include <vector>

#include "core/fraction.hpp"
#include "routing/repair/kept_tables.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

struct EvenOptions {
  std::uint64_t spare_blocks = 0;
  std::uint64_t most_moves = 20'000;
  int threads = 0;
};

struct EvenResult {
  std::vector<EntryChange> moves;  // each entry once, by destination, then switch
  Fraction before = 0;             // flows on the most loaded channel between switches
  Fraction after = 0;
  std::uint64_t spare_blocks = 0;  // used
};

// `sent`: entries whose blocks are sent anyway. The tables are changed by the moves.
EvenResult even_out(KeptTables& kept, const Lids& lids, std::span<const TableEntry> sent,
                    const EvenOptions& options = {});

}  // namespace fatwood
