// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Can old and new tables be mixed safely while switches are rewritten one by one?
//
// Model
//   Each entry changes once, from old to new, at any time. A packet reads an entry when it reaches
//   the head of a buffer, and may be delayed for any time. So a packet that came to switch s by an
//   old or new entry of its last switch may leave by the old or the new entry of s.
//
// Test
//   The dependency graph of all such steps, for all destinations. If it has no cycle, switches can
//   be rewritten in any order: packets take channels in topological order, so they cannot loop, and
//   among full buffers the last one in the order can send. The topological order is the
//   certificate. The test is sufficient, not necessary.
//
// If there is a cycle: two rounds with a drain between them, or one
//   If old and new tables are both up*/down* on the same levels: let X be the entries that lead up
//   in the new tables only, and Y those that lead up in the old tables only.
//   1. Write all entries but X; set X to "no route". If Y is not empty, go level by level, lowest
//      first, and wait for all answers of a level before the next; otherwise in any order.
//   2. After the drain, write X in any order. (If X is empty, there is no second round.)
//   Then every possible dependency is on an up*/down* path.
//
//   Otherwise, if old and new tables are each free of cycles:
//   1. Write all entries in any order, except those whose new channel may be on a cycle of the
//      mixture: set these to "no route". So no new entry leads onto such a cycle. A cycle would
//      need steps between old entries only, and the old tables have no cycle.
//   2. After the drain, write the rest in any order. Packets now read new entries only.
//   Entries that are up*/down* in the new tables are written in round 1 if that adds no cycle, so
//   that hosts do not wait because of fallback routes.
//
// Counter-example
//   Whenever there is a cycle, the result shows it: the loop of a packet and the switches that are
//   written first, or a cycle of channels.
//
// Lanes
//   A packet keeps the lane of its SL, old or new, from end to end. There is a graph for each lane,
//   with the packets that some source sends in it; each must be free of cycles. An entry waits for
//   round 2 if its new channel may be on a cycle of any lane.
//
// Speed: on one lane a mixture has all dependencies of the old tables, and those of entries that
// change; only the latter are computed. On several lanes, rows that do not change are collected
// once.
// Cost: O(lanes * destinations * switches), and a topological sort per lane. On one lane, with
// known dependencies of the old and new tables: O(changed entries * ports of a switch).

#include <cstdint>
#include <vector>

#include "routing/repair/mixing.hpp"
#include "verify/deadlock/dependencies.hpp"

namespace fatwood {

struct Round {
  std::vector<TableEntry> write = {};  // set to the new entry
  std::vector<TableEntry> clear = {};  // set to "no route" for now
  std::vector<Switch> order = {};      // order of writing if it matters, otherwise empty
  bool wait_between_levels = false;    // for all answers
  bool drain_after = false;
};

// Packets to this destination loop through `switches` when those in `written` are already new.
struct MixedLoop {
  Destination destination = kNone<Destination>;
  std::vector<Switch> switches;
  std::vector<Switch> written;  // some of `switches`
};

struct Transition {
  Safety safety = Safety::kAnyOrder;
  std::uint64_t entries = 0;       // that change
  std::uint64_t dependencies = 0;  // possible in some mixture
  // kAnyOrder: for each lane, an order of all connected channels that every dependency follows.
  std::vector<std::vector<Channel>> orders;
  std::vector<Round> rounds;    // kRounds: one or two; kAnyOrder: one, or none if nothing changes
  std::vector<MixedLoop> loop;  // kRounds, kNone: at most one
  std::vector<Channel> cycle;   // kRounds, kNone: the shortest, in the lowest lane that has one
  unsigned cycle_lane = 0;
};

// The lanes of old and new routes; nullptr: a single lane.
struct MixedLanes {
  const Lanes* old = nullptr;
  const Lanes* after = nullptr;
};

// The dependencies of old and new tables on one lane, if they are known.
struct MixedGraphs {
  const DependencyGraph* old = nullptr;
  const DependencyGraph* after = nullptr;
};

// REQUIRES tables of this fabric's size and of one LMC.
Transition find_transition(const Model& model, const ForwardingTables& old,
                           const ForwardingTables& after, int threads = 0,
                           const MixedLanes& lanes = {}, const MixedGraphs& known = {});

}  // namespace fatwood
