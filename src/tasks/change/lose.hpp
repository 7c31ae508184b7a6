// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The effect of lost cables and switches on routes, in three steps: nothing is rewritten yet, the
// tables are repaired (as few entries as possible), the fabric is routed again.
//
// Figures are what pairs of compute hosts get when all send to all (measured.hpp), unless others
// are to take part. Pairs without a route are counted and in no rate: of all pairs that cables
// connected before the loss. Hosts that are lost count with all their pairs.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "routing/engine.hpp"
#include "routing/tables/lids.hpp"
#include "tasks/measured.hpp"
#include "topology/change/faults.hpp"
#include "topology/model.hpp"
#include "verify/transition.hpp"

namespace fatwood {

struct LossFigures {
  std::uint64_t pairs = 0;                              // with a route; ordered
  std::uint64_t pairs_lost = 0;                         // without one that cables connect, or did
  double worst_gbps = 0, p1_gbps = 0, median_gbps = 0;  // 0: no speed is known
};
LossFigures figures_before(const Model& model, const Routing& routing, const Participants& who,
                           int threads = 0);

struct LossResult;

struct LossOptions {
  const Engine* engine = nullptr;  // routes again; nullptr: not asked for
  RouteOptions route = {};
  std::optional<Participants> who = {};        // none: default_participants()
  std::optional<LossFigures> before = {};      // where they are known already
  std::span<const std::uint8_t> settled = {};  // settled_rows(), where they are known already
  // Called with what is known: when the unrepaired figures are, and when the repaired ones are.
  std::function<void(const LossResult&)> part = {};
  int threads = 0;
};

enum class LossStage : std::uint8_t { kUnrepaired, kRepaired, kAll };

struct LossResult {
  LossStage stage = LossStage::kAll;  // what is known
  Participants who;                   // takes part
  LossFigures before, unrepaired, repaired;
  std::optional<LossFigures> rerouted;
  std::string not_rerouted;  // why not, in a sentence
  std::string not_repaired;  // why not; then what follows is of the rerouted tables
  std::uint64_t entries_changed = 0, blocks_changed = 0;  // of the repair
  Safety transition = Safety::kNone;                      // of the repair
  bool deadlock_free = false;                             // of the new tables
  std::unique_ptr<Model> after;                           // the fabric without what is lost
  Routing new_routing;                                    // repaired
  Lids lids;                                              // of the fabric after the loss
  double seconds = 0;
};

// REQUIRES plain tables of the model's fabric. PromiseError where they can be neither repaired (the
// fabric is not like a tree) nor routed again.
LossResult lose(const Model& model, const Routing& routing, const Lids& lids, const Faults& faults,
                const LossOptions& options = {});

}  // namespace fatwood
