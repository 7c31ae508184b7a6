// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tables for a fabric that has changed, which keep every entry that can stay.
//
// Problem: one cable is cut. A fresh routing rewrites a fifth of all entries, and each block of 64
// entries is a packet to a switch. Which entries must change, and is that enough? Method, for
// up*/down* tables, one destination at a time. From the destination's switch upwards: a switch goes
// down if its old entry leads down a live cable to a switch that goes down; if its old entry is
// dead, it goes down by any cable to one that does. From the top downwards, for the rest: a switch
// goes up if its old entry leads up a live cable to a switch with a route; if its old entry is dead
// or leads to a switch without one, it goes up by any cable to a switch with a route. No other
// entry changes. This is minimal: an entry with a dead cable, or whose next switch has no legal
// path on, cannot stay in any legal table, and all others stay.
// Fallback routes (sftree) stay while they arrive. Entries towards a switch stay while their cable
// lives: an entry that leads to a switch without a route loses the same packets as no entry, and is
// right again when that switch has one. Of several possible ports, the one with the fewest
// destinations at that switch is taken; the lowest number on a tie.
// Encoding: tables, and the destination and switch of each entry that had to change. Cost: O(1) per
// table entry, in parallel over destinations; candidates only at entries that must change.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/repair/row_repair.hpp"

namespace fatwood {

struct Repaired {
  ForwardingTables tables;
  std::vector<TableEntry> forced;   // changed to another port, by destination, then switch
  std::vector<TableEntry> dropped;  // left without a route: there is no legal path from here
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
