// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Makes new tables that keep the entries in the switches as far as possible. The plug-in for OpenSM
// calls this (fatwood_keep of include/fatwood/c.h) after each change of the fabric.
//
// The repair is that of repair.hpp. This file adds three things:
// - It turns tables by LID into tables by destination. An unknown or missing entry is taken from
// the routes of
//   the previous call, or else from the new routes.
// - It takes the new routes instead if the most loaded link would exceed the allowed load, or if
//   jobs or the slowest pair would lose more than allowed. In terms of jobs it sends more blocks
//   first. (If no repair can be proved, repair.hpp takes the new routes.)
// - If old and new entries may not be mixed in any order, it makes the tables of a first round
//   (verify/transition.hpp).

#include <cstdint>
#include <span>

#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

// Tables as the switches have them, by LID.
struct InstalledTables {
  const std::uint8_t* const* tables;         // by switch; nullptr if nothing is known
  std::size_t size;                          // entries per table
  std::span<const Destination> destination;  // by LID; kNone: not in use
};

// Routes of the previous call, possibly for another fabric.
struct EarlierRoutes {
  const Fabric& fabric;
  const ForwardingTables& final_tables;  // after the last round
  const Lanes& lanes;
  std::span<const Destination> destination;  // by LID
};

struct KeepOptions {
  bool rebalance = false;  // entries of blocks that are sent anyway may move (repair.hpp)
  // Further blocks that may be sent for balance. 0 with a limit for jobs: up to 7 times the blocks
  // that must be sent, or 7/8% of all.
  std::size_t spare_blocks = 0;
  // 0: no limit. At least 1: limit of the most loaded link relative to `fresh`. Below 1: the part
  // of what jobs and the slowest pair get with `fresh` that they may lose.
  double most_drift = 0;
  unsigned max_lanes = 1;  // VLs of the new tables
};

enum class TakenRoutes : std::uint8_t {
  kKept,
  kNewUnproved,  // the new routes: a repair cannot be proved
  kNewUneven,    // the new routes: a repair exceeds most_drift
};

struct KeepFigures {
  TakenRoutes taken = TakenRoutes::kKept;
  std::size_t entries = 0;  // entries that differ from the switches, for LIDs in use
  std::size_t blocks = 0;   // LID blocks with such entries, over all switches
  // Entries set to "no route" until another round. If levels must be written one after the other
  // (Round::wait_between_levels), all other entries keep their old value in this round.
  std::size_t held = 0;
  std::size_t spare_blocks = 0;  // that were used
  double drift = 0;              // of the repair, in the terms of the limit, if there was one
  bool mixed_unsafe = false;     // old and new entries conflict, and no safe rounds are known
};

struct KeepResult {
  ForwardingTables tables;
  Lanes lanes;
  ForwardingTables final_tables;  // empty unless entries wait for another round
  KeepFigures figures;
};

// PromiseError if the fabric is not like a tree, or if there are several lanes and the lanes of the
// routes in use are unknown. `earlier` may be nullptr.
KeepResult keep_installed(const Model& model, const Routing& fresh, const InstalledTables& old,
                          const KeepOptions& options, const EarlierRoutes* earlier);

}  // namespace fatwood
