// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// In which order can switches be rewritten after a fault? As fatwood repair and fatwood transition
// say, for thousands of faults of the same tables.
//
// kAnyOrder: proved for all mixtures of old and new entries (routing/repair/mixing.hpp).
// kRounds: a mixture has a cycle, or the repair needs new fallback routes, which nearly always
// close one. Two rounds are safe: old and repaired tables are each free of deadlock
// (verify/transition.hpp). kNone: the tables in use are not free of deadlock on one VL.
// Cost: see mixing.hpp; O(cables) more where entries lose their route.

#include <span>
#include <vector>

#include "routing/repair/mixing.hpp"

namespace fatwood {

// The working memory of one thread; a copy is another one's.
class FaultSafety {
 public:
  // The tables must outlive this.
  explicit FaultSafety(const KeptTables& kept, int threads = 0);

  // `changes`: what CutRepair gives when these cables are cut, or a switch is removed (else kNone).
  Safety of(std::span<const EntryChange> changes, std::span<const Channel> cut, Switch removed);

 private:
  std::vector<Channel> cables_of(Switch s) const;
  bool needs_fallback(std::span<const EntryChange> changes, std::span<const Channel> dead) const;

  const KeptTables& kept_;
  bool has_fallback_;  // the tables in use
  Table<Switch, std::uint32_t> terminals_;
  MixedTables mixed_;
};

}  // namespace fatwood
