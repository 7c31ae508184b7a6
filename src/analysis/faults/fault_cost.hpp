// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cost of losing cables or a switch: pairs without a route, the most loaded channel in
// all-to-all, and what must be written into the switches.
//
// Problem: thousands of faults are evaluated, and each changes few entries. So loads are computed
// by difference, not from scratch.
//
// Method: find the entries that must change (fault_repair.hpp). In each changed row, the flows
// behind changed entries move from their old paths to the new ones:
// 1. Remove the flow of each changed entry from its old path, as far as the next changed entry.
// 2. Add the flow of each changed entry to its new path in the same way.
// The most loaded channel is then a changed one, or the first unchanged one in the order of load
// (StandingLoad). Random permutations are moved flow by flow (standing_permutations.hpp).
//
// What an adapter sent by a port on a lost switch is lost; its other ports do not take over.
// Entries that need not change are not improved.
//
// Cost: changed entries * path length per fault, in parallel over faults.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/faults/fault_list.hpp"
#include "analysis/faults/fault_safety.hpp"
#include "analysis/faults/lost_pairs.hpp"
#include "analysis/load/all_to_all.hpp"
#include "analysis/permutations/standing_permutations.hpp"
#include "core/fraction.hpp"
#include "core/progress.hpp"
#include "core/work_share.hpp"
#include "routing/improve/standing_flows.hpp"
#include "routing/repair/fault_repair.hpp"
#include "routing/tables/lids.hpp"
#include "topology/flow_sources.hpp"

namespace fatwood {

struct FaultCost {
  std::uint64_t pairs_lost = 0;  // as lost_pairs.hpp defines it, those lost before included
  Fraction mload = 0;            // as all_to_all.hpp defines it
  Channel most_loaded = kNone<Channel>;
  double gigabits = 0;  // of the remaining hosts, as all_to_all.hpp defines it
  // Mean rate of the slowest flow of random permutations; 0: rates unknown, or no permutations
  // requested.
  double permutation_gigabits = 0;
  std::uint64_t entries = 0;
  std::uint64_t blocks = 0;
  Safety transition = Safety::kAnyOrder;  // while switches are rewritten, if asked for

  friend bool operator==(const FaultCost&, const FaultCost&) = default;
};

// All-to-all over the tables in use, with channels in order of load. After a few changes, the most
// loaded channel is one of the changed channels, or the first unchanged one in this order.
//
// Host ports of one kind and rate on one switch lose the same flows if their switch loses a route.
// So the most loaded of them represents all.
struct StandingLoad {
  StandingLoad(const Model& model, const ForwardingTables& tables, int threads);

  struct Sender {
    Channel channel;  // out of a host: the most loaded of its switch, kind and rate
    std::uint32_t kind;
  };

  FlowSources sources;
  StandingFlows flows;
  MostLoaded most;
  std::vector<std::vector<Sender>> senders;  // by switch
  Table<Terminal, Channel> represented_by;   // the sender's channel; kNone: not counted
  std::int64_t peers = 0;                    // most_peers()
  // Channels between switches, into hosts, and of senders; the most loaded first.
  std::vector<Channel> order;
};

// Finding the transition takes about as long as all other figures.
enum class FindTransition : std::uint8_t { kNo, kYes };

class FaultCosts {
 public:
  // All arguments must outlive this. `permutations`: how many random ones are drawn.
  FaultCosts(const TablesInUse& in_use, const Lids& lids, int threads = 0,
             std::size_t permutations = 0, std::uint64_t seed = 1,
             FindTransition transition = FindTransition::kYes);

  FaultCost now() const;
  std::vector<FaultCost> of(std::span<const Fault> faults, const Progress& progress = {},
                            const WorkShare& share = {}) const;
  const StandingFlows& flows() const { return load_.flows; }
  const StandingPermutations& permutations() const { return permutations_; }

 private:
  const TablesInUse& in_use_;
  const Lids& lids_;
  int threads_;
  StandingLoad load_;
  LostPairs lost_;
  StandingPermutations permutations_;
  std::optional<FaultSafety> safety_;  // none: transitions are not asked for
};

}  // namespace fatwood
