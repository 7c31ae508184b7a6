// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Adaptive tables mean one thing to packets that switches may spread over a group and another to
// those that keep to the default port: by service level, by transport, by whether the sender allows
// that packets overtake each other, and switch by switch, as settings differ and old switches have
// none. Here packets are sorted into kinds, and the tables are checked for each.
//
// A packet chooses at a switch when adaptive routing is on there for its level and transport and it
// may be reordered, or when the switch hashes its level; else it takes the default port. A switch
// without known settings spreads what may be reordered. Packets that choose at the same switches
// are of one kind.
//
// Method: a kind's choices are some of all choices. So where everything holds for every choice, it
// holds for each kind; else each is checked with the groups of its switches alone. A kind's
// deadlock is that of its packets among themselves: with others in the same lane, all choices
// count. Cost: nothing, or that of a proof for each kind.

#include <cstdint>
#include <vector>

#include "topology/model.hpp"
#include "topology/run_data.hpp"
#include "verify/deadlock/deadlock.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {

inline constexpr unsigned kNumTransports = 4;  // UD, RC, UC, DC: bits of `transports`

struct Packets {
  std::uint16_t levels = 0;     // bits
  std::uint8_t transports = 0;  // bits
  bool in_order = false;        // may not be reordered

  friend bool operator==(const Packets&, const Packets&) = default;
};

struct PacketKind {
  std::vector<Packets> packets;         // that may be reordered first
  Table<Switch, std::uint8_t> chooses;  // 1 where these packets take any port of a group
  std::size_t choosing = 0;             // switches
};

// Those that choose at most switches first. `settings` may be empty: none are known.
std::vector<PacketKind> packet_kinds(const Table<Switch, AdaptiveSettings>& settings,
                                     std::size_t switches);

struct KindVerdict {
  PacketKind kind;
  PairCounts unreachable;
  std::uint64_t loops = 0;
  bool deadlock_free = true;

  bool holds() const { return unreachable.total() == 0 && deadlock_free; }
};

// REQUIRES tables of this fabric's size (check_size), with sets.
KindVerdict check_kind(const Model& model, const Routing& routing, PacketKind kind, Sources sources,
                       int threads = 0);

}  // namespace fatwood
