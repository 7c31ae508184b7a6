// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Classifies the entries of one row of tables by levels: which are on an up*/down* path, which are
// fallback routes, and whether some are missing. Cost: O(switches).

#include <cstdint>
#include <span>
#include <vector>

#include "routing/repair/row_repair.hpp"

namespace fatwood {

// The state of the entries of a row.
enum class RowKind : std::uint8_t {
  kPlain,      // each entry is empty, up to a switch with a route, or down to one that goes down
  kFallback,   // as kPlain, and switches without a legal path have fallback routes (sftree)
  kUnsettled,  // some switch has a legal path but does not take it
};

struct RowLook {
  RowKind kind = RowKind::kPlain;
  bool holes = false;          // some switch has no route
  std::vector<bool> fallback;  // by switch: its entry is a fallback route; empty for a plain row

  bool is_fallback(std::uint32_t s) const { return !fallback.empty() && fallback[s]; }

  friend bool operator==(const RowLook&, const RowLook&) = default;
};

// `by_level`: by_level(levels). `dead`: channels of cut cables that the model still has; nullptr:
// none. REQUIRES a fabric like a tree.
RowLook look_at_row(const Model& model, const ForwardingTables& tables, Destination destination,
                    std::span<const Switch> by_level,
                    const Table<Channel, std::uint8_t>* dead = nullptr);

}  // namespace fatwood
