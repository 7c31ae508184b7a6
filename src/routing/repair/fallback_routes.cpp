// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/fallback_routes.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "core/parallel.hpp"
#include "routing/repair/fill_fallback.hpp"
#include "routing/repair/table_order.hpp"
#include "routing/tables/destination_tree.hpp"
#include "topology/graph/leaves.hpp"

namespace fatwood {

namespace {

// Proofs of one fabric.
struct Prover {
  const Model& model;
  int threads;

  // Pairs without a route though cables connect them.
  struct Lost {
    std::uint64_t terminals = 0;  // pairs of terminals
    std::uint64_t all = 0;        // pairs of any two of terminals and switches
  };
  struct Paths {
    std::uint64_t loops = 0;
    Lost lost;
  };
  Paths follow(const ForwardingTables& tables) const {
    const Fabric& fabric = model.fabric();
    const Table<Switch, std::uint32_t> terminals = terminals_on(fabric);
    const auto workers = static_cast<std::size_t>(thread_count(threads));
    std::vector<DestinationTree> trees(workers, DestinationTree(fabric, model.hop_map()));
    std::vector<Paths> found(workers);
    parallel_for(
        tables.num_destinations(), threads,
        [&](std::size_t i, int thread) {
          const auto destination = static_cast<Destination>(i);
          DestinationTree& tree = trees[static_cast<std::size_t>(thread)];
          Paths& paths = found[static_cast<std::size_t>(thread)];
          tree.follow(tables, destination);
          paths.loops += tree.loops().size();
          const Switch home = tree.destination();
          if (home == kNone<Switch>) return;
          const auto& component = model.components().component;
          for (const Switch s : ids<Switch>(terminals.size())) {
            if (tree.reaches(index(s)) || component[s] != component[home]) continue;
            const std::uint64_t sources = terminals[s] + 1U - (s == home ? 1U : 0U);
            paths.lost.all += sources;
            if (!tables.is_switch(destination)) paths.lost.terminals += sources - 1;
          }
        },
        16);
    for (std::size_t i = 1; i < workers; ++i) {
      found.front().loops += found[i].loops;
      found.front().lost.terminals += found[i].lost.terminals;
      found.front().lost.all += found[i].lost.all;
    }
    return found.front();
  }
  // Whether nothing loops or deadlocks, and no more pairs are lost than these.
  bool accepts(const ForwardingTables& tables, const Lost& most) const {
    const Paths paths = follow(tables);
    return paths.loops == 0 && paths.lost.terminals <= most.terminals &&
           paths.lost.all <= most.all && TableOrder(model, tables, threads).is_free();
  }
};

bool is_connected(const Model& model, const ForwardingTables& tables, const TableEntry& entry) {
  const Switch home = home_of(model.fabric(), tables, entry.destination);
  const auto& component = model.components().component;
  return home == kNone<Switch> || component[home] == component[entry.at];
}

// Whether switches have entries for all destinations that cables connect them to.
bool is_complete(const Model& model, const ForwardingTables& tables) {
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const auto row = tables.row(destination);
    for (std::uint32_t s = 0; s < row.size(); ++s) {
      if (row[s] != kNoRoute) continue;
      const Switch home = home_of(model.fabric(), tables, destination);
      if (home != kNone<Switch> && is_connected(model, tables, {destination, Switch{s}}))
        return false;
    }
  }
  return true;
}

// Whether routes arrive that are not up*/down*.
bool some_arrive(const KeptTables& kept) {
  const ForwardingTables& tables = kept.tables();
  return std::ranges::any_of(
      ids<Destination>(tables.num_destinations()), [&](Destination destination) {
        if (kept.kind(destination) == RowKind::kPlain) return false;
        const auto row = tables.row(destination);
        for (std::uint32_t s = 0; s < row.size(); ++s) {
          if (!kept.is_fallback(destination, s)) continue;
          const Hop hop = kept.model().hop_map().at(s, row[s]);
          if (!hop.to_switch()) continue;
          const Switch next{hop.next()};
          if (next == kept.home(destination)) return true;
          if (row[hop.next()] != kNoRoute && !kept.is_fallback(destination, hop.next()))
            return true;
        }
        return false;
      });
}

// Whether the repair is good as it is: it leaves out what tables without fallback routes do.
bool is_enough(const Prover& prover, const ForwardingTables& old, const Repaired& repaired,
               const Prover::Lost& most) {
  const bool misses_none = std::ranges::none_of(repaired.dropped, [&](const TableEntry& entry) {
    return is_connected(prover.model, old, entry);
  });
  return prover.accepts(repaired.tables, most) &&
         (misses_none || !some_arrive(KeptTables(prover.model, repaired.tables, prover.threads)));
}

// Entries without a route that had one; entries that changed; of these, towards hosts.
using Cost = std::tuple<std::size_t, std::size_t, std::size_t>;
Cost cost(const ForwardingTables& old, const ForwardingTables& now) {
  const Repaired changes = with_tables(old, now);
  const auto towards_hosts = std::ranges::count_if(
      changes.forced, [&](const TableEntry& entry) { return !old.is_switch(entry.destination); });
  return {changes.dropped.size(), changes.forced.size(), static_cast<std::size_t>(towards_hosts)};
}

std::size_t entries_changed(const ForwardingTables& old, const ForwardingTables& now) {
  const auto [dropped, changed, towards_hosts] = cost(old, now);
  return dropped + changed;
}

// Filled in as they are. Then again, where that helps: with entries open that prevent more entries
// from staying than they are themselves; and with destinations first to which a pair had no route.
// The cheapest of those that are proved. Ends when more entries change than in `other` tables: each
// round starts from those before it.
std::optional<ForwardingTables> fill_open(const Prover& prover, const ForwardingTables& old,
                                          ForwardingTables open, const Prover::Lost& most,
                                          bool hosts_first = false,
                                          const ForwardingTables* other = nullptr) {
  constexpr int kRounds = 4;
  std::optional<ForwardingTables> best;
  FillOrder order{.first = {}, .hosts_first = hosts_first};
  for (int round = 0; round < kRounds; ++round) {
    auto filled = fill_fallback(prover.model, old, open, order, prover.threads);
    if (!filled ||
        (other != nullptr && entries_changed(old, filled->tables) > entries_changed(old, *other)))
      break;
    const bool better = !best || cost(old, filled->tables) < cost(old, *best);
    if (better && prover.accepts(filled->tables, most)) best = std::move(filled->tables);
    std::size_t opened = 0;
    for (const TableEntry& entry : filled->blocking) {
      Port& now = open.row(entry.destination)[index(entry.at)];
      opened += now != kNoRoute ? 1U : 0U;
      now = kNoRoute;
    }
    const std::size_t before = order.first.size();
    for (const Destination destination : filled->unfilled) {
      if (best && opened > 0) break;
      if (std::ranges::find(order.first, destination) == order.first.end()) {
        order.first.push_back(destination);
      }
    }
    const bool opens = opened > 0 && (!best || opened < filled->refused);
    if (!opens && order.first.size() == before) break;
  }
  return best;
}

// Whether entries towards hosts changed that levels do not force and whose cable lives.
bool moves_hosts(const Model& model, const ForwardingTables& old, const ForwardingTables& levels,
                 const ForwardingTables& now) {
  return std::ranges::any_of(with_tables(old, now).forced, [&](const TableEntry& entry) {
    const Port was = old.at(entry.destination, entry.at);
    const Port by_levels = levels.at(entry.destination, entry.at);
    return !old.is_switch(entry.destination) && (by_levels == was || by_levels == kNoRoute) &&
           model.hop_map().at(entry.at, was).to_switch();
  });
}

// As repaired. If that fails, or moves entries towards hosts for the sake of fallback routes
// between switches: with all of these open, hosts first; they get their old entries back where
// these fit. The cheaper of both. Else with all changed entries open, too.
std::optional<ForwardingTables> fill(const Prover& prover, const ForwardingTables& old,
                                     const Repaired& repaired, const Prover::Lost& most) {
  auto best = fill_open(prover, old, repaired.tables, most);
  if (best && !moves_hosts(prover.model, old, repaired.tables, *best)) return best;
  ForwardingTables open = repaired.tables;
  const KeptTables kept(prover.model, repaired.tables, prover.threads);
  for (const Switch s : ids<Switch>(open.num_switches())) {
    const Destination destination = open.destination(s);
    const std::span<Port> row = open.row(destination);
    for (std::uint32_t at = 0; at < row.size(); ++at) {
      if (kept.is_fallback(destination, at)) row[at] = kNoRoute;
    }
  }
  auto hosts_first = fill_open(prover, old, open, most, true, best ? &*best : nullptr);
  if (hosts_first && (!best || cost(old, *hosts_first) < cost(old, *best))) return hosts_first;
  if (best) return best;
  for (const TableEntry& entry : repaired.forced) {
    open.row(entry.destination)[index(entry.at)] = kNoRoute;
  }
  return fill_open(prover, old, std::move(open), most);
}

// Whether a repair has routes where one by levels has none.
bool has_more(const Repaired& repaired, const Repaired& by_levels) {
  return repaired.dropped.size() < by_levels.dropped.size();
}

ForwardingTables missing_from(const ForwardingTables& fresh, ForwardingTables tables) {
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const std::span<Port> row = tables.row(destination);
    for (std::size_t s = 0; s < row.size(); ++s) {
      if (row[s] == kNoRoute) row[s] = fresh.row(destination)[s];
    }
  }
  return tables;
}

}  // namespace

bool have_fallback_routes(const KeptTables& kept) {
  return is_complete(kept.model(), kept.tables()) || some_arrive(kept);
}

Completed with_fallback_routes(const Model& model, const ForwardingTables& old, Repaired repaired,
                               const FreshTables& make_fresh, int threads) {
  const Prover prover{model, threads};
  // Tables that connected every pair connect every pair again.
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  Prover::Lost most{0, is_complete(model, old) ? 0 : kAny};
  if (is_enough(prover, old, repaired, most)) return {std::move(repaired)};
  if (auto filled = fill(prover, old, repaired, most))
    return {with_tables(old, *std::move(filled))};
  const ForwardingTables fresh = make_fresh();
  const Prover::Lost lost = prover.follow(fresh).lost;
  most = {lost.terminals, most.all == kAny ? kAny : lost.all};
  if (lost.all > 0) {
    if (is_enough(prover, old, repaired, most)) return {std::move(repaired)};
    if (auto filled = fill(prover, old, repaired, most)) {
      return {with_tables(old, *std::move(filled))};
    }
  }
  ForwardingTables mixed = missing_from(fresh, repaired.tables);
  if (prover.accepts(mixed, most)) return {with_tables(old, std::move(mixed))};
  if (prover.accepts(repaired.tables, most)) return {std::move(repaired)};
  return {with_tables(old, fresh), true};
}

Repaired with_tables(const ForwardingTables& old, ForwardingTables tables) {
  Repaired result{std::move(tables), {}, {}};
  for (const Destination destination : ids<Destination>(old.num_destinations())) {
    const auto before = old.row(destination);
    const auto after = std::as_const(result.tables).row(destination);
    for (std::uint32_t s = 0; s < before.size(); ++s) {
      if (before[s] == after[s]) continue;
      (after[s] == kNoRoute ? result.dropped : result.forced).push_back({destination, Switch{s}});
    }
  }
  return result;
}

std::uint64_t least_changes(const Model& model, const ForwardingTables& old,
                            const Repaired& by_levels, const Repaired& repaired) {
  if (!is_complete(model, old) && !some_arrive(KeptTables(model, by_levels.tables)) &&
      !has_more(repaired, by_levels)) {
    return by_levels.forced.size() + by_levels.dropped.size();
  }
  const auto is_gone = [&](const TableEntry& entry) {
    return !model.hop_map().at(entry.at, old.at(entry.destination, entry.at)).to_switch();
  };
  const auto least =
      static_cast<std::uint64_t>(std::ranges::count_if(by_levels.dropped,
                                                       [&](const TableEntry& entry) {
                                                         return is_gone(entry) ||
                                                                !is_connected(model, old, entry);
                                                       })) +
      by_levels.forced.size();
  if (least <= repaired.forced.size() + repaired.dropped.size()) return least;
  return static_cast<std::uint64_t>(std::ranges::count_if(by_levels.forced, is_gone) +
                                    std::ranges::count_if(by_levels.dropped, is_gone));
}

}  // namespace fatwood
