// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// May old and new tables be mixed while switches are rewritten one by one?
//
// Model: each entry changes once, old to new, at any time; a packet reads an entry when it comes to
// the head of a buffer and may be delayed without bound. For one destination, a packet that came by
// an old or new hop of u to s may go on by the old or new hop of s. Test: the graph of all these
// dependencies, of all destinations. If it has no cycle, no packet loops in any state nor over time
// and nothing deadlocks, whatever the order of writing: the packet's channels ascend a topological
// order, and among full buffers the greatest can send. The order is the certificate. Sufficient,
// not necessary. Where it has one, and old and new are both up*/down* by the same levels, two
// rounds do: X are the entries that go up now and did not, Y those that went up and do not now.
// Round 1 writes everything but X, X as "no route", in ascending level (waiting for each level's
// answers before the next only if Y is not empty); then a drain; round 2 writes X in any order.
// Every possible dependency is then on an up*/down* path. Elsewhere two rounds do whenever old and
// new are each free of cycles: entries whose new channel may lie on a cycle of the mixture are "no
// route" in round 1, in any order; then a drain; round 2 writes them. In round 1 whoever holds a
// channel of a cycle came by an old entry and goes on by one, so a cycle would be one of the old
// tables; in round 2 only new entries are read. Of these entries, those that are up*/down* in the
// new tables do not wait if round 1 has no cycle with them, so that hosts need not wait for
// fallback routes. Either way there is a
// counter-example to mixing in any order: switches that are written first and the loop of a packet,
// or the channels that wait for each other in a cycle. Rows that do not change have the same
// dependencies in every mixture, so these are collected once. Cost: O(destinations * switches), and
// that of a topological sort. With lanes: a packet keeps the lane of its service level, old or new,
// from end to end. In each lane the dependencies are those of packets that some source sends in it,
// followed along old and new entries: a graph for each lane, and each must be free. An entry waits
// in round 1 where its new channel may lie on a cycle of any lane. Cost: times lanes.

#include <cstdint>
#include <vector>

#include "routing/repair/mixing.hpp"
#include "verify/deadlock/dependencies.hpp"

namespace fatwood {

struct Round {
  std::vector<TableEntry> write = {};  // the new entry
  std::vector<TableEntry> clear = {};  // "no route" for now
  std::vector<Switch> order = {};      // of writing, when it matters; else empty
  bool wait_between_levels = false;
  bool drain_after = false;
};

// Packets to this destination circle through these switches when those marked are already new.
struct MixedLoop {
  Destination destination = kNone<Destination>;
  std::vector<Switch> switches;
  std::vector<Switch> written;  // of them
};

struct Transition {
  Safety safety = Safety::kAnyOrder;
  std::uint64_t entries = 0;       // that change
  std::uint64_t dependencies = 0;  // possible in some mixture
  // kAnyOrder: for each lane an order that every dependency there ascends.
  std::vector<std::vector<Channel>> orders;
  std::vector<Round> rounds;    // kRounds; kAnyOrder: one round of all
  std::vector<MixedLoop> loop;  // kRounds and kNone: at most one
  std::vector<Channel> cycle;   // and the shortest cycle of channels, in the lowest lane with one
  unsigned cycle_lane = 0;
};

// The lanes of routes by old and by new tables; nullptr: one.
struct MixedLanes {
  const Lanes* old = nullptr;
  const Lanes* now = nullptr;
};

// REQUIRES tables of this fabric's size and of one LMC.
Transition find_transition(const Model& model, const ForwardingTables& old,
                           const ForwardingTables& now, int threads = 0,
                           const MixedLanes& lanes = {});

}  // namespace fatwood
