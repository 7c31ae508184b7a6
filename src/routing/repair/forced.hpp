// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Repairs tables after a change of the fabric and keeps every entry that can stay.
//
// Problem: one cable is cut. A fresh routing rewrites a fifth of all entries, and each block of 64
// entries is a packet to a switch. Which entries must change, and is that enough?
//
// Method, for up*/down* tables, one destination at a time:
// 1. From the destination's switch upwards: a switch goes down if its old entry leads down a
//    working cable to a switch that goes down. If its old entry is dead, it takes any cable to
//    one that goes down.
// 2. From the top downwards, for all other switches: a switch goes up if its old entry leads up a
//    working cable to a switch with a route. If its old entry is dead, or leads to a switch without
//    a route, it takes any cable up to one with a route.
// This is minimal. An entry with a dead cable, or whose next switch has no legal path, cannot stay
// in any legal table; all others stay.
//
// Special cases
// - Fallback routes (sftree) stay while they arrive.
// - An entry towards a switch stays while its cable works. If the next switch has no route, the
//   packets are lost either way, and the entry is right again once that switch has a route.
//
// Choice of port: the one with the fewest destinations at that switch, then the lowest.
// Cost: O(1) per table entry, in parallel over destinations; ports are compared only at entries
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
// tree.
// `settled`: by destination, 1 where this is known to change nothing; empty: nothing is known.
Repaired keep_what_can_stay(const Model& model, const ForwardingTables& old, int threads = 0,
                            std::span<const std::uint8_t> settled = {});

// By destination: 1 where that changes nothing. None where the fabric is not like a tree. A row
// stays settled when cables are cut that it does not use, as long as levels stay.
std::vector<std::uint8_t> settled_rows(const Model& model, const ForwardingTables& tables,
                                       int threads = 0);

}  // namespace fatwood
