// SPDX-License-Identifier: BSD-3-Clause
#include "c_api/keep_old.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "analysis/load/channel_use.hpp"
#include "core/error.hpp"
#include "routing/improve/even_repair.hpp"
#include "routing/repair/forced.hpp"
#include "routing/repair/kept_lanes.hpp"
#include "routing/shortest/layers.hpp"
#include "routing/tables/lids.hpp"
#include "verify/deadlock/deadlock.hpp"
#include "verify/fill_in_order.hpp"
#include "verify/further_routes.hpp"
#include "verify/reach/reachability.hpp"
#include "verify/transition.hpp"

namespace fatwood {

namespace {

// What the call before had in mind, in the numbers of this fabric. kNoRoute and lane 0 where it
// knew nothing.
struct Carried {
  ForwardingTables goal;
  Lanes lanes;
};

Carried carry(const EarlierRoutes& earlier, const Fabric& fabric, const ForwardingTables& now,
              std::span<const Target> target_of_lid) {
  std::map<std::uint64_t, Switch> by_guid;
  for (const Switch s : ids<Switch>(earlier.fabric.num_switches())) {
    by_guid.emplace(earlier.fabric.guid(earlier.fabric.node(s)), s);
  }
  std::vector<Switch> was(now.num_switches(), kNone<Switch>);
  for (const Switch s : ids<Switch>(now.num_switches())) {
    const auto found = by_guid.find(fabric.guid(fabric.node(s)));
    if (found != by_guid.end()) was[index(s)] = found->second;
  }
  ForwardingTables goal(now.num_terminals(), now.num_switches(), now.lmc());
  std::vector<std::uint8_t> lanes(now.num_targets() * now.num_switches());
  for (std::size_t lid = 0; lid < std::min(target_of_lid.size(), earlier.target.size()); ++lid) {
    const Target target = target_of_lid[lid];
    const Target before = earlier.target[lid];
    if (target == kNone<Target> || before == kNone<Target>) continue;
    for (std::size_t s = 0; s < was.size(); ++s) {
      if (was[s] == kNone<Switch>) continue;
      goal.row(target)[s] = earlier.goal.at(before, was[s]);
      lanes[std::size_t{index(target)} * was.size() + s] =
          static_cast<std::uint8_t>(earlier.lanes.at(before, was[s]));
    }
  }
  std::vector<std::uint32_t> row_of(now.num_targets());
  std::iota(row_of.begin(), row_of.end(), 0U);
  return {std::move(goal), earlier.lanes.single()
                               ? Lanes{}
                               : pack_lanes(earlier.lanes.count, was.size(), lanes, row_of)};
}

class Keeping {
 public:
  Keeping(const Model& model, const Routing& fresh, unsigned max_lanes, const OldTables& old,
          const fatwood_keep_options& options, const EarlierRoutes* earlier)
      : model_(model),
        fresh_(fresh),
        max_lanes_(max_lanes),
        old_(old),
        options_(options),
        known_(old.by_target(fresh.tables)) {
    if (earlier != nullptr) {
      earlier_ = carry(*earlier, model.fabric(), fresh.tables, old.target);
    }
    several_ = !fresh.lanes.single() || !earlier_.lanes.single();
    if (!fresh.lanes.single() && earlier == nullptr) {
      throw PromiseError("the lanes of routes in use are not known");
    }
  }

  KeptOld run() {
    std::optional<Routing> kept = kept_routes();
    if (!kept) {
      told_.taken = FATWOOD_NEW_UNPROVED;
      return first_round(fresh_);
    }
    if (options_.even != 0) kept = evened(*std::move(kept));
    if (options_.most_drift != 0) {
      told_.drift = drift(*kept);
      if (told_.drift > options_.most_drift) {
        told_.taken = FATWOOD_NEW_UNEVEN;
        told_.spare_blocks = 0;
        return first_round(fresh_);
      }
    }
    return first_round(*std::move(kept));
  }

 private:
  // What is in the switches; where nothing is known what was in mind, else the new routes.
  ForwardingTables before() const {
    ForwardingTables tables = known_;
    for (const Target target : ids<Target>(tables.num_targets())) {
      const std::span<Port> row = tables.row(target);
      const auto now = fresh_.tables.row(target);
      for (std::size_t s = 0; s < row.size(); ++s) {
        if (row[s] != kNoRoute) continue;
        const Switch at{static_cast<std::uint32_t>(s)};
        const Port meant =
            earlier_.goal.num_targets() == 0 ? kNoRoute : earlier_.goal.at(target, at);
        row[s] = meant != kNoRoute ? meant : now[s];
      }
    }
    return tables;
  }
  std::optional<Routing> kept_routes() const {
    const ForwardingTables was = before();
    Repaired repaired = keep_what_can_stay(model_, was);
    Routing routing;
    if (!several_) {
      auto tables = take_further_routes(model_, was, repaired, fresh_);
      if (!tables) return std::nullopt;
      routing.tables = *std::move(tables);
      return routing;
    }
    routing.tables = fill_for_lanes(model_, was, std::move(repaired.tables));
    if (!lay(routing) || !is_proved(routing, fresh_)) return std::nullopt;
    return routing;
  }
  // Lanes for the tables; false when there are too few.
  bool lay(Routing& routing) const {
    if (!several_) return true;
    Routing was;
    was.tables = before();
    was.lanes = earlier_.lanes;
    if (find_reachability(model_.fabric(), routing).loops != 0) return false;
    auto lanes = keep_lanes(model_, was, routing.tables, max_lanes_);
    if (!lanes) return false;
    routing.lanes = std::move(lanes->lanes);
    return true;
  }

  // As they are unless all can be proved again.
  Routing evened(Routing plain) {
    const Lids lids = assign_lids(model_.fabric(), plain.tables.lmc());
    KeptTables kept(model_, plain.tables);
    const EvenResult even =
        even_out(kept, lids, changed(plain.tables), {.spare_blocks = options_.spare_blocks});
    if (even.moves.empty()) return plain;
    Routing routing;
    routing.tables = kept.tables();
    if (!lay(routing) || !is_proved(routing, plain)) return plain;
    const Safety safety = mixed(routing).safety;
    if (safety != Safety::kAnyOrder && safety > mixed(plain).safety) return plain;
    told_.spare_blocks = even.spare_blocks;
    return routing;
  }
  std::vector<TableEntry> changed(const ForwardingTables& tables) const {
    std::vector<TableEntry> entries;
    for (const Target target : ids<Target>(tables.num_targets())) {
      const auto row = tables.row(target);
      const auto now = known_.row(target);
      for (std::uint32_t s = 0; s < row.size(); ++s) {
        if (row[s] != now[s]) entries.push_back({target, Switch{s}});
      }
    }
    return entries;
  }
  // No loop, no deadlock, no pair of terminals lost that the other routes have.
  bool is_proved(const Routing& routing, const Routing& other) const {
    const Reachability found = find_reachability(model_.fabric(), routing);
    return found.loops == 0 && find_deadlock(model_.fabric(), routing).free() &&
           found.lost().terminal_terminal <=
               find_reachability(model_.fabric(), other).lost().terminal_terminal;
  }
  Transition mixed(const Routing& routing) const {
    if (keep_directions(model_, known_, routing.tables)) return {};
    return find_transition(model_, known_, routing.tables, 0, {&earlier_.lanes, &routing.lanes});
  }

  double fullest(const Routing& routing) const {
    return spread_of_flows(model_.fabric(), find_channel_use(model_, routing)).largest.value();
  }
  double drift(const Routing& routing) const {
    const double anew = fullest(fresh_);
    return anew == 0 ? 1 : fullest(routing) / anew;
  }

  // Where old and new can't be mixed in any order: some entries wait. The rounds are those of
  // transition.hpp, but OpenSM writes in an order of its own: entries that no longer climb are
  // taken out in a round of their own.
  KeptOld first_round(Routing routing) {
    const Transition transition = mixed(routing);
    if (transition.safety == Safety::kNone) told_.mixed_unsafe = 1;
    ForwardingTables goal;
    if (transition.safety == Safety::kRounds) {
      goal = routing.tables;
      routing.tables = held_back(std::move(routing.tables), transition);
    }
    count(routing.tables);
    return {std::move(routing.tables), std::move(routing.lanes), std::move(goal), told_};
  }
  ForwardingTables held_back(ForwardingTables now, const Transition& transition) {
    const Round& first = transition.rounds.front();
    if (!first.wait_between_levels) {
      for (const auto& [target, s] : first.clear) now.row(target)[index(s)] = kNoRoute;
      told_.held = first.clear.size();
      return now;
    }
    ForwardingTables round = known_;
    for (const Target target : ids<Target>(now.num_targets())) {
      const std::span<Port> row = round.row(target);
      for (std::size_t s = 0; s < row.size(); ++s) {
        const Switch at{static_cast<std::uint32_t>(s)};
        if (!climbs(at, row[s]) || climbs(at, now.at(target, at))) continue;
        row[s] = kNoRoute;
        ++told_.held;
      }
    }
    return round;
  }
  bool climbs(Switch s, Port entry) const {
    const Hop hop = model_.hop_map().at(s, entry);
    const auto& level = model_.levels().level;
    return hop.to_switch() && level[static_cast<Switch>(hop.next())] > level[s];
  }

  // What differs from the switches.
  void count(const ForwardingTables& tables) {
    for (std::size_t s = 0; s < tables.num_switches(); ++s) {
      std::size_t last = 0;  // block that was counted, plus 1
      for (std::size_t lid = 0; lid < old_.target.size(); ++lid) {
        const Target target = old_.target[lid];
        if (target == kNone<Target>) continue;
        const Switch at{static_cast<std::uint32_t>(s)};
        if (known_.at(target, at) == tables.at(target, at)) continue;
        ++told_.entries;
        if (last == lid / 64 + 1) continue;
        last = lid / 64 + 1;
        ++told_.blocks;
      }
    }
  }

  const Model& model_;
  const Routing& fresh_;
  unsigned max_lanes_;
  const OldTables& old_;
  const fatwood_keep_options& options_;
  ForwardingTables known_;
  Carried earlier_;       // empty where nothing was
  bool several_ = false;  // lanes
  fatwood_kept told_{};
};

}  // namespace

std::optional<Port> OldTables::at(const ForwardingTables& now, std::size_t s,
                                  std::size_t lid) const {
  if (tables[s] == nullptr || lid >= size) return std::nullopt;
  const Port entry{tables[s][lid]};
  const bool own = target[lid] == now.target(static_cast<Switch>(s));
  if (entry == kNoRoute || (entry == kOwnPort && !own)) return std::nullopt;
  return entry;
}

ForwardingTables OldTables::by_target(const ForwardingTables& now) const {
  ForwardingTables known(now.num_terminals(), now.num_switches(), now.lmc());
  for (std::size_t lid = 0; lid < target.size(); ++lid) {
    if (target[lid] == kNone<Target>) continue;
    const std::span<Port> row = known.row(target[lid]);
    for (std::size_t s = 0; s < row.size(); ++s) row[s] = at(now, s, lid).value_or(kNoRoute);
  }
  return known;
}

KeptOld keep_old(const Model& model, const Routing& fresh, unsigned max_lanes, const OldTables& old,
                 const fatwood_keep_options& options, const EarlierRoutes* earlier) {
  if (!std::isfinite(options.most_drift) || (options.most_drift != 0 && options.most_drift < 1)) {
    throw InputError("expected a drift of 1 at least, or 0 for any");
  }
  if (options.even == 0 && options.spare_blocks != 0) {
    throw InputError("spare blocks have no effect unless loads are to be evened out");
  }
  return Keeping(model, fresh, max_lanes, old, options, earlier).run();
}

}  // namespace fatwood
