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
// it is the result. Otherwise try these in order. The first result that is proved to have no loop,
// no deadlock on one VL and no lost pair of terminals (of any two, if the old tables connect all)
// is taken. Exception: if fresh tables lose pairs, too, the result may lose as many.
// 1. Keep all unchanged routes and fill the missing entries. If a few unchanged entries prevent
//    others from staying, release these, if fewer entries change in total.
// 2. As 1, but all fallback routes towards switches are released, and hosts come first. Tried if 1
//    fails, or if 1 changes entries towards hosts whose cable works; taken in that case only if it
//    changes fewer entries.
// 3. As 1, but the entries released in step 2 and all changed entries are released, because some
//    conflict with fallback routes.
// 4. Take missing entries from fresh tables.
// 5. Take the tables repaired by levels alone.
// 6. Take fresh tables, whatever is proved of them.
// Cost: that of the proofs, for rows that change (known_tables.hpp).

#include <functional>

#include "routing/repair/forced.hpp"
#include "routing/repair/tables_in_use.hpp"
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
  bool fresh = false;  // step 6
};

// Returns tables that connect at least as many pairs of terminals as fresh tables do. `known`
// belongs to the old tables. REQUIRES tables of one size and LMC, of this fabric.
Completed with_fallback_routes(const Model& model, const ForwardingTables& old,
                               const KnownTables& known, Repaired repaired,
                               const FreshTables& fresh, int threads = 0);

// Describes `tables` as a repair of `old`: which entries differ.
Repaired as_repair(const ForwardingTables& old, ForwardingTables tables);

// A lower bound on the entries that change in any repair that uses up*/down* paths wherever
// possible: entries forced by levels (forced.hpp), and fallback routes whose cable is gone or whose
// destination is disconnected. If `repaired` changes fewer, because it takes other paths, the bound
// is the number of entries whose cable is gone. `by_levels` is the result of keep_what_can_stay;
// `known` belongs to the old tables.
std::uint64_t least_changes(const Model& model, const ForwardingTables& old,
                            const KnownTables& known, const Repaired& by_levels,
                            const Repaired& repaired, int threads = 0);

}  // namespace fatwood
