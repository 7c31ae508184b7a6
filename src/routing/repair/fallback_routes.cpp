// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/fallback_routes.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

#include "routing/repair/changes.hpp"
#include "routing/repair/fill_fallback.hpp"
#include "routing/repair/ranked_rows.hpp"
#include "routing/repair/table_order.hpp"
#include "routing/tables/row_differences.hpp"

namespace fatwood {

namespace {

// Proofs of tables that differ from the old ones in some rows.
struct Prover {
  const Model& model;
  const ForwardingTables& old;
  const KnownTables& known_old;
  int threads;

  // The most pairs that may be lost.
  struct Most {
    std::uint64_t terminals = 0;
    std::uint64_t all = 0;
  };
  KnownTables known(const ForwardingTables& tables) const {
    KnownTables known = known_old;
    known.change(model, old, tables, threads);
    return known;
  }
  // Whether nothing loops or deadlocks, and no more pairs are lost than these.
  bool accepts(const KnownTables& known, const Most& most) const {
    const LostPaths lost = known.lost();
    return lost.loops == 0 && lost.terminals <= most.terminals && lost.all <= most.all &&
           TableOrder(model, known.dependencies()).is_free();
  }
};

bool is_connected(const Model& model, const ForwardingTables& tables, const TableEntry& entry) {
  const Switch home = home_of(model.fabric(), tables, entry.destination);
  const auto& component = model.components().component;
  return home == kNone<Switch> || component[home] == component[entry.at];
}

bool has_hole(std::span<const Port> row) {
  return std::memchr(row.data(), static_cast<int>(kNoRoute), row.size()) != nullptr;
}

// Whether switches have entries for all destinations that cables connect them to.
bool is_complete(const Model& model, const ForwardingTables& tables) {
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const auto row = tables.row(destination);
    if (!has_hole(row) || home_of(model.fabric(), tables, destination) == kNone<Switch>) continue;
    for (std::uint32_t s = 0; s < row.size(); ++s) {
      if (row[s] == kNoRoute && is_connected(model, tables, {destination, Switch{s}})) return false;
    }
  }
  return true;
}

// Whether routes arrive that are not up*/down*.
bool some_arrive(const Model& model, const ForwardingTables& tables,
                 const Table<Destination, RowLook>& looks) {
  return std::ranges::any_of(
      ids<Destination>(tables.num_destinations()), [&](Destination destination) {
        const RowLook& look = looks[destination];
        if (look.kind == RowKind::kPlain) return false;
        const auto row = tables.row(destination);
        for (std::uint32_t s = 0; s < row.size(); ++s) {
          if (!look.is_fallback(s)) continue;
          const Hop hop = model.hop_map().at(s, row[s]);
          if (!hop.to_switch()) continue;
          if (Switch{hop.next()} == home_of(model.fabric(), tables, destination)) return true;
          if (row[hop.next()] != kNoRoute && !look.is_fallback(hop.next())) return true;
        }
        return false;
      });
}

// Whether the repair by levels is enough: it lacks only pairs that tables without fallback routes
// lack, too.
bool is_enough(const Prover& prover, const Repaired& repaired, KnownTables& known,
               const Prover::Most& most) {
  const bool misses_none = std::ranges::none_of(repaired.dropped, [&](const TableEntry& entry) {
    return is_connected(prover.model, prover.old, entry);
  });
  return prover.accepts(known, most) &&
         (misses_none ||
          !some_arrive(prover.model, repaired.tables,
                       known.looks({prover.model, repaired.tables}, prover.threads)));
}

// Entries without a route that had one; entries that changed; of these, towards hosts.
using Cost = std::tuple<std::size_t, std::size_t, std::size_t>;
Cost cost(const ForwardingTables& old, const ForwardingTables& now) {
  const Repaired changes = as_repair(old, now);
  const auto towards_hosts = std::ranges::count_if(
      changes.forced, [&](const TableEntry& entry) { return !old.is_switch(entry.destination); });
  return {changes.dropped.size(), changes.forced.size(), static_cast<std::size_t>(towards_hosts)};
}

std::size_t entries_changed(const ForwardingTables& old, const ForwardingTables& now) {
  const auto [dropped, changed, towards_hosts] = cost(old, now);
  return dropped + changed;
}

struct ProvedTables {
  ForwardingTables tables;
  KnownTables known;
};

// Fills missing entries, keeping all others. Then tries again if that may help: with entries
// released that prevent more entries from staying than they are themselves; and with destinations
// first that some pair could not reach. Returns the cheapest proved result. Ends when more entries
// change than in `other` tables; each round starts from the earlier ones.
std::optional<ProvedTables> fill_open(const Prover& prover, ProvedTables open,
                                      const Prover::Most& most, bool hosts_first = false,
                                      const ForwardingTables* other = nullptr) {
  constexpr int kRounds = 4;
  const ForwardingTables& old = prover.old;
  std::optional<ProvedTables> best;
  FillOrder order{.first = {}, .hosts_first = hosts_first};
  for (int round = 0; round < kRounds; ++round) {
    auto filled = fill_fallback(prover.model, old, open.tables, open.known, order);
    if (!filled ||
        (other != nullptr && entries_changed(old, filled->tables) > entries_changed(old, *other)))
      break;
    if (!best || cost(old, filled->tables) < cost(old, best->tables)) {
      KnownTables known = prover.known(filled->tables);
      if (prover.accepts(known, most)) best = {std::move(filled->tables), std::move(known)};
    }
    std::size_t opened = 0;
    for (const TableEntry& entry : filled->blocking) {
      Port& now = open.tables.row(entry.destination)[index(entry.at)];
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
    if (opened > 0) open.known = prover.known(open.tables);
  }
  return best;
}

// Whether entries towards hosts changed although levels do not force it and their cable works.
bool moves_hosts(const Model& model, const ForwardingTables& old, const ForwardingTables& levels,
                 const ForwardingTables& now) {
  return std::ranges::any_of(as_repair(old, now).forced, [&](const TableEntry& entry) {
    const Port was = old.at(entry.destination, entry.at);
    const Port by_levels = levels.at(entry.destination, entry.at);
    return !old.is_switch(entry.destination) && (by_levels == was || by_levels == kNoRoute) &&
           model.hop_map().at(entry.at, was).to_switch();
  });
}

// Step 2: first as repaired. If that fails, or moves entries towards hosts for the sake of fallback
// routes between switches, also with all of these released and hosts first; old entries come back
// if they fit. The cheaper result is taken. Nothing if more entries change than in `other`.
std::optional<ProvedTables> fill(const Prover& prover, const Repaired& repaired, KnownTables& known,
                                 const Prover::Most& most, const ForwardingTables* other) {
  const ForwardingTables& old = prover.old;
  auto best = fill_open(prover, {repaired.tables, known}, most, false, other);
  if (best && !moves_hosts(prover.model, old, repaired.tables, best->tables)) return best;
  ForwardingTables open = repaired.tables;
  const auto& looks = known.looks({prover.model, repaired.tables}, prover.threads);
  for (const Switch s : ids<Switch>(open.num_switches())) {
    const Destination destination = open.destination(s);
    const std::span<Port> row = open.row(destination);
    for (std::uint32_t at = 0; at < row.size(); ++at) {
      if (looks[destination].is_fallback(at)) row[at] = kNoRoute;
    }
  }
  KnownTables known_open = prover.known(open);
  auto hosts_first = fill_open(prover, {std::move(open), std::move(known_open)}, most, true,
                               best ? &best->tables : other);
  if (hosts_first && (!best || cost(old, hosts_first->tables) < cost(old, best->tables))) {
    return hosts_first;
  }
  return best;
}

// Step 1: rows that change or lack routes; if others break the order of the sub-tree and close a
// cycle with them, all rows.
std::optional<ProvedTables> repair_in_order(const Prover& prover, const Repaired& repaired,
                                            const KnownTables& known, const Prover::Most& most) {
  const Table<Switch, std::uint32_t> rank = rank_of_fallback(prover.model, prover.known_old);
  std::vector<Destination> all, changed;
  for (const Destination destination : ids<Destination>(prover.old.num_destinations())) {
    all.push_back(destination);
    const auto was = bytes_of(prover.old.row(destination));
    const bool same = std::ranges::equal(was, bytes_of(repaired.tables.row(destination)));
    if (!same || known.paths(destination).switches > 0) changed.push_back(destination);
  }
  for (const std::vector<Destination>& rows : {changed, all}) {
    ForwardingTables tables =
        repair_by_rank(prover.model, prover.old, repaired.tables, known, rank, rows);
    KnownTables known_now = prover.known(tables);
    if (prover.accepts(known_now, most)) return ProvedTables{std::move(tables), known_now};
  }
  return std::nullopt;
}

// Blocks of LIDs to send, entries that change.
std::pair<std::uint64_t, std::size_t> writes(const ForwardingTables& old,
                                             const ForwardingTables& now, const Lids& lids) {
  Repaired changes = as_repair(old, now);
  changes.forced.insert(changes.forced.end(), changes.dropped.begin(), changes.dropped.end());
  return {blocks_of(changes.forced, old, lids), changes.forced.size()};
}

}  // namespace

bool have_fallback_routes(const TablesInUse& in_use) {
  return is_complete(in_use.model(), in_use.tables()) ||
         some_arrive(in_use.model(), in_use.tables(), in_use.looks());
}

Completed with_fallback_routes(const Model& model, const ForwardingTables& old,
                               const KnownTables& known_old, Repaired repaired, const Lids& lids,
                               const FreshTables& make_fresh, int threads) {
  const Prover prover{model, old, known_old, threads};
  KnownTables known = prover.known(repaired.tables);
  const auto completed = [&](ProvedTables made, bool is_fresh = false) {
    return Completed{as_repair(old, std::move(made.tables)), std::move(made.known), is_fresh};
  };
  // Tables that connected every pair connect every pair again.
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  const Prover::Most most{0, is_complete(model, old) ? 0 : kAny};
  if (is_enough(prover, repaired, known, most)) return {std::move(repaired), std::move(known)};
  auto in_order = repair_in_order(prover, repaired, known, most);
  auto filled = fill(prover, repaired, known, most, in_order ? &in_order->tables : nullptr);
  if (in_order &&
      (!filled || writes(old, in_order->tables, lids) <= writes(old, filled->tables, lids))) {
    return completed(*std::move(in_order));
  }
  if (filled) return completed(*std::move(filled));
  ForwardingTables fresh = make_fresh();
  KnownTables known_fresh = prover.known(fresh);
  return completed({std::move(fresh), std::move(known_fresh)}, true);
}

Repaired as_repair(const ForwardingTables& old, ForwardingTables tables) {
  Repaired result{std::move(tables), {}, {}};
  for (const Destination destination : ids<Destination>(old.num_destinations())) {
    const auto before = old.row(destination);
    const auto after = std::as_const(result.tables).row(destination);
    for_each_difference(before, after, [&](std::uint32_t s) {
      (after[s] == kNoRoute ? result.dropped : result.forced).push_back({destination, Switch{s}});
    });
  }
  return result;
}

std::uint64_t least_changes(const Model& model, const ForwardingTables& old,
                            const Repaired& by_levels) {
  const auto cannot_stay = [&](const TableEntry& entry) {
    const bool at_home = entry.at == home_of(model.fabric(), old, entry.destination);
    const Port was = old.at(entry.destination, entry.at);
    return at_home || (was != kNoRoute && !model.hop_map().at(entry.at, was).to_switch() &&
                       is_connected(model, old, entry));
  };
  return static_cast<std::uint64_t>(std::ranges::count_if(by_levels.forced, cannot_stay) +
                                    std::ranges::count_if(by_levels.dropped, cannot_stay));
}

}  // namespace fatwood
