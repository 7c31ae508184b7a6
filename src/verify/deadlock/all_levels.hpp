// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Are tables safe whatever service level (SL) packets have? For SL-to-VL tables without a file of
// the SLs of paths.
//
// Packets of different SLs share VLs. So it is not enough that each SL is safe by itself: the
// dependencies of all of them together must have no cycle. An SL that is mapped to VL 15 on a path
// is discarded there and left out: its packets do not arrive.
//
// If every SL has one VL on all channels, all packets of a VL follow the same tables, and the
// answer is that for one VL. Otherwise packets of each SL are followed as in changing_lanes.hpp,
// and their graphs are united in the order of SLs; an SL that would close a cycle is left out.
// Cost: that of up to 16 proofs.

#include <array>
#include <cstdint>

#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

struct AllLevels {
  std::uint16_t discarded = 0;  // bit per SL: on VL 15 somewhere on a path
  std::uint16_t cyclic = 0;     // with a cycle by themselves
  std::uint16_t together = 0;   // safe together, taken from SL 0 upwards
  Deadlock deadlock;            // of all that are not discarded, together

  // Safe by itself, but not together with those.
  std::uint16_t conflicting() const {
    return static_cast<std::uint16_t>(~(discarded | cyclic | together));
  }
};

// `map`: empty if `same` gives the VL of each SL on all channels. REQUIRES a routing and a map of
// this fabric's size (check_size).
AllLevels find_all_levels(const Fabric& fabric, const Routing& routing, const LaneMap& map,
                          const LaneOfSl& same, Sources sources, int threads);

}  // namespace fatwood
