// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <chrono>
#include <utility>

#include "routing/engine.hpp"
#include "routing/improve/rebalance_blocks.hpp"
#include "routing/improve/spread_blocks.hpp"
#include "routing/repair/fallback_routes.hpp"
#include "routing/repair/fill_fallback.hpp"
#include "routing/repair/kept_lanes.hpp"
#include "tasks/change/repair_tables.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

namespace {

PairCounts disconnected_pairs(const Fabric& fabric, unsigned lmc) {
  return all_pairs(fabric.num_terminals(), fabric.num_switches(), lmc) - joined_pairs(fabric, lmc);
}

PairCounts unreachable_pairs(const Fabric& fabric, const ForwardingTables& tables,
                             const KnownTables& known) {
  // Terminals without a switch reach only the one at the other end of their cable.
  const auto alone = [&](Terminal t) { return fabric.leaf(t) == kNone<Switch>; };
  const auto all_alone = static_cast<std::uint64_t>(
      std::ranges::count_if(ids<Terminal>(fabric.num_terminals()), alone));
  PairCounts pairs;
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const RowPaths& paths = known.paths(destination);
    if (tables.is_switch(destination)) {
      pairs += {0, paths.terminals + all_alone, 0, paths.switches};
    } else {
      const std::uint64_t reached = alone(tables.terminal(destination)) ? 2 : 0;
      pairs += {paths.terminals + all_alone - reached, 0, paths.switches, 0};
    }
  }
  return pairs;
}

class Repairer {
 public:
  Repairer(const Model& model, const Routing& old, const Lids& lids, const RepairOptions& options,
           const RepairGiven& given)
      : model_(model),
        old_(old),
        lids_(lids),
        options_(options),
        given_(given),
        in_switches_(given.in_switches == nullptr ? old.tables : *given.in_switches),
        several_(!old.lanes.single() || (given.fresh != nullptr && !given.fresh->lanes.single())) {}

  // The steps of repair.hpp.
  RepairedTables run() {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const Repaired kept =
        keep_what_can_stay(model_, old_.tables, options_.threads, given_.known.settled);
    Made completed = several_ ? complete_with_lanes(kept) : complete(kept);
    completed.result.seconds = seconds();
    std::optional<Made> balanced = rebalance(completed);
    if (balanced) balanced->result.seconds = seconds();
    return prove_better(std::move(completed), std::move(balanced));
  }

 private:
  // New tables before their proof.
  struct Made {
    RepairedTables result;
    KnownTables known;
  };

  const KnownTables& known_old() {
    if (given_.known.tables != nullptr) return *given_.known.tables;
    if (!known_old_) known_old_.emplace(PlacedTables{model_, old_.tables}, options_.threads);
    return *known_old_;
  }
  KnownTables known(const ForwardingTables& tables) {
    KnownTables known = known_old();
    known.change(model_, old_.tables, tables, options_.threads);
    return known;
  }

  Made complete(const Repaired& kept) {
    Completed completed = with_fallback_routes(
        model_, old_.tables, known_old(), kept, lids_, [&] { return fresh().tables; },
        options_.threads);
    return {described(kept, std::move(completed.repaired), completed.fresh),
            std::move(completed.known)};
  }
  Made complete_with_lanes(const Repaired& kept) {
    RepairedTables result =
        described(kept,
                  as_repair(old_.tables,
                            fill_for_lanes(model_, old_.tables, kept.tables, known(kept.tables))),
                  false);
    const auto made = [&](RepairedTables tables) {
      KnownTables of_tables = known(tables.routing.tables);
      return Made{std::move(tables), std::move(of_tables)};
    };
    if (lay(result) && is_free(result.routing)) {
      const std::uint64_t lost = lost_by(result.routing);
      if (lost == 0 || lost <= lost_by(fresh())) return made(std::move(result));
    }
    return made(described(kept, as_repair(old_.tables, fresh().tables), true));
  }
  RepairedTables described(const Repaired& kept, Repaired repaired, bool is_fresh) {
    RepairedTables result;
    result.fresh = is_fresh;
    result.entries_least = least_changes(model_, old_.tables, kept);
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
    if (given_.fresh != nullptr) return *given_.fresh;
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

  // Nothing where no entry moves, or the VLs allowed do not suffice. Tables of the caller's engine
  // are taken as they are.
  std::optional<Made> rebalance(Made& plain) const {
    const bool by_caller = plain.result.fresh && given_.fresh != nullptr;
    if (!options_.rebalance || by_caller) return std::nullopt;
    std::optional<RepairedTables> result = rebalanced(plain);
    if (!result) return std::nullopt;
    KnownTables known = plain.known;
    known.change(model_, plain.result.routing.tables, result->routing.tables, options_.threads);
    return Made{*std::move(result), std::move(known)};
  }
  std::optional<RepairedTables> rebalanced(Made& plain) const {
    const ForwardingTables& tables = plain.result.routing.tables;
    const std::vector<TableEntry> sent = changed(tables);
    TablesInUse in_use(model_, tables, plain.known, options_.threads);
    if (given_.spread != nullptr) {
      auto spread = spread_blocks(
          in_use, lids_, sent,
          {given_.spread->spare_blocks(blocks_of(sent, tables, lids_)), given_.spread->host_order});
      if (spread) return chosen(plain, *spread);
    }
    RebalanceOptions even_options{.spare_blocks = options_.spare_blocks,
                                  .threads = options_.threads};
    std::optional<TableFlows> flows;
    if (given_.known.flows != nullptr) {
      flows = *given_.known.flows;
      flows->change({model_, old_.tables}, {model_, tables}, changed_rows(old_.tables, tables),
                    options_.threads);
      even_options.flows = &*flows;
    }
    const RebalanceResult even = rebalance_blocks(in_use, lids_, sent, even_options);
    if (even.moves.empty()) return std::nullopt;
    return moved(plain, std::move(in_use).tables(), even.spare_blocks);
  }
  std::optional<RepairedTables> chosen(Made& plain, std::span<const SpreadResult> spread) const {
    std::vector<ForwardingTables> tables{plain.result.routing.tables};
    for (const SpreadResult& result : spread) {
      tables.push_back(tables.front());
      for (const EntryChange& move : result.moves) {
        tables.back().row(move.destination)[index(move.at)] = move.port;
      }
    }
    const std::size_t taken = given_.spread->choose ? given_.spread->choose(tables) : spread.size();
    if (taken == 0 || spread[taken - 1].moves.empty()) return std::nullopt;
    return moved(plain, std::move(tables[taken]), spread[taken - 1].spare_blocks);
  }
  std::optional<RepairedTables> moved(Made& plain, ForwardingTables tables,
                                      std::uint64_t spare_blocks) const {
    RepairedTables result = plain.result;
    result.unbalanced = std::exchange(result.routing.tables, std::move(tables));
    result.spare_blocks = spare_blocks;
    if (!lay(result)) return std::nullopt;
    return result;
  }
  // Entries that differ from what the switches have.
  std::vector<TableEntry> changed(const ForwardingTables& tables) const {
    Repaired changes = as_repair(in_switches_, tables);
    changes.forced.insert(changes.forced.end(), changes.dropped.begin(), changes.dropped.end());
    return std::move(changes.forced);
  }

  bool is_free(const Routing& routing) const {
    return find_deadlock(model_.fabric(), routing, Sources::kAll, options_.threads).free();
  }
  std::uint64_t lost_by(const Routing& routing) const {
    return find_reachability(model_.fabric(), routing, options_.threads).lost().terminal_terminal;
  }
  // Rebalanced tables unless they cost the proof or a safe order of writing.
  RepairedTables prove_better(Made plain, std::optional<Made> balanced) {
    if (!balanced) return proved(std::move(plain));
    RepairedTables better = proved(*std::move(balanced));
    const bool holds = better.reach.loops == 0 && better.deadlock_free;
    if (holds && better.transition.safety == Safety::kAnyOrder) return better;
    RepairedTables other = proved(std::move(plain));
    const bool better_holds = holds && better.transition.safety <= other.transition.safety;
    return better_holds ? std::move(better) : std::move(other);
  }
  RepairedTables proved(Made made) {
    RepairedTables& result = made.result;
    const Routing& routing = result.routing;
    const Fabric& fabric = model_.fabric();
    result.reach = {unreachable_pairs(fabric, routing.tables, made.known),
                    disconnected_pairs(fabric, routing.tables.lmc()), made.known.lost().loops};
    const MixedLanes lanes{&old_.lanes, &routing.lanes};
    if (!old_.lanes.single() || !routing.lanes.single()) {
      result.deadlock_free = is_free(routing);
      result.transition =
          find_transition(model_, in_switches_, routing.tables, options_.threads, lanes);
      return std::move(result);
    }
    const DependencyGraph after = graph_of(fabric, made.known.dependencies());
    result.deadlock_free = topological_order(after).size() == after.size();
    MixedGraphs graphs{.after = &after};
    if (&in_switches_ == &old_.tables) graphs.old = &old_graph();
    result.transition =
        find_transition(model_, in_switches_, routing.tables, options_.threads, lanes, graphs);
    return std::move(result);
  }
  const DependencyGraph& old_graph() {
    if (!old_graph_) old_graph_ = graph_of(model_.fabric(), known_old().dependencies());
    return *old_graph_;
  }

  const Model& model_;
  const Routing& old_;
  const Lids& lids_;
  const RepairOptions& options_;
  const RepairGiven& given_;
  const ForwardingTables& in_switches_;
  bool several_;                  // VLs
  std::optional<Routing> fresh_;  // these once made
  std::optional<KnownTables> known_old_;
  std::optional<DependencyGraph> old_graph_;
};

}  // namespace

RepairedTables repair_tables(const Model& model, const Routing& old, const Lids& lids,
                             const RepairOptions& options, const RepairGiven& given) {
  return Repairer(model, old, lids, options, given).run();
}

}  // namespace fatwood
