// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The LIDs (subnet addresses) of a fabric's destinations. A terminal has 2^lmc of them, from its
// base LID on; a switch has one.

#include <cstdint>

#include "core/table.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

inline constexpr Lid kMaxLid{0xbfff};                        // 49151; above it are multicast groups
inline constexpr std::size_t kNumLids = index(kMaxLid) + 1;  // with 0, which is none
inline constexpr unsigned kMaxLmc = 7;                       // the field has 3 bits

// A switch takes its table in blocks of 64 LIDs, each a management packet (MAD).
constexpr std::uint32_t lid_block(Lid lid) { return index(lid) / 64; }

struct Lids {
  unsigned lmc = 0;
  bool own = false;  // as the fabric has them, rather than given out here
  // The first end-port (slot 0 of a switch) whose LID can't be kept, of a fabric with some LIDs: it
  // has none, one that is no multiple of 2^lmc, or one that another has too.
  Channel refused = kNone<Channel>;
  Table<Terminal, Lid> terminal;  // base LID
  Table<Switch, Lid> switches;

  Lid of(const ForwardingTables& tables, Destination destination) const {
    if (tables.is_switch(destination)) return switches[tables.as_switch(destination)];
    return terminal[tables.terminal(destination)] + (index(destination) & ((1U << lmc) - 1));
  }
  Lid highest() const;
};

// The fabric's own LIDs if every end-port has one, they are multiples of 2^lmc (terminals) and no
// two ranges meet; else terminals get 2^lmc, 2*2^lmc, ... in their order, and then the switches.
// LIDs may go beyond kMaxLid: a fabric too large for InfiniBand can still be routed.
// REQUIRES lmc <= kMaxLmc (else InputError).
Lids assign_lids(const Fabric& fabric, unsigned lmc);

// The largest LMC of the fabric's own ports.
unsigned own_lmc(const Fabric& fabric);

// InputError saying how many LIDs are needed, when a real subnet can't have them.
void require_real_lids(const Lids& lids);

}  // namespace fatwood
