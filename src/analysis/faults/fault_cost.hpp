// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cost of losing cables or a switch: pairs without a route, the most loaded channel in
// all-to-all, and what must be written into the switches.
//
// Method: the entries that must change are found from the cut outwards (cut_repair.hpp). In each
// changed row, the flows behind changed entries move from their old paths to the new ones:
// 1. Detach every changed entry. Each removes its flow from its old path, only as far as the next
//    detached entry.
// 2. Attach each by its new port in the same way.
// The most loaded channel is one of those touched, or the first of the others (standing_load.hpp).
// What a host sent by a port on a lost switch is lost; its other ports do not take it over. Nothing
// is routed again. Random permutations are moved flow by flow (standing_permutations.hpp).
//
// Cost: changed entries * path length per fault, in parallel over faults.

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/faults/fault_list.hpp"
#include "analysis/faults/fault_safety.hpp"
#include "analysis/faults/standing_load.hpp"
#include "analysis/permutations/standing_permutations.hpp"
#include "core/fraction.hpp"
#include "core/progress.hpp"
#include "core/share.hpp"
#include "routing/repair/cut_repair.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

struct FaultCost {
  std::uint64_t pairs_lost = 0;  // of counted terminals that had a route
  Fraction mload = 0;            // as all_to_all.hpp defines it
  Channel most_loaded = kNone<Channel>;
  double gigabits = 0;  // of the remaining hosts, as all_to_all.hpp defines it
  // Mean rate of the slowest flow of random permutations; 0: rates unknown, or no permutations
  // requested.
  double permutation_gigabits = 0;
  std::uint64_t entries = 0;
  std::uint64_t blocks = 0;
  Safety transition = Safety::kAnyOrder;  // while switches are rewritten

  friend bool operator==(const FaultCost&, const FaultCost&) = default;
};

class FaultCosts {
 public:
  // All arguments must outlive this. permutations: number of random ones.
  FaultCosts(const KeptTables& kept, const Lids& lids, int threads = 0,
             std::size_t permutations = 0, std::uint64_t seed = 1);

  FaultCost now() const;
  std::vector<FaultCost> of(std::span<const Fault> faults, const Progress& progress = {},
                            const Share& share = {}) const;
  const StandingFlows& flows() const { return load_.flows; }
  const StandingPermutations& permutations() const { return permutations_; }

 private:
  const KeptTables& kept_;
  const Lids& lids_;
  int threads_;
  StandingLoad load_;
  StandingPermutations permutations_;
  FaultSafety safety_;
};

}  // namespace fatwood
