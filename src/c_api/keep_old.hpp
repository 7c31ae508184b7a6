// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// fatwood_keep: keeps what the switches have as far as possible.
//
// The repair is that of tasks/change/repair.hpp. Here tables by LID become tables by destination:
// where a switch's entry is unknown, the tables that the call before had in mind count, else the
// new routes. The new routes are taken where no repair can be proved, and where the most loaded
// link would carry more than is allowed. Where old and new entries may not be mixed in any order,
// the tables become those of a first round (verify/transition.hpp).

#include <cstdint>
#include <optional>
#include <span>

#include "fatwood/c.h"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

// Tables as switches have them, by LID.
struct OldTables {
  const std::uint8_t* const* tables;  // by switch; nullptr if nothing is known
  std::size_t size;                   // entries of each
  std::span<const Destination>
      destination;  // of each LID, as far as there are any; kNone: of no use

  // The entry, or nothing where the table does not say.
  std::optional<Port> at(const ForwardingTables& now, std::size_t s, std::size_t lid) const;
  // These tables by destination, with kNoRoute for what they do not say.
  ForwardingTables by_destination(const ForwardingTables& now) const;
};

// Routes of the call before, of another fabric perhaps.
struct EarlierRoutes {
  const Fabric& fabric;
  const ForwardingTables& final_tables;  // when nothing waits any more
  const Lanes& lanes;
  std::span<const Destination> destination;  // of each LID
};

struct KeptOld {
  ForwardingTables tables;
  Lanes lanes;
  ForwardingTables final_tables;  // empty unless entries wait
  fatwood_kept counts{};
};

// PromiseError if the fabric is not like a tree, or there are several lanes and those of routes
// in use are not known. `earlier` may be nullptr.
KeptOld keep_old(const Model& model, const Routing& fresh, unsigned max_lanes, const OldTables& old,
                 const fatwood_keep_options& options, const EarlierRoutes* earlier);

}  // namespace fatwood
