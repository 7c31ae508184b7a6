// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The effect of one lost cable on adaptive tables before the subnet manager acts.
//
// Fast recovery: the switch at the cable uses another port of the entry's group. If the entry has
// only one port, its packets are lost until new tables come. With notification (pFRN), earlier
// switches also avoid that path, so packets are lost only if every choice crosses the cable.
//
// Method, in the order of ChoiceWalk:
// - A pair is exposed without notification if some choice leads to an entry with one port.
// - A pair is exposed with notification if one cable is on all its paths. The dominator of a switch
//   is the first switch where all its paths to the destination meet again. It is the nearest common
//   dominator of its next switches. All paths from a switch to its dominator share a cable only if
//   a single cable is all there is between the two.
// Cables of hosts are left out, because nothing can replace them. Only switches from which every
// choice arrives are considered.
// Cost: O(ports of all entries of all classes). Dominators: Cooper, Harvey and Kennedy (2001).

#include <cstdint>
#include <optional>
#include <vector>

#include "routing/adaptive/destination_classes.hpp"
#include "topology/model.hpp"

namespace fatwood {

enum class HopDirection : std::uint8_t { kUp, kDown, kAcross };

struct Coverage {
  // Entries (switch, address of a terminal) that lead to a switch, by level and by direction of
  // their first port. If the fabric is not a tree, all have level 0.
  struct Row {
    Level level = 0;
    HopDirection direction = HopDirection::kUp;
    std::uint64_t entries = 0;
    std::uint64_t alone = 0;  // with one port
  };
  std::vector<Row> rows;  // highest level first, up before down
  // Pairs of terminals on different switches, by address.
  std::uint64_t pairs = 0;
  std::uint64_t exposed = 0;           // without notification
  std::uint64_t exposed_notified = 0;  // with it
  // The cable that the first exposed packets need (lowest address, then lowest switch with hosts).
  // Pairs that are exposed even with notification come first.
  Destination first_destination = kNone<Destination>;
  Switch first_source = kNone<Switch>;
  Channel first_cable = kNone<Channel>;
};

// REQUIRES tables of this fabric's size (check_size), and classes of this routing.
Coverage find_coverage(const Model& model, const Routing& routing,
                       const DestinationClasses& classes, int threads = 0);

}  // namespace fatwood
