// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the loss of cables or of a switch costs: pairs without a route, the fullest channel when all
// send to all, and what must be written into the switches.
//
// Method: the entries that must change are found from the cut outwards (cut_repair.hpp). In each
// row that changes, the flows behind the changed entries are taken off their old ways and put on
// their new ones: first every changed entry is detached, each handing on what comes to it only as
// far as the next detached one, then each is attached by its new port in the same manner. The
// fullest channel is that of the channels touched, or the first of the rest in order of fullness.
// Nothing is routed again. Random permutations are moved likewise, flow by flow
// (standing_permutations.hpp). Cost: changed entries * path length a fault, in parallel over
// faults.

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/permutations/standing_permutations.hpp"
#include "core/fraction.hpp"
#include "core/progress.hpp"
#include "core/share.hpp"
#include "routing/improve/standing_flows.hpp"
#include "routing/repair/cut_repair.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

struct Fault {
  std::vector<Channel> cut = {};   // one end of each cable between switches
  Switch removed = kNone<Switch>;  // or a switch, with all that is attached to it

  friend bool operator==(const Fault&, const Fault&) = default;
};

// Of the routes to hosts, by the directions of their entries; others are not judged.
enum class Rewriting : std::uint8_t { kAnyOrder, kRounds, kUnknown };

struct FaultCost {
  std::uint64_t pairs_lost = 0;  // of terminals that count, and had a route
  Fraction mload = 0;            // flows on the fullest channel between switches
  Channel fullest = kNone<Channel>;
  double gigabits = 0;  // what a host gets when all send to all, by capacity; 0: rates unknown
  // What the slowest flow of a random permutation gets, the mean of all; 0: rates unknown or none
  // asked for.
  double permutation_gigabits = 0;
  std::uint64_t entries = 0;
  std::uint64_t blocks = 0;
  Rewriting rewriting = Rewriting::kAnyOrder;

  friend bool operator==(const FaultCost&, const FaultCost&) = default;
};

class FaultCosts {
 public:
  // All must outlive this. permutations: how many random ones are looked at.
  FaultCosts(const KeptTables& kept, const Lids& lids, int threads = 0,
             std::size_t permutations = 0, std::uint64_t seed = 1);

  FaultCost now() const;
  std::vector<FaultCost> of(std::span<const Fault> faults, const Progress& progress = {},
                            const Share& share = {}) const;
  const StandingFlows& flows() const { return flows_; }
  const StandingPermutations& permutations() const { return permutations_; }

 private:
  const KeptTables& kept_;
  const Lids& lids_;
  int threads_;
  StandingFlows flows_;
  StandingPermutations permutations_;
};

// One fault for each cable between switches, by its end at the lower switch; in order of channels.
std::vector<Fault> single_cables(const Model& model);
std::vector<Fault> single_switches(const Model& model);
// `samples` sets of `size` different cables; the same for a seed.
std::vector<Fault> random_cables(const Model& model, std::size_t size, std::size_t samples,
                                 std::uint64_t seed);

}  // namespace fatwood
