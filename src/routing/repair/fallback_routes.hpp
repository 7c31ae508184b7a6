// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Completes a repair by levels (forced.hpp) with fallback routes (fill_fallback.hpp).
//
// Tables of sftree and even connect every pair that cables connect, with fallback routes for pairs
// without an up*/down* path. Their repair does the same. Tables of ftree leave such pairs out, and
// so does their repair, unless hosts would lose each other.
//
// Method: take the first result that is proved to have no loop, no deadlock on one VL and no lost
// pair of terminals.
// 1. Fill missing entries, given the unchanged routes. Also release the few unchanged entries that
//    prevent others from staying, if fewer entries change in total.
// 2. As 1, with all fallback routes towards switches released and hosts first. Tried if 1 fails,
//    or if 1 changes entries towards hosts whose cable works and this changes fewer entries.
// 3. As 1, with all changed entries released, because some conflict with fallback routes.
// 4. Take missing entries from fresh tables.
// 5. Take the tables repaired by levels alone.
// 6. Take fresh tables.
// Cost: that of the proofs, for rows that change (known_tables.hpp).

#include <functional>

#include "routing/repair/forced.hpp"
#include "routing/repair/kept_tables.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

// Whether the tables route pairs without an up*/down* path. They do if some such pair has a
// fallback route that arrives, or if every switch has an entry for every destination.
bool have_fallback_routes(const KeptTables& tables);

// Makes fresh tables of the same LMC. Called at most once, and only if needed.
using FreshTables = std::function<ForwardingTables()>;

struct Completed {
  Repaired repaired;   // changed entries are `forced`, those without a route are `dropped`
  KnownTables known;   // of its tables
  bool fresh = false;  // step 6
};

// Every pair of terminals that fresh tables connect is connected. `known`: of the old tables.
// REQUIRES tables of one size and LMC, of this fabric.
Completed with_fallback_routes(const Model& model, const ForwardingTables& old,
                               const KnownTables& known, Repaired repaired,
                               const FreshTables& fresh, int threads = 0);

// Tables as a repair: which entries differ from the old ones.
Repaired with_tables(const ForwardingTables& old, ForwardingTables tables);

// A lower bound on the entries that change in any repair that uses up*/down* paths wherever
// possible: entries forced by levels (forced.hpp), and fallback routes whose cable is gone or whose
// destination is disconnected. If `repaired` changes fewer, because it takes other paths, the bound
// is the number of entries whose cable is gone. `by_levels`: the result of keep_what_can_stay.
// `known`: of the old tables.
std::uint64_t least_changes(const Model& model, const ForwardingTables& old,
                            const KnownTables& known, const Repaired& by_levels,
                            const Repaired& repaired, int threads = 0);

}  // namespace fatwood
