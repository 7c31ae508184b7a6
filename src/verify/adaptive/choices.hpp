// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Properties of adaptive tables that hold for every choice of ports: which pairs are connected, how
// long paths can be, and whether they can go up after they went down.
//
// The result has the types of plain tables, with this meaning: a pair is unreachable if some choice
// loses its packets or lets them loop; hops are those of the longest choice; a pair turns from down
// to up, or is not shortest, if some choice does so. If ports of a group are masked, fewer choices
// are left, so what holds for every choice still holds. `risky` counts entries with both good and
// bad ports: if the good ports are masked, packets are lost. A pair is unknown, not unreachable, if
// all that some choice lacks are entries that are unknown (Routing::unknown).
//
// Method: ChoiceWalk for one destination of each class (destination_classes.hpp). If every entry
// has one port, the result is that of the plain functions.
// Cost: O(ports of all entries of all classes), in parallel over classes.

#include <optional>

#include "routing/adaptive/destination_classes.hpp"
#include "topology/model.hpp"
#include "verify/reach/hops.hpp"
#include "verify/reach/minimality.hpp"
#include "verify/reach/reachability.hpp"
#include "verify/reach/turning_routes.hpp"

namespace fatwood {

// A port of an entry that leads to a switch where packets can be lost.
struct RiskyPort {
  Switch at = kNone<Switch>;
  Destination destination = kNone<Destination>;
  Port port = kOwnPort;
};

struct ChoiceFindings {
  Reachability reachability;
  PairCounts never;  // unreachable pairs that no choice connects
  HopCounts most;    // pairs that every choice connects: hops of the longest choice
  HopCounts fewest;  // the same pairs: hops of the shortest choice
  Minimality minimality;
  std::optional<UpDown> up_down;  // if the fabric is like a tree
  std::uint64_t risky = 0;        // entries with good and bad ports
  std::optional<RiskyPort> first_risky;
};

// REQUIRES tables of this fabric's size (check_size), and classes of this routing.
ChoiceFindings find_choices(const Model& model, const Routing& routing,
                            const DestinationClasses& classes, int threads = 0);

}  // namespace fatwood
