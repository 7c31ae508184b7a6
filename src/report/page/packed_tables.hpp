// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Forwarding tables for a page, packed small.
//
// Tables of one switch are much like those of another of the same pod, and like those of the same
// switch by a related engine. deflate looks back 32 KiB, less than ten tables of a large fabric. So
// each switch's table is written as its difference (exclusive or) from the table before it that
// has most entries in common with it, by a sample of the entries: one of the same routing, or that
// of the same switch in the most similar earlier routing. Some engines' tables pack better by
// destination and without references; the shorter of the two is taken.
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
  // By switch, what a row is the difference from: 0 nothing, 1 + s the row of switch s, which comes
  // before it, 1 + switches the same row of `base`. Empty by destination.
  std::string like;
  std::size_t base = kNoBase;  // in `earlier`

  static constexpr std::size_t kNoBase = static_cast<std::size_t>(-1);
};

// `earlier`: tables that the page has already; null where it has none, and those of other
// dimensions are left alone.
PackedTables pack_tables(const ForwardingTables& tables,
                         std::span<const ForwardingTables* const> earlier);

}  // namespace fatwood
