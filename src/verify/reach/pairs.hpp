// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Counts of (source, address) pairs by kind: terminals and switches as sources and destinations.

#include <array>
#include <cstdint>

#include "routing/tables/routing.hpp"

namespace fatwood {

struct PairCounts {
  std::uint64_t terminal_terminal = 0;  // the source is named first
  std::uint64_t terminal_switch = 0;
  std::uint64_t switch_terminal = 0;
  std::uint64_t switch_switch = 0;

  std::uint64_t total() const {
    return terminal_terminal + terminal_switch + switch_terminal + switch_switch;
  }
  PairCounts& operator+=(const PairCounts& other) {
    terminal_terminal += other.terminal_terminal;
    terminal_switch += other.terminal_switch;
    switch_terminal += other.switch_terminal;
    switch_switch += other.switch_switch;
    return *this;
  }
  friend PairCounts operator-(const PairCounts& a, const PairCounts& b) {
    return {a.terminal_terminal - b.terminal_terminal, a.terminal_switch - b.terminal_switch,
            a.switch_terminal - b.switch_terminal, a.switch_switch - b.switch_switch};
  }
  friend bool operator==(const PairCounts&, const PairCounts&) = default;
};

inline constexpr std::array kPairKinds = {&PairCounts::terminal_terminal,
                                          &PairCounts::terminal_switch,
                                          &PairCounts::switch_terminal, &PairCounts::switch_switch};

constexpr std::uint64_t one_less(std::uint64_t count) { return count == 0 ? 0 : count - 1; }

// All pairs among this many terminals and switches.
constexpr PairCounts all_pairs(std::uint64_t terminals, std::uint64_t switches, unsigned lmc) {
  return {(terminals * one_less(terminals)) << lmc, terminals * switches,
          (switches * terminals) << lmc, switches * one_less(switches)};
}

// Whether the source is on the destination's own switch.
enum class Place : std::uint8_t { kHome, kElsewhere };

// The pairs that a switch and the terminals on it make with one destination.
inline PairCounts pairs_from(std::uint64_t terminals, const ForwardingTables& tables,
                             Destination destination, Place place) {
  const std::uint64_t self =
      place == Place::kHome ? 1 : 0;  // the destination does not send to itself
  if (tables.is_switch(destination)) return {0, terminals, 0, 1 - self};
  return {terminals - self, 0, 1, 0};
}

}  // namespace fatwood
