// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// fatwood_keep: keeps the entries of the switches as far as possible.
//
// The repair is that of tasks/change/repair.hpp. This file
// - turns tables by LID into tables by destination. An unknown entry is taken from the routes of
//   the previous call, or else from the new routes;
// - takes the new routes if no repair can be proved, or if the most loaded link would exceed the
//   allowed load;
// - if old and new entries may not be mixed in any order, makes the tables of a first round
//   (verify/transition.hpp).

#include <cstdint>
#include <optional>
#include <span>

#include "fatwood/c.h"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

// Tables as the switches have them, by LID.
struct OldTables {
  const std::uint8_t* const* tables;         // by switch; nullptr if nothing is known
  std::size_t size;                          // entries per table
  std::span<const Destination> destination;  // by LID; kNone: not in use

  // The entry; no value if it is unknown.
  std::optional<Port> at(const ForwardingTables& now, std::size_t s, std::size_t lid) const;
  // These tables by destination, with kNoRoute for unknown entries.
  ForwardingTables by_destination(const ForwardingTables& now) const;
};

// Routes of the previous call, possibly for another fabric.
struct EarlierRoutes {
  const Fabric& fabric;
  const ForwardingTables& final_tables;  // after the last round
  const Lanes& lanes;
  std::span<const Destination> destination;  // by LID
};

struct KeptOld {
  ForwardingTables tables;
  Lanes lanes;
  ForwardingTables final_tables;  // empty unless entries wait for another round
  fatwood_kept counts{};
};

// PromiseError if the fabric is not like a tree, or there are several lanes and those of routes
// in use are not known. `earlier` may be nullptr.
KeptOld keep_old(const Model& model, const Routing& fresh, unsigned max_lanes, const OldTables& old,
                 const fatwood_keep_options& options, const EarlierRoutes* earlier);

}  // namespace fatwood
