// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Proves or refutes the promises of routes (verify/verify.hpp); as asked for, with the proof as a
// file and whether the switches can change over from the tables that they have.

#include <optional>
#include <ostream>

#include "verify/transition.hpp"
#include "verify/verify.hpp"

namespace fatwood {

struct ProofOptions {
  VerifyOptions verify = {};
  // Adaptive tables: a waiting packet takes whichever port of its group frees first.
  bool rechoose = false;
  // In the switches now, of one port per entry: can they be replaced safely? Lane by lane where the
  // lanes of both are known, else all lanes together, which is stricter.
  const Routing* old = nullptr;
  bool by_lane = false;
};

struct Proof {
  ProofOptions options;
  Verdict verdict;
  std::optional<Transition> transition;  // from the old tables

  bool holds() const;
  bool deadlock_free() const;  // there is a certificate
};

// InputError for options that do not fit the routing.
Proof prove(const Model& model, const Routing& routing, const ProofOptions& options);

// REQUIRES deadlock_free(), and the routing that was proved.
void write_certificate(std::ostream& out, const Fabric& fabric, const Routing& routing,
                       const Proof& proof);

}  // namespace fatwood
