// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/change/keep_installed.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/load/channel_use.hpp"
#include "core/error.hpp"
#include "routing/shortest/layers.hpp"
#include "tasks/change/repair_tables.hpp"

namespace fatwood {

namespace {

// What jobs and the slowest pair lose with some routes, compared with others: the larger of the two
// parts.
class JobLoss {
 public:
  JobLoss(const Model& model, const Routing& fresh)
      : model_(model), who_(default_participants(model)), fresh_(figures(fresh)) {}

  double of(const Routing& routing) const {
    const LossFigures found = figures(routing);
    double least = 1;
    if (fresh_.worst_gbps > 0) least = std::min(least, found.worst_gbps / fresh_.worst_gbps);
    if (fresh_.jobs && found.jobs && fresh_.jobs->mean > 0) {
      least = std::min(least, found.jobs->mean / fresh_.jobs->mean);
    }
    return 1 - least;
  }
  double of(const ForwardingTables& tables) const {
    Routing routing;
    routing.tables = tables;
    return of(routing);
  }

 private:
  LossFigures figures(const Routing& routing) const {
    return rate_figures(model_, routing, who_, 0, MeasureJobs::kYes);
  }

  const Model& model_;
  Participants who_;
  LossFigures fresh_;
};

// The tables in the switches by destination, with kNoRoute for unknown entries. `fresh`: tables of
// that size.
ForwardingTables by_destination(const InstalledTables& old, const ForwardingTables& fresh) {
  ForwardingTables known(fresh.num_terminals(), fresh.num_switches(), fresh.lmc());
  for (std::size_t lid = 0; lid < std::min(old.destination.size(), old.size); ++lid) {
    const Destination destination = old.destination[lid];
    if (destination == kNone<Destination>) continue;
    for (const Switch s : ids<Switch>(fresh.num_switches())) {
      if (old.tables[index(s)] == nullptr) continue;
      const Port entry{old.tables[index(s)][lid]};
      if (entry == kOwnPort && destination != fresh.destination(s)) continue;
      known.row(destination)[index(s)] = entry;
    }
  }
  return known;
}

// The final tables of the previous call, in the numbers of this fabric. kNoRoute and lane 0 where
// it knew nothing.
struct CarriedRoutes {
  ForwardingTables final_tables;
  Lanes lanes;
};

CarriedRoutes carry_routes(const EarlierRoutes& earlier, const Fabric& fabric,
                           const ForwardingTables& now,
                           std::span<const Destination> destination_of_lid) {
  std::map<std::uint64_t, Switch> by_guid;
  for (const Switch s : ids<Switch>(earlier.fabric.num_switches())) {
    by_guid.emplace(earlier.fabric.guid(earlier.fabric.node(s)), s);
  }
  std::vector<Switch> was(now.num_switches(), kNone<Switch>);
  for (const Switch s : ids<Switch>(now.num_switches())) {
    const auto found = by_guid.find(fabric.guid(fabric.node(s)));
    if (found != by_guid.end()) was[index(s)] = found->second;
  }
  ForwardingTables final_tables(now.num_terminals(), now.num_switches(), now.lmc());
  std::vector<std::uint8_t> lanes(now.num_destinations() * now.num_switches());
  for (std::size_t lid = 0; lid < std::min(destination_of_lid.size(), earlier.destination.size());
       ++lid) {
    const Destination destination = destination_of_lid[lid];
    const Destination before = earlier.destination[lid];
    if (destination == kNone<Destination> || before == kNone<Destination>) continue;
    for (std::size_t s = 0; s < was.size(); ++s) {
      if (was[s] == kNone<Switch>) continue;
      final_tables.row(destination)[s] = earlier.final_tables.at(before, was[s]);
      lanes[std::size_t{index(destination)} * was.size() + s] =
          static_cast<std::uint8_t>(earlier.lanes.at(before, was[s]));
    }
  }
  std::vector<std::uint32_t> row_of(now.num_destinations());
  std::iota(row_of.begin(), row_of.end(), 0U);
  return {std::move(final_tables),
          earlier.lanes.single() ? Lanes{}
                                 : pack_lanes(earlier.lanes.count, was.size(), lanes, row_of)};
}

class Keeping {
 public:
  Keeping(const Model& model, const Routing& fresh, const InstalledTables& old,
          const KeepOptions& options, const EarlierRoutes* earlier)
      : model_(model),
        fresh_(fresh),
        old_(old),
        options_(options),
        known_(by_destination(old, fresh.tables)) {
    if (earlier != nullptr) {
      earlier_ = carry_routes(*earlier, model.fabric(), fresh.tables, old.destination);
    }
    if (!fresh.lanes.single() && earlier == nullptr) {
      throw PromiseError("the lanes of routes in use are not known");
    }
    if (options.most_drift > 0 && options.most_drift < 1) loss_.emplace(model, fresh);
  }

  KeepResult run() {
    Routing old;
    old.tables = before();
    old.lanes = earlier_.lanes;
    const Lids lids = assign_lids(model_.fabric(), old.tables.lmc());
    const std::uint64_t all =
        known_.num_switches() * (lid_block(lids.highest()) + std::uint64_t{1});
    const SpreadRequest spread{
        .host_order = {},
        .spare_blocks = [&](std::uint64_t forced) { return spare_blocks(forced, all); },
        .choose = [&](std::span<const ForwardingTables> tables) { return choose(tables); }};
    RepairedTables repaired = repair_tables(
        model_, old, lids,
        {.rebalance = options_.rebalance,
         .spare_blocks = options_.spare_blocks,
         .max_lanes = options_.max_lanes},
        {.spread = loss_ ? &spread : nullptr, .fresh = &fresh_, .in_switches = &known_});
    if (repaired.fresh) figures_.taken = TakenRoutes::kNewUnproved;
    if (!repaired.fresh && options_.most_drift != 0) {
      figures_.drift = drift(repaired.routing);
      if (figures_.drift > options_.most_drift) {
        figures_.taken = TakenRoutes::kNewUneven;
        return first_round(fresh_, find_transition(model_, known_, fresh_.tables, 0,
                                                   {&earlier_.lanes, &fresh_.lanes}));
      }
    }
    figures_.spare_blocks = repaired.spare_blocks;
    return first_round(std::move(repaired.routing), repaired.transition);
  }

 private:
  // The entries of the switches; where unknown, the final tables of the previous call, else the new
  // routes.
  ForwardingTables before() const {
    ForwardingTables tables = known_;
    for (const Destination destination : ids<Destination>(tables.num_destinations())) {
      const std::span<Port> row = tables.row(destination);
      const auto now = fresh_.tables.row(destination);
      for (std::size_t s = 0; s < row.size(); ++s) {
        if (row[s] != kNoRoute) continue;
        const Switch at{static_cast<std::uint32_t>(s)};
        const Port meant = earlier_.final_tables.num_destinations() == 0
                               ? kNoRoute
                               : earlier_.final_tables.at(destination, at);
        row[s] = meant != kNoRoute ? meant : now[s];
      }
    }
    return tables;
  }

  // By default up to 8 times the blocks that must be sent, or 1% of all: cables that are back force
  // none.
  std::vector<std::uint64_t> spare_blocks(std::uint64_t forced, std::uint64_t all) const {
    if (options_.spare_blocks > 0) return {0, options_.spare_blocks};
    const std::uint64_t usual = std::max(forced, all / 800);
    return {0, usual, 3 * usual, 7 * usual};
  }
  // The fewest blocks with which jobs and the slowest pair lose no more than they may.
  std::size_t choose(std::span<const ForwardingTables> tables) const {
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (loss_->of(tables[i]) <= options_.most_drift) return i;
    }
    return tables.size() - 1;
  }
  // What jobs lose, or the load of the most loaded link relative to that of the new routes.
  double drift(const Routing& routing) const {
    if (loss_) return loss_->of(routing);
    const double fresh = most_loaded(fresh_);
    return fresh == 0 ? 1 : most_loaded(routing) / fresh;
  }
  double most_loaded(const Routing& routing) const {
    return spread_of_flows(model_, find_channel_use(model_, routing)).largest.value();
  }

  // If old and new entries can't be mixed in any order, some wait. The rounds are those of
  // verify/transition.hpp, but OpenSM writes in an order of its own: entries that no longer go up
  // are taken out in a round of their own.
  KeepResult first_round(Routing routing, const Transition& transition) {
    if (transition.safety == Safety::kNone) figures_.mixed_unsafe = true;
    ForwardingTables final_tables;
    if (transition.safety == Safety::kRounds) {
      final_tables = routing.tables;
      routing.tables = held_back(std::move(routing.tables), transition);
    }
    count(routing.tables);
    return {std::move(routing.tables), std::move(routing.lanes), std::move(final_tables), figures_};
  }
  ForwardingTables held_back(ForwardingTables now, const Transition& transition) {
    const Round& first = transition.rounds.front();
    if (!first.wait_between_levels) {
      for (const auto& [destination, s] : first.clear) now.row(destination)[index(s)] = kNoRoute;
      figures_.held = first.clear.size();
      return now;
    }
    ForwardingTables round = known_;
    for (const Destination destination : ids<Destination>(now.num_destinations())) {
      const std::span<Port> row = round.row(destination);
      for (std::size_t s = 0; s < row.size(); ++s) {
        const Switch at{static_cast<std::uint32_t>(s)};
        if (!goes_up(at, row[s]) || goes_up(at, now.at(destination, at))) continue;
        row[s] = kNoRoute;
        ++figures_.held;
      }
    }
    return round;
  }
  bool goes_up(Switch s, Port entry) const {
    const Hop hop = model_.hop_map().at(s, entry);
    const auto& level = model_.levels().level;
    return hop.to_switch() && level[static_cast<Switch>(hop.next())] > level[s];
  }

  // Counts what differs from the switches.
  void count(const ForwardingTables& tables) {
    for (std::size_t s = 0; s < tables.num_switches(); ++s) {
      std::size_t last = 0;  // block that was counted, plus 1
      for (std::size_t lid = 0; lid < old_.destination.size(); ++lid) {
        const Destination destination = old_.destination[lid];
        if (destination == kNone<Destination>) continue;
        const Switch at{static_cast<std::uint32_t>(s)};
        if (known_.at(destination, at) == tables.at(destination, at)) continue;
        ++figures_.entries;
        if (last == lid / 64 + 1) continue;
        last = lid / 64 + 1;
        ++figures_.blocks;
      }
    }
  }

  const Model& model_;
  const Routing& fresh_;
  const InstalledTables& old_;
  const KeepOptions& options_;
  ForwardingTables known_;
  CarriedRoutes earlier_;  // empty where nothing was
  std::optional<JobLoss> loss_;
  KeepFigures figures_;
};

}  // namespace

KeepResult keep_installed(const Model& model, const Routing& fresh, const InstalledTables& old,
                          const KeepOptions& options, const EarlierRoutes* earlier) {
  if (!std::isfinite(options.most_drift) || options.most_drift < 0) {
    throw InputError("expected a drift limit above 0, or 0 for none");
  }
  if (!options.rebalance && options.spare_blocks != 0) {
    throw InputError("spare blocks have no effect without rebalancing");
  }
  return Keeping(model, fresh, old, options, earlier).run();
}

}  // namespace fatwood
