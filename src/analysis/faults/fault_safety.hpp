// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How safely can switches be rewritten after a fault? Nearly always the answer of `fatwood
// transition` to the tables of `fatwood repair --forced-only`, for thousands of faults of the same
// tables. It is a class, not an order of switches:
// - kAnyOrder: any order; proved for all mixtures of old and new entries
//   (routing/repair/mixing.hpp).
// - kRounds: a mixture has a cycle, or the repair needs new fallback routes, which nearly always
//   close one. Two rounds are safe, because old and repaired tables are each free of deadlock
//   (verify/transition.hpp).
// - kNone: the tables in use are not free of deadlock on one VL.
//
// Cost: see mixing.hpp; O(cables) more if entries lose their route.

#include <span>
#include <vector>

#include "routing/repair/mixing.hpp"

namespace fatwood {

// Working memory of one thread. Each other thread takes a copy.
class FaultSafety {
 public:
  // The tables must outlive this.
  explicit FaultSafety(const TablesInUse& in_use, int threads = 0);

  // `changes`: the result of FaultRepair for these cut cables or this removed switch (or kNone).
  Safety of(std::span<const EntryChange> changes, std::span<const Channel> cut, Switch removed);

 private:
  bool needs_fallback(std::span<const EntryChange> changes, std::span<const Channel> dead) const;

  const TablesInUse& in_use_;
  bool has_fallback_;  // the tables in use have fallback routes
  Table<Switch, std::uint32_t> terminals_;
  MixedTables mixed_;
};

}  // namespace fatwood
