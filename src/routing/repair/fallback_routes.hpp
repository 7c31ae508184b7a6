// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Completes a repair by levels (forced.hpp) with fallback routes (fill_fallback.hpp), which connect
// pairs without an up*/down* path.
//
// Tables of sftree and even have a route for every pair that cables connect. Their repair must have
// one, too. Tables of ftree have no fallback routes, and neither has their repair, unless hosts
// would lose each other.
//
// Method: if the repair by levels lacks only pairs that tables without fallback routes lack, too,
// it is the result. Otherwise these are tried. A result must be proved to have no loop, no deadlock
// on one VL and no lost pair of terminals (of any two, if the old tables connect all). Of the first
// two, the one that sends fewer blocks of LIDs is taken, then the one with fewer entries.
// 1. Routes in the order of sftree's sub-tree (ranked_rows.hpp). Tables of sftree and even, and
//    those that were repaired in this way, are in such an order. A route is always found.
// 2. Keep all unchanged routes and fill the missing entries (fill_fallback.hpp). If a few unchanged
//    entries prevent others from staying, release these, if fewer entries change in total. If this
//    fails, or changes entries towards hosts whose cable works: the same with all fallback routes
//    towards switches released, and hosts first.
// 3. Take fresh tables, whatever is proved of them: if the old tables loop.
// Cost: that of the proofs, for rows that change (known_tables.hpp).

#include <functional>

#include "routing/repair/forced.hpp"
#include "routing/repair/tables_in_use.hpp"
#include "routing/tables/lids.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

// Whether the tables have fallback routes: some pair without an up*/down* path has a route that
// arrives, or every switch has an entry for every destination that cables connect it to.
bool have_fallback_routes(const TablesInUse& tables);

// Makes fresh tables of the same LMC. Called at most once, and only if needed.
using FreshTables = std::function<ForwardingTables()>;

struct Completed {
  Repaired repaired;   // changed entries are `forced`, those without a route are `dropped`
  KnownTables known;   // of its tables
  bool fresh = false;  // step 3
};

// `known` belongs to the old tables, and `lids`, too. REQUIRES tables of one size and LMC, of this
// fabric.
Completed with_fallback_routes(const Model& model, const ForwardingTables& old,
                               const KnownTables& known, Repaired repaired, const Lids& lids,
                               const FreshTables& fresh, int threads = 0);

// Describes `tables` as a repair of `old`: which entries differ.
Repaired as_repair(const ForwardingTables& old, ForwardingTables tables);

// The entries that no repair can keep, whatever routes it takes: they lead to no switch any more,
// though cables still connect their switch with the destination, or they are not the port of the
// destination at its own switch. Any tables in which these pairs have a route change them. So this
// is a lower bound for every repair. `by_levels` is the result of keep_what_can_stay.
std::uint64_t least_changes(const Model& model, const ForwardingTables& old,
                            const Repaired& by_levels);

}  // namespace fatwood
