// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Compares a found fabric with its plan, cable by cable, and finds the fewest moves that correct
// it.
//
// Method, after the nodes are matched (node_match.hpp):
//  1. Exchanged devices. If exchanging the matches of two devices makes at least three more cables
//     right than wrong, and more than half of theirs right, these devices are in each other's
//     place. This is one fault, and the match is corrected for the next steps. (Devices matched
//     without a name need only one more, and are no fault.)
//  2. States. A planned cable is right, wrong (its cable is plugged elsewhere), missing (both
//     devices respond), or unknown (one does not). A found cable that is not planned is extra.
//  3. Moves (cabling_moves.hpp). A port has at most one missing and one extra cable. So missing and
//     extra cables, as edges between ports, form paths and cycles on which they alternate. Moving
//     one end of a cable turns an extra cable into an adjacent missing one, and no move corrects
//     two. So the fewest moves are the pairs along each path. A cable left over is to be plugged or
//     removed; those of devices that are not planned rather than others.
//  4. Kinds. A pair is a wrong port or a wrong device. A cycle of two pairs is two swapped
//     cables, or the exchanged rails (or ports) of a host.
//  5. Groups. Three or more swaps between the same two racks (or switches if racks are unknown) are
//     one fault if they are most of the cables there.
// Encoding: planned cables by number, found ones by the channel out of one end. Cost: O(cables).

#include <cstdint>
#include <string>
#include <vector>

#include "plan/match/node_match.hpp"

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
  kDown,  // a planned device that does not respond, with those behind it
  kUnplannedDevice,
  kSlow,
  kNarrow,
  kWrongPart,
  kWrongLength,
  kFlapping,
};
std::string_view kind_word(CablingFaultKind kind);
// Whether the fabric may just be incomplete.
bool is_incomplete(CablingFaultKind kind);

enum class CableState : std::uint8_t { kRight, kWrong, kMissing, kUnknown };

inline constexpr std::uint32_t kNoCable = 0xffffffffU;

// Moves one end of a cable, or removes a cable. A missing cable has no move.
struct CablingMove {
  Channel stays = kNone<Channel>;  // found: out of the end that stays
  Channel from = kNone<Channel>;   // found
  Channel to = kNone<Channel>;     // found; kNone: removed, or to a port that discovery cannot see
  std::uint32_t cable = kNoCable;  // planned, becomes right; kNoCable: the cable is removed
  bool to_a = false;               // whether the moved end becomes end a of the planned cable

  bool is_removal() const { return cable == kNoCable; }
};

struct CablingFault {
  CablingFaultKind kind{};
  std::vector<std::uint32_t> cables;   // planned
  std::vector<Channel> found;          // extra cables
  std::vector<std::uint32_t> devices;  // planned: exchanged; or down, then those behind it
  std::vector<Node> nodes;             // found, but not planned
  std::vector<CablingMove> moves;
  std::string detail;    // what was found: a rate, a part, a count
  double cost_gbps = 0;  // planned bandwidth that is missing
};

struct Cabling {
  NodeMatch match;                // as found by names and votes
  std::vector<CableState> state;  // by planned cable
  std::vector<Channel> found;     // for right cables: the channel out of end a; otherwise kNone
  std::vector<CablingFault> faults;
  std::size_t hosts_not_planned = 0;  // adapters, if the plan has switches only: no fault

  // The moves of all faults, in an order in which each new port is free. In a ring of moves (such
  // as two swapped cables) the first one stays unplugged until the others are done.
  std::vector<CablingMove> ordered_moves(const Fabric& fabric) const;
};

// Step 5.
void group_swaps(const Plan& plan, std::vector<CablingFault>& faults);

// `found` must be found_side(model).
Cabling check_cables(const Plan& plan, const PlannedFabric& planned, const MatchSide& found);

}  // namespace fatwood
