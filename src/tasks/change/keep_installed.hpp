// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Makes new tables that keep the entries in the switches as far as possible. The plug-in for OpenSM
// calls this (fatwood_keep of include/fatwood/c.h) after each change of the fabric.
//
// The repair is that of repair.hpp. This file adds three things:
// - It turns tables by LID into tables by destination. An unknown or missing entry is taken from
// the routes of
//   the previous call, or else from the new routes.
// - It takes the new routes instead if the most loaded link would exceed the allowed load. (If no
//   repair can be proved, repair.hpp does so.)
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
  bool rebalance = false;        // entries of blocks that are sent anyway may move (repair.hpp)
  std::size_t spare_blocks = 0;  // further blocks that may be sent for balance
  double most_drift = 0;         // limit of the most loaded link relative to `fresh`; 0: none
  unsigned max_lanes = 1;        // VLs of the new tables
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
  double drift = 0;              // of the repair, if there was a limit
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
