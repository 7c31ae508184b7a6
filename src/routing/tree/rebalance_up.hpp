// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Moves destinations off the most loaded up channels of a routed tree that has lost cables.
//
// Problem: a leaf with one cable to a spine, where other leaves have two, sends as many
// destinations that way as they do. Its one cable carries twice the load of its other cables. The
// plan of ftree balances down channels; the load of a switch's up channels is known only after all
// rows are laid. Method: count the destinations of each channel as counted terminals use it. The
// bound of a level is the largest fair share of its switches: the up load of a switch divided by
// its up cables. A switch with a channel above the bound sends some of its destinations by another
// channel that carries less, if the route is as long and no channel newly used beyond it exceeds
// the bound of its level (up), or the present maximum of its level (down).
// Routes stay legal: an up hop is replaced by another up hop, or by a path that goes down to the
// end. At last the parallel cables of leaves are balanced with destinations that do not count.
// Cost: none on trees whose switches have even up cables; otherwise O(1) per table entry in use.

#include <cstdint>

#include "routing/tables/routing.hpp"
#include "routing/tree/up_down_order.hpp"
#include "topology/model.hpp"

namespace fatwood {

// Of the terminals that count, those on leaf switches are looked at. Hosts on a spine send
// all they have down from there, which says nothing about the next spine. `rank`: of switches in
// the order by which the routes are legal, 0 the highest.
void rebalance_up_links(const Model& model, const UpDownOrder& up_down,
                        const Table<Switch, std::uint32_t>& rank, int threads,
                        ForwardingTables& tables);

}  // namespace fatwood
