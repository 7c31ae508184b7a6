// SPDX-License-Identifier: BSD-3-Clause
#include "verify/verify.hpp"

#include <utility>

#include "core/error.hpp"
#include "routing/tables/destination_tree.hpp"

namespace fatwood {

namespace {

// Adds the checks that plain and adaptive tables share.
void check_lanes(const Fabric& fabric, const Routing& routing, const VerifyOptions& options,
                 Verdict& verdict) {
  verdict.discarded = find_discarded(fabric, routing);
  verdict.reachability.unreachable += verdict.discarded.pairs;
  if (!verdict.reachability.first_lost) verdict.reachability.first_lost = verdict.discarded.first;
  verdict.deadlock = find_deadlock(fabric, routing, options.sources, options.threads);
  verdict.tiers = find_tiers(fabric, routing, options.sources, verdict.deadlock, options.threads);
  if (options.priorities == nullptr) return;
  verdict.priorities = find_priorities(fabric, routing, *options.priorities, verdict.deadlock,
                                       options.sources, options.threads);
  if (!verdict.priorities->given) return;
  for (std::size_t tier = 0; tier <= static_cast<std::size_t>(options.sources); ++tier) {
    const auto sources = static_cast<Sources>(tier);
    verdict.tiers[tier] = find_priorities(fabric, routing, *options.priorities, verdict.deadlock,
                                          sources, options.threads)
                              .free();
  }
}

// Whether packets that use only the default ports are safe.
bool default_ports_hold(const Model& model, const Routing& routing, const VerifyOptions& options) {
  PacketKind kind{.chooses = Table<Switch, std::uint8_t>(model.fabric().num_switches())};
  return check_kind(model, routing, std::move(kind), options.sources, options.threads).holds();
}

std::vector<KindVerdict> check_kinds(const Model& model, const Routing& routing, const Verdict& all,
                                     const VerifyOptions& options) {
  const std::size_t switches = model.fabric().num_switches();
  const Table<Switch, AdaptiveSettings> none;
  std::vector<KindVerdict> verdicts;
  for (PacketKind& kind :
       packet_kinds(options.settings == nullptr ? none : *options.settings, switches)) {
    if (all.holds() || kind.choosing == switches) {
      verdicts.push_back({.kind = std::move(kind),
                          .unreachable = all.reachability.unreachable,
                          .loops = all.reachability.loops,
                          .deadlock_free = all.deadlock_free()});
    } else {
      verdicts.push_back(
          check_kind(model, routing, std::move(kind), options.sources, options.threads));
    }
  }
  return verdicts;
}

Verdict verify_adaptive(const Model& model, const Routing& routing, const VerifyOptions& options) {
  const Fabric& fabric = model.fabric();
  const DestinationClasses classes = destination_classes(fabric, routing, options.threads);
  ChoiceFindings found = find_choices(model, routing, classes, options.threads);
  Verdict verdict{.reachability = std::move(found.reachability),
                  .hops = std::move(found.most),
                  .minimality = found.minimality,
                  .up_down = found.up_down,
                  .no_levels = model.levels().why_not_tree};
  check_lanes(fabric, routing, options, verdict);
  AdaptiveVerdict adaptive{.never = found.never,
                           .fewest = std::move(found.fewest),
                           .risky = found.risky,
                           .first_risky = found.first_risky,
                           .coverage = find_coverage(model, routing, classes, options.threads)};
  if (!verdict.deadlock.free() && verdict.deadlock.lanes.size() == 1 && routing.sl2vl.empty()) {
    adaptive.some = find_some_choice(fabric, routing, classes, options.sources, options.threads);
  }
  if (!verdict.holds()) adaptive.static_holds = default_ports_hold(model, routing, options);
  adaptive.kinds = check_kinds(model, routing, verdict, options);
  verdict.adaptive = std::move(adaptive);
  return verdict;
}

}  // namespace

Verdict verify(const Model& model, const Routing& routing, const VerifyOptions& options) {
  const Fabric& fabric = model.fabric();
  check_size(fabric, routing);
  if (!routing.sets.empty()) return verify_adaptive(model, routing, options);
  ReachAndLengths found = find_reach_and_lengths(fabric, routing, options.threads);
  HopCounts hops = found.reachability.hops;
  Verdict verdict{.reachability = std::move(found.reachability),
                  .hops = std::move(hops),
                  .minimality = found.minimality,
                  .up_down = {},
                  .no_levels = "the routes are in no tables"};
  check_lanes(fabric, routing, options, verdict);
  if (routing.source_routes.empty()) {
    const Levels& levels = model.levels();
    verdict.no_levels = levels.why_not_tree;
    if (levels.is_tree()) verdict.up_down = find_turns(fabric, routing, levels, options.threads);
  }
  return verdict;
}

}  // namespace fatwood
