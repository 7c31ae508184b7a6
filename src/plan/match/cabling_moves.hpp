// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Steps 3 and 4 of cabling.hpp: the moves that turn the found cables into the planned ones, and the
// faults they correct. For its files only.

#include "plan/match/cabling.hpp"

namespace fatwood {

// The two sides with their match, corrected for exchanged devices.
struct MatchedSides {
  const Plan& plan;
  const PlannedFabric& planned;
  const MatchSide& planned_side;
  const MatchSide& found;
  const Table<Node, std::uint32_t>& device_of;  // by planned node
  const Table<Node, Node>& found_of;
  const Table<Node, Node>& planned_of;
};

// Reads the states of the cables; adds faults, and makes missing cables wrong that are elsewhere.
void find_moves(const MatchedSides& sides, Cabling& cabling);

}  // namespace fatwood
