// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Ethernet: which losses of cables or switches can make pauses lock up or disconnect hosts
// (verify/losses/loss_proof.hpp), for the routes that a protocol finds after each.
//
// The protocol, unless given: that of the engine; of tables that were read, BGP or OSPF if it gives
// exactly these routes, else none. Where both do, BGP is taken, and `also_ospf` says so.

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/faults/fault_list.hpp"
#include "verify/losses/loss_proof.hpp"

namespace fatwood {

struct LossQuestion {
  LossState state = LossState::kSettled;
  std::optional<AfterLoss> protocol = {};  // none: found
  Sources sources = Sources::kTerminals;
  std::size_t cycles = 100;
  int threads = 0;
  Progress progress = {};
};

struct LossAnswer {
  std::vector<Fault> faults;
  LossProof proof;
  LossState state = LossState::kSettled;
  AfterLoss protocol = AfterLoss::kNone;
  bool also_ospf = false;
  double seconds = 0;

  std::size_t cyclic() const;   // losses that can lock up
  std::size_t cutting() const;  // losses that disconnect pairs
  // Indices of faults: those that lock up first, then by pairs lost.
  std::vector<std::size_t> worst_first() const;
};

// InputError for routings that are not of Ethernet.
LossAnswer prove_each_loss(const Model& model, const Routing& routing, std::vector<Fault> faults,
                           const LossQuestion& question);

}  // namespace fatwood
