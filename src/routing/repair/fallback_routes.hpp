// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Completes a repair by levels with fallback routes (fill_fallback.hpp).
//
// Tables of sftree and even connect every pair that cables connect: where there is no up*/down*
// path they have fallback routes. A repair of such tables connects every such pair, too. Tables of
// ftree leave these pairs out, and so does their repair, unless hosts would lose each other.
//
// Method: the first of these that is proved to have no loop, no deadlock on one VL and no lost pair
// of terminals:
// 1. missing entries filled in, given the routes that stay; the few unchanged entries that prevent
//    more from staying are opened, too, if that changes fewer entries in all;
// 2. the same with all fallback routes towards switches open, hosts first: if step 1 fails, or
//    changes entries towards hosts whose cable lives and this changes fewer entries in all;
// 3. the same with all changed entries open, for changed entries that clash with fallback routes;
// 4. missing entries of fresh tables;
// 5. the tables repaired by levels alone;
// 6. fresh tables.
// Cost: that of the proofs.

#include <functional>

#include "routing/repair/forced.hpp"
#include "routing/repair/kept_tables.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

// Whether the tables route pairs without an up*/down* path: some have a fallback route that
// arrives, or every switch has an entry for every destination.
bool have_fallback_routes(const KeptTables& tables);

// Fresh tables of the same LMC; called at most once, where they are needed.
using FreshTables = std::function<ForwardingTables()>;

struct Completed {
  Repaired repaired;   // entries that changed are forced, those without a route dropped
  bool fresh = false;  // step 6
};

// No pair of terminals is lost that fresh tables have.
// REQUIRES tables of one size and LMC, of this fabric.
Completed with_fallback_routes(const Model& model, const ForwardingTables& old, Repaired repaired,
                               const FreshTables& fresh, int threads = 0);

// The changes of these tables, as a repair.
Repaired with_tables(const ForwardingTables& old, ForwardingTables tables);

// A lower bound on the entries that any repair changes whose routes are up*/down* wherever
// possible: those that levels force (forced.hpp), and fallback routes whose cable is gone or whose
// destination is disconnected. Where `repaired` changes less than that, because it takes other
// paths, the entries whose cable is gone. `by_levels`: what keep_what_can_stay gave.
std::uint64_t least_changes(const Model& model, const ForwardingTables& old,
                            const Repaired& by_levels, const Repaired& repaired);

}  // namespace fatwood
