// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Properties of adaptive tables that hold for every choice of their switches: which pairs are
// connected by every choice on every hop, how long the longest choice is, whether one turns up
// after it went down.
//
// The values are those of plain tables, read so: a pair is unreachable when some choice loses its
// packets or has them circle; hops are those of the longest choice; a pair turns, or is longer than
// it must be, when some choice is. Ports of a group that are masked, all but one if need be, leave
// a part of the choices, so that what holds for every choice holds then too. Where it does not,
// `risky` counts the entries that have ports of both kinds: with the good ones masked, packets get
// lost.
//
// Method: ChoiceWalk for one destination of each class (destination_classes.hpp). Where every entry
// has one port, the result is that of the plain functions. Cost: O(ports of all entries of all
// classes), in parallel over classes.

#include <optional>

#include "routing/adaptive/destination_classes.hpp"
#include "topology/model.hpp"
#include "verify/reach/hops.hpp"
#include "verify/reach/minimality.hpp"
#include "verify/reach/reachability.hpp"
#include "verify/reach/up_down.hpp"

namespace fatwood {

// A port of an entry that leads to where packets can get lost.
struct RiskyPort {
  Switch at = kNone<Switch>;
  Destination destination = kNone<Destination>;
  Port port = kOwnPort;
};

struct ChoiceFindings {
  Reachability reachability;
  PairCounts never;  // of the unreachable: no choice arrives
  HopCounts most;    // of pairs that every choice joins: hops of the longest choice
  HopCounts fewest;  // and of the shortest
  Minimality minimality;
  std::optional<UpDown> up_down;  // when the fabric is like a tree
  std::uint64_t risky = 0;        // entries with good ports and bad ones
  std::optional<RiskyPort> first_risky;
};

// REQUIRES tables of this fabric's size (check_size), and classes of this routing.
ChoiceFindings find_choices(const Model& model, const Routing& routing,
                            const DestinationClasses& classes, int threads = 0);

}  // namespace fatwood
