// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The effect of lost cables and switches on routes, in three stages: nothing is rewritten yet; the
// tables are repaired (repair.hpp; if jobs are measured, for jobs, with as many blocks as `repair`
// sends by default); the fabric is routed again.
//
// Figures are what pairs of compute hosts (or of given participants) get in all-to-all
// (measured.hpp). Lost pairs are counted separately, out of all pairs that cables connected before
// the loss (analysis/faults/lost_pairs.hpp). All pairs of a lost host count.
//
// Adaptive tables: the figures are those of packets that may choose. In the first stage switches
// only stop using ports without a link; a repair removes more choices (kept_choices.hpp).

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "routing/engine.hpp"
#include "routing/tables/lids.hpp"
#include "tasks/change/loss_figures.hpp"
#include "topology/change/faults.hpp"
#include "topology/model.hpp"
#include "verify/transition.hpp"

namespace fatwood {

struct LossResult;

struct LossOptions {
  const Engine* engine = nullptr;  // routes the fabric again; nullptr: no third stage
  RouteOptions route = {};
  std::optional<Participants> who = {};    // none: default_participants()
  std::optional<LossFigures> before = {};  // if already known
  // Called with partial results: after the unrepaired figures, and after the repaired ones.
  std::function<void(const LossResult&)> part = {};
  MeasureJobs jobs = MeasureJobs::kNo;
  GivenOrder order = {};  // of hosts in jobs
  int threads = 0;
};

enum class LossStage : std::uint8_t { kUnrepaired, kRepaired, kAll };

struct LossResult {
  LossStage stage = LossStage::kAll;  // the last one computed
  Participants who;
  std::string host_order;  // GivenOrder::source
  LossFigures before, unrepaired, repaired;
  std::optional<LossFigures> rerouted;
  std::optional<Routing> rerouted_tables;  // unless they are the repaired ones
  std::string not_rerouted;                // the reason, as a sentence
  std::string not_repaired;  // the reason; then all figures below are about the rerouted tables
  std::uint64_t entries_changed = 0, blocks_changed = 0;  // of the repair
  Safety transition = Safety::kNone;                      // of the repair
  bool deadlock_free = false;                             // of the new tables
  std::shared_ptr<Model> after;                           // the fabric after the loss
  Routing new_routing;                                    // repaired
  Lids lids;                                              // of the fabric after the loss
  double seconds = 0;
};

// REQUIRES tables of the model's fabric. InputError for routes by pair. PromiseError if they can be
// neither repaired (the fabric is not like a tree) nor routed again.
LossResult lose(const Model& model, const Routing& routing, const Lids& lids,
                const ResolvedFaults& faults, const LossOptions& options = {});
// With what is known of the tables already (repair_tables.hpp).
struct KnownBefore;
LossResult lose(const Model& model, const Routing& routing, const Lids& lids,
                const ResolvedFaults& faults, const LossOptions& options, const KnownBefore& known);

}  // namespace fatwood
