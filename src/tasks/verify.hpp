// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Proves or refutes what routes promise (verify/verify.hpp). On request: writes the proof to a
// file, and checks whether the switches can change over from the old tables.

#include <optional>
#include <ostream>

#include "verify/transition.hpp"
#include "verify/verify.hpp"

namespace fatwood {

// The VL of each SL, on all channels or (map) by ports.
struct LevelLanes {
  LaneOfSl same{};
  LaneMap map;
};

struct ProofOptions {
  VerifyOptions verify = {};
  // Adaptive tables: a waiting packet takes whichever port of its group becomes free first.
  bool rechoose = false;
  // The tables that are in the switches, with one port per entry; nullptr: do not check the change.
  // The check is made lane by lane if the lanes of both tables are known. Otherwise all packets
  // count as being in one lane, which is stricter.
  const Routing* old = nullptr;
  bool by_lane = false;
  // Prove that the tables are safe for all SLs, which have these VLs; nullptr: for the routing's.
  const LevelLanes* levels = nullptr;
};

struct Proof {
  ProofOptions options;
  Verdict verdict;
  std::optional<Transition> transition;  // from the old tables

  bool holds() const;
  bool deadlock_free() const;  // so write_certificate can be called
};

// InputError for options that do not fit the routing.
Proof prove(const Model& model, const Routing& routing, const ProofOptions& options);

// REQUIRES deadlock_free(), and the routing that `proof` is about.
void write_certificate(std::ostream& out, const Fabric& fabric, const Routing& routing,
                       const Proof& proof);

}  // namespace fatwood
