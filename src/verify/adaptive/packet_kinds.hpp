// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sorts packets into kinds by the switches at which they may choose a port, and checks adaptive
// tables for each kind.
//
// Model: a packet chooses from a group if
// - adaptive routing is on at the switch for its SL and transport, and it may be reordered, or
// - the switch hashes its SL.
// Otherwise it takes the default port. At a switch with unknown settings, every packet that may be
// reordered chooses. Packets that choose at the same switches are of one kind. Settings differ from
// switch to switch, and old switches have none.
//
// Method: the choices of a kind are a subset of all choices. So if a check holds for every choice,
// it holds for each kind. Otherwise each kind is checked with the groups of its switches only.
// Limit: the deadlock check of a kind covers its packets alone. If others use the same lane, the
// check of all choices counts.
// Cost: none, or that of a proof for each kind.

#include <cstdint>
#include <vector>

#include "topology/model.hpp"
#include "topology/run_data.hpp"
#include "verify/deadlock/deadlock.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {

inline constexpr unsigned kNumTransports = 4;  // UD, RC, UC, DC: bits of `transports`

struct Packets {
  std::uint16_t levels = 0;     // bit set of SLs
  std::uint8_t transports = 0;  // bit set
  bool in_order = false;        // may not be reordered

  friend bool operator==(const Packets&, const Packets&) = default;
};

struct PacketKind {
  std::vector<Packets> packets = {};    // those that may be reordered come first
  Table<Switch, std::uint8_t> chooses;  // 1 where these packets take any port of a group
  std::size_t choosing = 0;             // number of such switches
};

// The kind that chooses at the most switches comes first. `settings` is empty if none are known.
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
