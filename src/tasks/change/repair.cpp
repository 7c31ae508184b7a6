// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/change/repair.hpp"

#include <chrono>
#include <utility>

#include "routing/engine.hpp"
#include "routing/improve/rebalance_blocks.hpp"
#include "routing/repair/fallback_routes.hpp"
#include "routing/repair/fill_fallback.hpp"
#include "routing/repair/kept_lanes.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

namespace {

class Repairer {
 public:
  Repairer(const Model& model, const Routing& old, const Lids& lids, const RepairOptions& options)
      : model_(model),
        old_(old),
        lids_(lids),
        options_(options),
        in_switches_(options.in_switches == nullptr ? old.tables : *options.in_switches),
        several_(!old.lanes.single() ||
                 (options.fresh != nullptr && !options.fresh->lanes.single())) {}

  RepairedTables run() {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    RepairedTables plain = unbalanced();
    plain.seconds = seconds();
    // Tables of the caller's engine are taken as they are.
    const bool given = plain.fresh && options_.fresh != nullptr;
    std::optional<RepairedTables> balanced;
    if (options_.rebalance && !given) balanced = rebalanced(plain);
    if (!balanced) return proved(std::move(plain));
    balanced->seconds = seconds();
    RepairedTables better = proved(*std::move(balanced));
    const bool holds = better.reach.loops == 0 && better.deadlock_free;
    if (holds && better.transition.safety == Safety::kAnyOrder) return better;
    RepairedTables other = proved(std::move(plain));
    const bool better_holds = holds && better.transition.safety <= other.transition.safety;
    return better_holds ? std::move(better) : std::move(other);
  }

 private:
  RepairedTables unbalanced() {
    const Repaired by_levels =
        keep_what_can_stay(model_, old_.tables, options_.threads, options_.settled);
    if (several_) return with_lanes(by_levels);
    Completed completed = with_fallback_routes(
        model_, old_.tables, by_levels, [&] { return fresh().tables; }, options_.threads);
    return described(by_levels, std::move(completed.repaired), completed.fresh);
  }
  RepairedTables with_lanes(const Repaired& by_levels) {
    RepairedTables result = described(
        by_levels, with_tables(old_.tables, fill_for_lanes(model_, old_.tables, by_levels.tables)),
        false);
    if (lay(result) && is_free(result.routing)) {
      const std::uint64_t lost = lost_by(result.routing);
      if (lost == 0 || lost <= lost_by(fresh())) return result;
    }
    return described(by_levels, with_tables(old_.tables, fresh().tables), true);
  }
  RepairedTables described(const Repaired& by_levels, Repaired repaired, bool is_fresh) {
    RepairedTables result;
    result.fresh = is_fresh;
    result.entries_least = least_changes(model_, old_.tables, by_levels, repaired);
    result.entries_dropped = repaired.dropped.size();
    result.forced = std::move(repaired.forced);
    result.forced.insert(result.forced.end(), repaired.dropped.begin(), repaired.dropped.end());
    result.routing.engine = "repair";
    result.routing.tables = std::move(repaired.tables);
    if (is_fresh) result.routing.lanes = fresh().lanes;
    return result;
  }
  // The caller's, or those of sftree: these connect all that cables connect, on one VL.
  const Routing& fresh() {
    if (options_.fresh != nullptr) return *options_.fresh;
    if (!fresh_) {
      fresh_ = route(find_engine("sftree"), model_,
                     {.lmc = old_.tables.lmc(), .threads = options_.threads});
    }
    return *fresh_;
  }

  // VLs for the tables; false when more are needed than allowed.
  bool lay(RepairedTables& result) const {
    if (!several_ || result.fresh) return true;
    if (find_reachability(model_.fabric(), result.routing, options_.threads).loops != 0) {
      return false;
    }
    auto kept = keep_lanes(model_, old_, result.routing.tables, options_.max_lanes);
    if (!kept) return false;
    result.routing.lanes = std::move(kept->lanes);
    result.routes_moved = kept->changed;
    return true;
  }

  // Nothing where no entry moves, or the VLs allowed do not suffice.
  std::optional<RepairedTables> rebalanced(const RepairedTables& plain) const {
    KeptTables kept(model_, plain.routing.tables, options_.threads);
    const RebalanceResult even =
        rebalance_blocks(kept, lids_, changed(plain.routing.tables),
                         {.spare_blocks = options_.spare_blocks, .threads = options_.threads});
    if (even.moves.empty()) return std::nullopt;
    RepairedTables result = plain;
    result.unbalanced = std::exchange(result.routing.tables, std::move(kept).tables());
    result.spare_blocks = even.spare_blocks;
    if (!lay(result)) return std::nullopt;
    return result;
  }
  // Entries that differ from what the switches have.
  std::vector<TableEntry> changed(const ForwardingTables& tables) const {
    Repaired changes = with_tables(in_switches_, tables);
    changes.forced.insert(changes.forced.end(), changes.dropped.begin(), changes.dropped.end());
    return std::move(changes.forced);
  }

  bool is_free(const Routing& routing) const {
    return find_deadlock(model_.fabric(), routing, Sources::kAll, options_.threads).free();
  }
  std::uint64_t lost_by(const Routing& routing) const {
    return find_reachability(model_.fabric(), routing, options_.threads).lost().terminal_terminal;
  }
  RepairedTables proved(RepairedTables result) const {
    const Routing& routing = result.routing;
    result.reach = find_reachability(model_.fabric(), routing, options_.threads);
    result.deadlock_free = is_free(routing);
    result.transition = find_transition(model_, in_switches_, routing.tables, options_.threads,
                                        {&old_.lanes, &routing.lanes});
    return result;
  }

  const Model& model_;
  const Routing& old_;
  const Lids& lids_;
  const RepairOptions& options_;
  const ForwardingTables& in_switches_;
  bool several_;                  // VLs
  std::optional<Routing> fresh_;  // once made
};

}  // namespace

RepairedTables repair_tables(const Model& model, const Routing& old, const Lids& lids,
                             const RepairOptions& options) {
  return Repairer(model, old, lids, options).run();
}

}  // namespace fatwood
