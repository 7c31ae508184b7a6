// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The LIDs (subnet addresses) of a fabric's destinations. A terminal has 2^lmc consecutive LIDs,
// starting with its base LID; a switch has one.

#include <cstdint>
#include <string>

#include "core/table.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

inline constexpr Lid kMaxLid{0xbfff};                        // 49151; higher ones are multicast
inline constexpr std::size_t kNumLids = index(kMaxLid) + 1;  // including 0, which means none
inline constexpr unsigned kMaxLmc = 7;                       // the field has 3 bits

// A switch gets its table in blocks of 64 LIDs, each a management packet (MAD).
constexpr std::uint32_t lid_block(Lid lid) { return index(lid) / 64; }

struct Lids {
  unsigned lmc = 0;
  bool own = false;  // true: the LIDs of the fabric; false: assigned here
  // If the fabric has LIDs that cannot be used: the first end port (slot 0 of a switch) whose LID
  // is missing, is not a multiple of 2^lmc, or overlaps with another.
  Channel refused = kNone<Channel>;
  Table<Terminal, Lid> terminal;  // base LID
  Table<Switch, Lid> switches;

  Lid of(const ForwardingTables& tables, Destination destination) const {
    if (tables.is_switch(destination)) return switches[tables.as_switch(destination)];
    return terminal[tables.terminal(destination)] + (index(destination) & ((1U << lmc) - 1));
  }
  Lid highest() const;
};

// The fabric's own LIDs, if every end port has one, those of terminals are multiples of 2^lmc, and
// no ranges overlap. Otherwise terminals get 2^lmc, 2*2^lmc, ... in order, then the switches.
// LIDs may exceed kMaxLid: a fabric too large for InfiniBand can still be routed.
// REQUIRES lmc <= kMaxLmc (else InputError).
Lids assign_lids(const Fabric& fabric, unsigned lmc);

// The same LIDs, and for end ports without one those above all others.
Lids completed(Lids lids);

// The largest LMC of the fabric's own ports.
unsigned own_lmc(const Fabric& fabric);

// LIDs on which a file of tables and the fabric disagree: the port GUID next to the LID in the file
// belongs to another port than the one with that LID in the fabric. io/tables/load_tables.hpp then
// follows the GUIDs and reports these LIDs, because switches forward by LID only.
struct LidContradictions {
  std::size_t lids = 0;
  Lid first = kNoLid;
  std::string by_guid;    // the port with the GUID
  std::string in_fabric;  // the port with the LID in the fabric; "" if there is none
};

// InputError, with the number of LIDs needed, if a real subnet cannot have them.
void require_real_lids(const Lids& lids);

}  // namespace fatwood
