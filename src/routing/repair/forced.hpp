// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Repairs tables after a change of the fabric and keeps every entry that can stay.
//
// Problem: one cable is cut. A fresh routing rewrites a fifth of all entries, and each block of 64
// entries is a packet to a switch. Which entries must change, and are these changes enough?
//
// Method, for up*/down* tables, one destination at a time. It divides the switches into those that
// go down to the destination, those that go up first, and those without a route:
// 1. From the destination's switch upwards. A switch goes down if its old entry leads over a
//    working cable down to a switch that goes down. If its old entry leads up over a working cable,
//    step 2 decides. Any other switch takes a cable down to a switch that goes down, if it has one.
// 2. From the top downwards, for all other switches. A switch goes up if its old entry leads over a
//    working cable up to a switch with a route. Otherwise it takes any cable up to a switch with a
//    route, or else any cable down to a switch that goes down. Without these it has no route.
// The result is minimal: an entry changes only if its cable is gone, or if a packet could not go on
// legally from its next switch. No up*/down* tables can have such an entry.
//
// Special cases
// - Fallback routes (sftree) stay while they arrive.
// - If the destination is a switch, an entry stays while its cable works, even if the next switch
//   has no route. Its packets are lost either way, and the entry is right again once that switch
//   has a route.
//
// Choice of port: the one with the fewest destinations at that switch, then the lowest.
// Cost: O(1) per table entry, in parallel over destinations; ports are compared only for entries
// that must change.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/repair/row_repair.hpp"

namespace fatwood {

struct Repaired {
  ForwardingTables tables;
  std::vector<TableEntry> forced;   // changed to another port, by destination, then switch
  std::vector<TableEntry> dropped;  // without a route now: there is no legal path
};

// REQUIRES old tables of this fabric's size (check_size). PromiseError unless the fabric is like a
// tree. `settled`: by destination, 1 if its row is known to stay as it is (settled_rows); empty if
// nothing is known.
Repaired keep_what_can_stay(const Model& model, const ForwardingTables& old, int threads = 0,
                            std::span<const std::uint8_t> settled = {});

// By destination: 1 if keep_what_can_stay changes nothing in its row; 0 for all if the fabric is
// not like a tree. A row stays settled if cables are cut that it does not use, as long as the
// levels stay the same.
std::vector<std::uint8_t> settled_rows(const Model& model, const ForwardingTables& tables,
                                       int threads = 0);

}  // namespace fatwood
