// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Repaired tables leave a switch without an entry where no route climbs and then descends. What had
// a further route there before (sftree's), and hosts that would lose each other, get one again,
// and it is kept only if the whole can be proved.
//
// Tables without further routes that lose no pair of terminals stay without.
// Method, until one is proved to have no loop, no deadlock on one lane and no lost pair of
// terminals that cables join: missing entries filled in by the order of the routes that stay
// (fill_in_order.hpp), where the few that stand in the way of more are taken out as well, if that
// changes fewer in all; the same with all changed entries open, where those clash with further
// routes that stayed; missing entries taken from fresh tables; the repaired tables alone.
// Cost: that of the proofs.

#include <optional>

#include "routing/repair/forced.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

// Nothing when none can be proved to lose no more pairs of terminals than the fresh tables.
// REQUIRES tables of one size and LMC, of this fabric.
std::optional<ForwardingTables> take_further_routes(const Model& model, const ForwardingTables& old,
                                                    const Repaired& repaired, const Routing& fresh,
                                                    int threads = 0);

// The same with fresh tables of sftree, made only where they are needed, and taken whole where none
// of these can be proved: so no pair of terminals that cables join is lost. Entries that changed
// are forced, those without a route dropped.
Repaired with_further_routes(const Model& model, const ForwardingTables& old, Repaired repaired,
                             int threads = 0);

// What these tables change, as a repair.
Repaired with_tables(const ForwardingTables& old, ForwardingTables tables);

// Entries that no repair can keep whose routes climb and descend wherever that is possible: those
// that levels force (forced.hpp), and of further routes those whose cable is gone or whose target
// no cables join; tables without further routes also lose those that no legal way leads on. Where
// `repaired` keeps more, because it takes other ways, those whose cable is gone. `by_levels`: what
// keep_what_can_stay gave.
std::uint64_t least_changes(const Model& model, const ForwardingTables& old,
                            const Repaired& by_levels, const Repaired& repaired);

}  // namespace fatwood
