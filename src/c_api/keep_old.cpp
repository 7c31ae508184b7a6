// SPDX-License-Identifier: BSD-3-Clause
#include "c_api/keep_old.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "analysis/channel_use.hpp"
#include "analysis/even_repair.hpp"
#include "core/error.hpp"
#include "routing/lids.hpp"
#include "routing/repair/forced.hpp"
#include "verify/deadlock.hpp"
#include "verify/further_routes.hpp"
#include "verify/reachability.hpp"
#include "verify/transition.hpp"

namespace fatwood {

namespace {

class Keeping {
 public:
  Keeping(const Model& model, const Routing& fresh, const OldTables& old,
          const fatwood_keep_options& options)
      : model_(model),
        fresh_(fresh),
        old_(old),
        options_(options),
        known_(old.by_target(fresh.tables)) {}

  KeptOld run() {
    std::optional<ForwardingTables> kept = kept_tables();
    if (!kept) {
      told_.taken = FATWOOD_NEW_UNPROVED;
      return first_round(fresh_.tables);
    }
    if (options_.even != 0) kept = evened(*std::move(kept));
    if (options_.most_drift != 0) {
      told_.drift = drift(*kept);
      if (told_.drift > options_.most_drift) {
        told_.taken = FATWOOD_NEW_UNEVEN;
        told_.spare_blocks = 0;
        return first_round(fresh_.tables);
      }
    }
    return first_round(*std::move(kept));
  }

 private:
  // Where nothing is known the new routes count.
  std::optional<ForwardingTables> kept_tables() const {
    ForwardingTables before = known_;
    for (const Target target : ids<Target>(before.num_targets())) {
      const std::span<std::uint8_t> row = before.row(target);
      const auto now = fresh_.tables.row(target);
      for (std::size_t s = 0; s < row.size(); ++s) {
        if (row[s] == kNoRoute) row[s] = now[s];
      }
    }
    return take_further_routes(model_, before, keep_what_can_stay(model_, before), fresh_);
  }

  // As they are unless all can be proved again.
  ForwardingTables evened(ForwardingTables plain) {
    const Lids lids = assign_lids(model_.fabric(), plain.lmc());
    KeptTables kept(model_, plain);
    const EvenResult even =
        even_out(kept, lids, changed(plain), {.spare_blocks = options_.spare_blocks});
    if (even.moves.empty() || !is_proved(kept.tables(), plain)) return plain;
    told_.spare_blocks = even.spare_blocks;
    return kept.tables();
  }
  std::vector<TableEntry> changed(const ForwardingTables& tables) const {
    std::vector<TableEntry> entries;
    for (const Target target : ids<Target>(tables.num_targets())) {
      const auto row = tables.row(target);
      const auto before = known_.row(target);
      for (std::uint32_t s = 0; s < row.size(); ++s) {
        if (row[s] != before[s]) entries.push_back({target, Switch{s}});
      }
    }
    return entries;
  }
  // No loop, no deadlock, nothing lost that the plain ones have, and mixed no worse.
  bool is_proved(const ForwardingTables& tables, const ForwardingTables& plain) const {
    Routing routing;
    routing.tables = tables;
    const Reachability found = find_reachability(model_.fabric(), routing);
    if (found.loops != 0 || !find_deadlock(model_.fabric(), routing).free()) return false;
    routing.tables = plain;
    if (found.lost().total() > find_reachability(model_.fabric(), routing).lost().total()) {
      return false;
    }
    const Safety safety = mixed(tables).safety;
    return safety == Safety::kAnyOrder || safety <= mixed(plain).safety;
  }
  Transition mixed(const ForwardingTables& tables) const {
    if (keep_directions(model_, known_, tables)) return {};
    return find_transition(model_, known_, tables);
  }

  double fullest(const Routing& routing) const {
    return spread_of_flows(model_.fabric(), find_channel_use(model_, routing)).largest.value();
  }
  double drift(const ForwardingTables& tables) const {
    Routing routing;
    routing.tables = tables;
    const double anew = fullest(fresh_);
    return anew == 0 ? 1 : fullest(routing) / anew;
  }

  // Where old and new can't be mixed in any order: some entries wait. The rounds are those of
  // transition.hpp, but OpenSM writes in an order of its own: entries that no longer climb are
  // taken out in a round of their own.
  KeptOld first_round(ForwardingTables now) {
    const Transition transition = mixed(now);
    if (transition.safety == Safety::kNone) told_.mixed_unsafe = 1;
    if (transition.safety == Safety::kRounds) now = held_back(std::move(now), transition);
    return finish(std::move(now));
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
      const std::span<std::uint8_t> row = round.row(target);
      for (std::size_t s = 0; s < row.size(); ++s) {
        const Switch at{static_cast<std::uint32_t>(s)};
        if (!climbs(at, row[s]) || climbs(at, now.at(target, at))) continue;
        row[s] = kNoRoute;
        ++told_.held;
      }
    }
    return round;
  }
  bool climbs(Switch s, std::uint8_t entry) const {
    const Hop hop = model_.hop_map().at(s, entry);
    const auto& level = model_.levels().level;
    return hop.to_switch() && level[static_cast<Switch>(hop.next())] > level[s];
  }

  // Counts what differs from the switches.
  KeptOld finish(ForwardingTables tables) {
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
    return {std::move(tables), told_};
  }

  const Model& model_;
  const Routing& fresh_;
  const OldTables& old_;
  const fatwood_keep_options& options_;
  ForwardingTables known_;
  fatwood_kept told_{};
};

}  // namespace

std::optional<std::uint8_t> OldTables::at(const ForwardingTables& now, std::size_t s,
                                          std::size_t lid) const {
  if (tables[s] == nullptr || lid >= size) return std::nullopt;
  const std::uint8_t entry = tables[s][lid];
  const bool own = target[lid] == now.target(static_cast<Switch>(s));
  if (entry == kNoRoute || (entry == 0 && !own)) return std::nullopt;
  return entry;
}

ForwardingTables OldTables::by_target(const ForwardingTables& now) const {
  ForwardingTables known(now.num_terminals(), now.num_switches(), now.lmc());
  for (std::size_t lid = 0; lid < target.size(); ++lid) {
    if (target[lid] == kNone<Target>) continue;
    const std::span<std::uint8_t> row = known.row(target[lid]);
    for (std::size_t s = 0; s < row.size(); ++s) row[s] = at(now, s, lid).value_or(kNoRoute);
  }
  return known;
}

KeptOld keep_old(const Model& model, const Routing& fresh, const OldTables& old,
                 const fatwood_keep_options& options) {
  if (!std::isfinite(options.most_drift) || (options.most_drift != 0 && options.most_drift < 1)) {
    throw InputError("expected a drift of 1 at least, or 0 for any");
  }
  if (options.even == 0 && options.spare_blocks != 0) {
    throw InputError("spare blocks have no effect unless loads are to be evened out");
  }
  if (fresh.lanes.count > 1) {
    throw PromiseError("routes of several lanes are not repaired, but made anew");
  }
  return Keeping(model, fresh, old, options).run();
}

}  // namespace fatwood
