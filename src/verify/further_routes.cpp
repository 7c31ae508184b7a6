// SPDX-License-Identifier: BSD-3-Clause
#include "verify/further_routes.hpp"

#include <algorithm>
#include <utility>

#include "routing/engine.hpp"
#include "routing/repair/kept_tables.hpp"
#include "verify/deadlock/deadlock.hpp"
#include "verify/fill_in_order.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {

namespace {

// Proofs of one fabric.
struct Judge {
  const Model& model;
  int threads;

  std::uint64_t lost(const Routing& routing) const {
    return find_reachability(model.fabric(), routing, threads).lost().terminal_terminal;
  }
  // Whether all holds, and no more pairs of terminals are lost than these.
  bool accepts(const ForwardingTables& tables, std::uint64_t most_lost) const {
    Routing routing;
    routing.tables = tables;
    const Reachability found = find_reachability(model.fabric(), routing, threads);
    return found.loops == 0 && found.lost().terminal_terminal <= most_lost &&
           find_deadlock(model.fabric(), routing, Sources::kAll, threads).free();
  }
};

// Whether the tables have routes that arrive though they do not climb and descend. Those of ftree
// have none: what it can't reach by levels it leaves out, and so does a repair.
bool have_further_routes(const Model& model, const ForwardingTables& tables, int threads) {
  const KeptTables kept(model, tables, threads);
  return std::ranges::any_of(ids<Target>(tables.num_targets()), [&](Target target) {
    if (kept.kind(target) == RowKind::kPlain) return false;
    const auto row = tables.row(target);
    for (std::uint32_t s = 0; s < row.size(); ++s) {
      if (!kept.is_further(target, s)) continue;
      const Hop hop = model.hop_map().at(s, row[s]);
      if (!hop.to_switch()) continue;
      const Switch next{hop.next()};
      if (next == kept.home(target)) return true;
      if (row[hop.next()] != kNoRoute && !kept.is_further(target, hop.next())) return true;
    }
    return false;
  });
}

// Whether the repair is good as it is.
bool is_enough(const Judge& judge, const Repaired& repaired, std::uint64_t most_lost) {
  return judge.accepts(repaired.tables, most_lost) &&
         (repaired.dropped.empty() ||
          !have_further_routes(judge.model, repaired.tables, judge.threads));
}

// Entries without a route that had one, then entries that changed.
std::pair<std::size_t, std::size_t> cost(const ForwardingTables& old, const ForwardingTables& now) {
  const Repaired changes = with_tables(old, now);
  return {changes.dropped.size(), changes.forced.size()};
}

// Filled in as they are; then with entries open that stand in the way of more entries than they are
// themselves, as long as that finds more of them. The cheapest of these.
std::optional<ForwardingTables> fill_open(const Judge& judge, const ForwardingTables& old,
                                          ForwardingTables open, std::uint64_t most_lost) {
  constexpr int kRounds = 4;
  std::optional<ForwardingTables> best;
  for (int round = 0; round < kRounds; ++round) {
    auto filled = fill_in_order(judge.model, old, open, judge.threads);
    if (!filled) break;
    const bool better = !best || cost(old, filled->tables) < cost(old, *best);
    if (better && judge.accepts(filled->tables, most_lost)) best = std::move(filled->tables);
    if (!best) break;
    std::size_t opened = 0;
    for (const TableEntry& entry : filled->in_the_way) {
      Port& now = open.row(entry.target)[index(entry.at)];
      opened += now != kNoRoute ? 1U : 0U;
      now = kNoRoute;
    }
    if (opened == 0 || opened >= filled->refused) break;
  }
  return best;
}

std::optional<ForwardingTables> fill(const Judge& judge, const ForwardingTables& old,
                                     const Repaired& repaired, std::uint64_t most_lost) {
  if (auto filled = fill_open(judge, old, repaired.tables, most_lost)) return filled;
  ForwardingTables open = repaired.tables;
  for (const TableEntry& entry : repaired.forced) {
    open.row(entry.target)[index(entry.at)] = kNoRoute;
  }
  return fill_open(judge, old, std::move(open), most_lost);
}

// Whether a repair has routes where one by levels has none.
bool has_more(const Repaired& repaired, const Repaired& by_levels) {
  return repaired.dropped.size() < by_levels.dropped.size();
}

ForwardingTables missing_from(const ForwardingTables& fresh, ForwardingTables tables) {
  for (const Target target : ids<Target>(tables.num_targets())) {
    const std::span<Port> row = tables.row(target);
    for (std::size_t s = 0; s < row.size(); ++s) {
      if (row[s] == kNoRoute) row[s] = fresh.row(target)[s];
    }
  }
  return tables;
}

}  // namespace

std::optional<ForwardingTables> take_further_routes(const Model& model, const ForwardingTables& old,
                                                    const Repaired& repaired, const Routing& fresh,
                                                    int threads) {
  const Judge judge{model, threads};
  const std::uint64_t most_lost = judge.lost(fresh);
  if (is_enough(judge, repaired, most_lost)) return repaired.tables;
  if (auto filled = fill(judge, old, repaired, most_lost)) return filled;
  ForwardingTables mixed = missing_from(fresh.tables, repaired.tables);
  if (judge.accepts(mixed, most_lost)) return mixed;
  if (judge.accepts(repaired.tables, most_lost)) return repaired.tables;
  return std::nullopt;
}

Repaired with_further_routes(const Model& model, const ForwardingTables& old, Repaired repaired,
                             int threads) {
  const Judge judge{model, threads};
  if (is_enough(judge, repaired, 0)) return repaired;
  auto tables = fill(judge, old, repaired, 0);
  if (!tables) {
    Routing fresh = route(find_engine("sftree"), model, {.lmc = old.lmc(), .threads = threads});
    ForwardingTables mixed = missing_from(fresh.tables, repaired.tables);
    if (judge.accepts(mixed, 0)) {
      tables = std::move(mixed);
    } else if (!judge.accepts(repaired.tables, 0)) {
      tables = std::move(fresh.tables);
    }
  }
  if (!tables) return repaired;
  return with_tables(old, *std::move(tables));
}

Repaired with_tables(const ForwardingTables& old, ForwardingTables tables) {
  Repaired result{std::move(tables), {}, {}};
  for (const Target target : ids<Target>(old.num_targets())) {
    const auto before = old.row(target);
    const auto after = std::as_const(result.tables).row(target);
    for (std::uint32_t s = 0; s < before.size(); ++s) {
      if (before[s] == after[s]) continue;
      (after[s] == kNoRoute ? result.dropped : result.forced).push_back({target, Switch{s}});
    }
  }
  return result;
}

std::uint64_t least_changes(const Model& model, const ForwardingTables& old,
                            const Repaired& by_levels, const Repaired& repaired) {
  const Fabric& fabric = model.fabric();
  if (!have_further_routes(model, by_levels.tables, 0) && !has_more(repaired, by_levels)) {
    return by_levels.forced.size() + by_levels.dropped.size();
  }
  const auto is_gone = [&](const TableEntry& entry) {
    return !model.hop_map().at(entry.at, old.at(entry.target, entry.at)).to_switch();
  };
  const auto is_apart = [&](const TableEntry& entry) {
    const Switch at = home_of(fabric, old, entry.target);
    return at != kNone<Switch> && model.parts().part[at] != model.parts().part[entry.at];
  };
  const auto least =
      static_cast<std::uint64_t>(std::ranges::count_if(
          by_levels.dropped,
          [&](const TableEntry& entry) { return is_gone(entry) || is_apart(entry); })) +
      by_levels.forced.size();
  if (least <= repaired.forced.size() + repaired.dropped.size()) return least;
  return static_cast<std::uint64_t>(std::ranges::count_if(by_levels.forced, is_gone) +
                                    std::ranges::count_if(by_levels.dropped, is_gone));
}

}  // namespace fatwood
