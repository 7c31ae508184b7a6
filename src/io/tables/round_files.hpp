// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The tables of each round of a transition, and the commands that give them to OpenSM one after the
// other: FOLDER/round1.lft, FOLDER/round2.lft, ..., FOLDER/commands. A file has the complete tables
// of the switches after its round.

#include <cstdint>
#include <string>
#include <vector>

#include "io/base/outputs.hpp"
#include "routing/tables/lids.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

struct RoundNotes {
  std::uint64_t entries = 0;       // that the round changes
  bool drain = false;              // old packets must be gone before the next round
  std::vector<std::string> order;  // of switches, if it matters
};

// For the check before anything is written.
void add_round_outputs(Outputs& outputs, const std::string& option, const std::string& folder);

// InputError if they cannot be written. REQUIRES as many notes as tables.
void write_round_files(const std::string& folder, const Fabric& fabric, const Lids& lids,
                       const std::vector<ForwardingTables>& rounds,
                       const std::vector<RoundNotes>& notes);

}  // namespace fatwood
