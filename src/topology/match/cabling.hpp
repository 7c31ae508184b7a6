// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A found fabric compared with its plan, cable by cable, and the fewest moves that mend it.
//
// Method, after the nodes are matched (node_match.hpp):
//  1. Exchanged devices. If two devices sit in each other's place, so that at least three cables
//     become right when their matches are exchanged, they are one fault, and the match is
//     corrected for what follows.
//  2. States. A planned cable is right, missing (both devices answer), or unknown (one does not).
//     A found cable that is not planned is extra.
//  3. Moves. Seen as edges between ports, missing and extra cables form paths and cycles on which
//     they alternate, since a port has at most one of each. One move of a cable end turns an extra
//     cable into a missing one next to it, and no move can mend two; so the pairs along each path
//     are the fewest moves. What is left over is a cable to plug or to remove.
//  4. Kinds. A pair is a wrong port or a wrong device; a cycle of two pairs is two cables swapped,
//     or the rails (the ports) of a host exchanged.
//  5. Groups. Swaps between the same two racks, or the same two switches where racks are not known,
//     are one fault if there are three or more and they are most of the cables there.
// Encoding: planned cables by number, found ones by the channel out of one end. Cost: O(cables).

#include <cstdint>
#include <string>
#include <vector>

#include "topology/match/node_names.hpp"

namespace fatwood {

enum class CablingFaultKind : std::uint8_t {
  kMissing,
  kExtra,
  kWrongPort,
  kWrongDevice,
  kSwappedCables,
  kExchangedPorts,  // of one adapter
  kExchangedRails,  // of one host
  kSwappedDevices,
  kSwappedRacks,
  kDown,  // a planned device that does not answer, with those behind it
  kUnplannedDevice,
  kSlow,
  kNarrow,
  kWrongPart,
  kWrongLength,
  kFlapping,
};
std::string_view kind_word(CablingFaultKind kind);
// Whether it may just not have been built yet.
bool is_incomplete(CablingFaultKind kind);

enum class CableState : std::uint8_t { kRight, kWrong, kMissing, kUnknown };

// One end of a cable, from one port to another; kNone: none, so that a cable is plugged or removed.
struct CablingMove {
  Channel stays = kNone<Channel>;     // found, out of the end that stays
  Channel from = kNone<Channel>;      // found
  Channel to = kNone<Channel>;        // found
  std::uint32_t cable = 0xffffffffU;  // planned, that it makes right; none when one is removed
};

struct CablingFault {
  CablingFaultKind kind{};
  std::vector<std::uint32_t> cables;   // planned
  std::vector<Channel> found;          // extra cables
  std::vector<std::uint32_t> devices;  // planned: exchanged; down, then those behind it
  std::vector<Node> nodes;             // found: not planned
  std::vector<CablingMove> moves;
  std::string detail;    // what was found: a rate, a part, a count
  double cost_gbps = 0;  // planned bandwidth that is not there
};

struct Cabling {
  NodeMatch match;                // as found by names and votes
  std::vector<CableState> state;  // by planned cable
  std::vector<Channel> found;     // of right cables: the channel out of end a, else kNone
  std::vector<CablingFault> faults;
};

// `found` must be found_side(model).
Cabling check_cables(const Plan& plan, const PlannedFabric& planned, const MatchSide& found);

}  // namespace fatwood
