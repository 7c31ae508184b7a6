// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/verify.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "routing/tables/destination_tree.hpp"
#include "verify/certificate/certificate.hpp"

namespace fatwood {

bool Proof::holds() const {
  const bool safe = !transition || transition->safety != Safety::kNone;
  return safe && (options.rechoose ? verdict.holds_for_some() : verdict.holds());
}

bool Proof::deadlock_free() const {
  return verdict.deadlock.free() || (options.rechoose && verdict.adaptive &&
                                     verdict.adaptive->some && verdict.adaptive->some->free());
}

namespace {

void check_proof_options(const Routing& routing, const ProofOptions& options) {
  if (options.rechoose && !routing.sl2vl.empty()) {
    throw InputError(
        "service levels take different lanes on different ports: that is proved for "
        "every choice of ports, not for one that a waiting packet changes");
  }
  if (options.old == nullptr) return;
  if (!routing.source_routes.empty() || !routing.sets.empty()) {
    throw InputError(
        fmt::format("{}: the change from old tables is proved for new tables of one "
                    "port an entry only",
                    routing.engine));
  }
  require_same_lmc(routing.tables, options.old->tables, {.file = options.old->engine});
}

}  // namespace

Proof prove(const Model& model, const Routing& routing, const ProofOptions& options) {
  check_proof_options(routing, options);
  Proof proof{options, verify(model, routing, options.verify), {}};
  if (options.levels != nullptr) {
    Verdict& verdict = proof.verdict;
    verdict.levels =
        find_all_levels(model.fabric(), routing, options.levels->map, options.levels->same,
                        options.verify.sources, options.verify.threads);
    verdict.deadlock = verdict.levels->deadlock;
    verdict.tiers = {};
  }
  if (const Routing* const old = options.old) {
    const MixedLanes lanes =
        options.by_lane ? MixedLanes{&old->lanes, &routing.lanes} : MixedLanes{};
    proof.transition =
        find_transition(model, old->tables, routing.tables, options.verify.threads, lanes);
  }
  return proof;
}

void write_certificate(std::ostream& out, const Fabric& fabric, const Routing& routing,
                       const Proof& proof) {
  const Verdict& verdict = proof.verdict;
  write_certificate(out, fabric, routing, proof.options.verify.sources, verdict.deadlock,
                    verdict.deadlock.free() ? nullptr : &*verdict.adaptive->some);
}

}  // namespace fatwood
