// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The effect of one lost cable on adaptive tables before the subnet manager acts.
//
// Fast recovery: the switch at the cable takes another port of the entry's group. An entry with one
// port between switches has none: its packets are lost until new tables come. With notification
// (pFRN) the switches before it are notified and take it out of their groups too, so that packets
// are lost only where every choice leads over that cable.
//
// Method: along ChoiceWalk's order. A pair is exposed locally when some choice comes to an entry
// with one port; it is exposed in spite of notification when one cable is on all its ways: the
// ways from a switch to the destination meet again at its dominator, the nearest common one of all
// its next switches, and what lies between two that follow each other is one cable or has no such
// cable. The cables of hosts are left out: nothing replaces them. Loops and dead ends are not
// looked at: only switches that arrive by every choice count. Cost: O(ports of all entries of all
// classes). Reference: Cooper, Harvey and Kennedy (2001) for the meeting of dominators.

#include <cstdint>
#include <optional>
#include <vector>

#include "routing/adaptive/destination_classes.hpp"
#include "topology/model.hpp"

namespace fatwood {

enum class HopDirection : std::uint8_t { kUp, kDown, kAcross };

struct Coverage {
  // Entries (switch, address of a terminal) that lead to a switch; by level and direction of their
  // first port. Level 0 throughout when the fabric is not a tree.
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
  // The lowest address, then the lowest switch with hosts, that is exposed in spite of
  // notification, or else without it: the cable that its packets can't do without.
  Destination first_destination = kNone<Destination>;
  Switch first_source = kNone<Switch>;
  Channel first_cable = kNone<Channel>;
};

// REQUIRES tables of this fabric's size (check_size), and classes of this routing.
Coverage find_coverage(const Model& model, const Routing& routing,
                       const DestinationClasses& classes, int threads = 0);

}  // namespace fatwood
