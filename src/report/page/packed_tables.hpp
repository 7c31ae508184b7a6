// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Forwarding tables for a page, packed small.
//
// The table of a switch resembles that of another switch of the same pod, and that of the same
// switch by a related engine. deflate looks back only 32 KiB, less than ten tables of a large
// fabric. So each table is written as its difference (exclusive or) from a reference: the earlier
// table with the most common entries, by a sample. That is one of the same routing, or that of the
// same switch in the most similar earlier routing. Some tables pack better by destination and
// without references; the shorter result is used.
//
// Cost: O(switches squared * samples + entries).

#include <span>
#include <string>
#include <string_view>

#include "routing/tables/routing.hpp"

namespace fatwood {

struct PackedTables {
  std::string bytes;    // packed (packed.hpp), a byte each
  std::string_view by;  // "target" or "switch": what rows are
  // By switch, the reference of its row: 0 none, 1 + s the row of the earlier switch s, 1 +
  // switches the same row of `base`. Empty if rows are destinations.
  std::string like;
  std::size_t base = kNoBase;  // in `earlier`

  static constexpr std::size_t kNoBase = static_cast<std::size_t>(-1);
};

// `earlier`: tables that the page already has, or nullptr; those of other dimensions are ignored.
PackedTables pack_tables(const ForwardingTables& tables,
                         std::span<const ForwardingTables* const> earlier);

}  // namespace fatwood
