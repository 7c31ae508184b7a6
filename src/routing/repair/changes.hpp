// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The difference between two sets of tables of one fabric, and the cost of writing it: a switch
// gets its table in blocks of 64 LIDs, each in one management packet (MAD).
//
// The route of a switch to a destination has changed if any entry on its path has changed.
// Cost: O(1) per entry.

#include <cstdint>
#include <span>

#include "routing/repair/forced.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

struct TableChanges {
  std::uint64_t entries = 0;
  std::uint64_t blocks = 0;
  Table<Switch, std::uint32_t> entries_at, blocks_at;
  std::uint64_t all_entries = 0;
  std::uint64_t all_blocks = 0;  // of all switches, with a LID in use
  std::uint64_t pairs = 0;       // pairs of terminals whose route changed, for the first address
  std::uint64_t all_pairs = 0;
};

// REQUIRES tables of this fabric's size and equal LMC.
TableChanges table_changes(const Model& model, const ForwardingTables& old,
                           const ForwardingTables& after, const Lids& lids, int threads = 0);

// The number of different LID blocks, counted per switch, that these entries are in.
std::uint64_t blocks_of(std::span<const TableEntry> entries, const ForwardingTables& tables,
                        const Lids& lids);

}  // namespace fatwood
