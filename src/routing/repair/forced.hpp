// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tables for a fabric that has changed, which keep every entry that can stay.
//
// Problem: one cable is cut; a fresh route rewrites a fifth of all entries, and each block of 64 is
// a packet to a switch. Which entries must change, and is that enough?
// Method, for tables that climb and then descend by levels, one target at a time. From the target's
// switch upwards: a switch descends when its old entry leads down a live cable to a switch that
// descends; one whose old entry is dead descends by any cable to one that does. From the top
// downwards: of the rest, a switch climbs when its old entry leads up a live cable to a switch with
// a route; one whose old entry is dead, or leads to none, climbs by any cable to one that has. No
// other entry changes. So no entry is changed that could stay: an entry with a dead cable, or whose
// head has no legal way on, can't stay in any legal table, and all the others do stay.
// Entries of switches that have no legal way (sftree's further routes) stay while they arrive;
// those towards a switch while their cable lives: an entry that leads to a switch without a route
// loses the same packets as none, and is right again when that switch has one. Of the ports that
// will do, the one with the fewest targets at that switch is taken; the lowest number on a tie.
// Encoding: tables, and for each entry that changed by force its target and switch.
// Cost: O(1) a table entry, in parallel over targets; candidates at forced entries only.

#include <cstdint>
#include <vector>

#include "routing/repair/row_repair.hpp"

namespace fatwood {

struct Repaired {
  ForwardingTables tables;
  std::vector<TableEntry> forced;   // changed to another port, by target, then switch
  std::vector<TableEntry> dropped;  // left without a route: there is no legal way from here
};

// REQUIRES old tables of this fabric's size (check_size). PromiseError unless the fabric is like a
// tree.
Repaired keep_what_can_stay(const Model& model, const ForwardingTables& old, int threads = 0);

}  // namespace fatwood
