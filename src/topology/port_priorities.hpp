// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How the ports of Ethernet switches sort packets into priorities, and which priorities pause
// (PFC).
//
// A packet that arrives has a code point (DSCP). The port's map gives its traffic class, and from
// that its priority group, whose pauses have the priority of the same number; and its queue at the
// port where it leaves. A pause of a priority stops one queue. A port may write another code point
// into packets of a class that leave by it; a leaf may do so with packets that it sends back up.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

inline constexpr unsigned kPriorities = 8;
inline constexpr unsigned kTrafficClasses = 16;
inline constexpr unsigned kCodePoints = 64;
inline constexpr std::uint8_t kUnchanged = 0xff;

struct PriorityProfile {
  std::array<std::uint8_t, kCodePoints> traffic_class{};
  std::array<std::uint8_t, kTrafficClasses> group{};    // = priority of its pauses, by class
  std::array<std::uint8_t, kTrafficClasses> queue{};    // by class
  std::array<std::uint8_t, kPriorities> stopped{};      // the queue that a pause stops
  std::array<std::uint8_t, kTrafficClasses> rewrite{};  // code point by class, or kUnchanged
  std::array<std::uint8_t, kTrafficClasses> bounce{};   // the same, from a switch to a switch
  std::uint8_t pauses = 0;                              // bit per priority

  friend auto operator<=>(const PriorityProfile&, const PriorityProfile&) = default;
};

struct PortPriorities {
  static constexpr std::uint32_t kUnknown = 0xffffffffU;

  Table<Channel, std::uint32_t> number;  // of a port's profile
  std::vector<PriorityProfile> profiles;
  std::size_t switches = 0;           // with settings
  std::vector<std::string> warnings;  // of the files

  bool empty() const { return profiles.empty(); }
  // Of a port; nullptr if it is not known.
  const PriorityProfile* at(Channel c) const {
    return number[c] == kUnknown ? nullptr : &profiles[number[c]];
  }
};

}  // namespace fatwood
