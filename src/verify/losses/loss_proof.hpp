// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which losses can make pauses (PFC) of Ethernet lock up, and which pairs they disconnect.
//
// States. Settled: every switch has the routes that its protocol finds without what is lost.
// Transient: the switches at the lost cables have them, the others have not changed yet.
// Protocols. BGP and OSPF: a switch that has lost all ports to a destination takes the best paths
// that are left (bgp_search.hpp). None: it has no route then; what other routes switches would find
// is not known.
//
// Method. Most losses only take ports away from groups, so the dependencies after them are some of
// those before: if these have no cycle, the loss is safe. Where a switch takes new ports, all such
// rows of all losses are added to the graph; if that has no cycle, all losses are safe. Otherwise
// the graph of each such loss is made by itself.
// Cost: O(losses * rows * ports of the ends), then O(changed switches * ports) for each change; a
// loss with new ports that is not proved with the others costs a proof.
// Check: `fatwood verify` on the fabric without the loss, and brute force (tests/ethernet).

#include <cstdint>
#include <vector>

#include "core/progress.hpp"
#include "verify/losses/loss_rows.hpp"

namespace fatwood {

enum class AfterLoss : std::uint8_t { kBgp, kOspf, kNone };
enum class LossState : std::uint8_t { kSettled, kTransient };

struct LossProofOptions {
  AfterLoss protocol = AfterLoss::kNone;
  // AS numbers, for kBgp.
  const Table<Switch, std::uint32_t>* as = nullptr;
  LossState state = LossState::kSettled;
  Sources sources = Sources::kTerminals;
  std::size_t cycles = 100;  // for so many losses the cycle is found
  int threads = 0;
  Progress progress = {};
};

// A packet of the row holds the channel and waits for the next one of the cycle.
struct LossStep {
  Channel channel = kNone<Channel>;
  Destination destination = kNone<Destination>;
};

struct LossVerdict {
  std::uint64_t pairs_lost = 0;  // of a host and an address; without those lost before
  std::uint64_t changes = 0;     // (switch, class of addresses) with other ports
  bool free = true;
  std::vector<LossStep> cycle = {};  // a shortest one
};

struct LossProof {
  bool free_before = true;
  std::uint64_t lost_before = 0;
  std::size_t rows = 0;
  std::vector<LossVerdict> verdicts;  // by loss
};

LossProof prove_losses(const Fabric& fabric, const Routing& routing,
                       const std::vector<Loss>& losses, const LossProofOptions& options);

// Whether a protocol gives the routes that the routing has: every known entry of a terminal's
// address, at every switch. `as`: for BGP.
bool gives_routes(const Fabric& fabric, const Routing& routing,
                  const Table<Switch, std::uint32_t>& as, int threads);

}  // namespace fatwood
