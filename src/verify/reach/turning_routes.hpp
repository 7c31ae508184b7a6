// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Do routes follow up*/down*, that is, do they never go up after they went down? Levels are those
// of levels.hpp. A hop between switches of one level is neither up nor down; routes with such hops
// are counted separately.
//
// Method: from the root of each destination's tree outwards, remember for each switch which kinds
// of hops the rest of its route has. Destinations of one switch are alike (like_last.hpp).
// Cost: O(destinations * switches), in parallel over destinations.

#include <optional>
#include <utility>

#include "topology/levels/levels.hpp"
#include "verify/reach/endpoint.hpp"
#include "verify/reach/pairs.hpp"

namespace fatwood {

// The kinds of hops on the rest of a route.
enum Rest : std::uint8_t { kRestUp = 1, kRestTurn = 2, kRestHorizontal = 4 };

// The kinds of hops of a route that starts between these levels and continues with `onwards`.
inline std::uint8_t rest_of(Level here, Level there, std::uint8_t onwards) {
  if (there > here) return onwards | kRestUp;
  if (there == here) return onwards | kRestHorizontal;
  return (onwards & kRestUp) != 0 ? onwards | kRestTurn : onwards;
}

inline std::uint8_t rest_of(const Levels& levels, std::uint32_t from, std::uint32_t to,
                            std::uint8_t onwards) {
  return rest_of(levels.level[static_cast<Switch>(from)], levels.level[static_cast<Switch>(to)],
                 onwards);
}

struct UpDown {
  PairCounts turning;     // pairs whose route goes down and later up
  PairCounts horizontal;  // pairs whose route has a hop within a level
  // The first turning pair: lowest destination, then lowest switch as source.
  std::optional<Switch> first_switch;
  Destination first_destination = kNone<Destination>;

  UpDown& operator+=(const UpDown& other) {
    turning += other.turning;
    horizontal += other.horizontal;
    const auto first = [](const UpDown& one) {
      return std::pair(one.first_destination, one.first_switch.value_or(kNone<Switch>));
    };
    if (first(other) < first(*this)) {
      first_destination = other.first_destination;
      first_switch = other.first_switch;
    }
    return *this;
  }
  // Counts pairs from a switch to a destination by the hops of their route.
  void add(std::uint8_t rest, Destination destination, Switch from, const PairCounts& pairs) {
    if ((rest & kRestHorizontal) != 0) horizontal += pairs;
    if ((rest & kRestTurn) != 0) *this += {pairs, {}, from, destination};
  }
};

// REQUIRES tables of this fabric's size (check_size), not source routes.
UpDown find_turns(const Fabric& fabric, const Routing& routing, const Levels& levels,
                  int threads = 0);

// Pairs without a route although they have an up*/down* path. Even an engine that promises no more
// than up*/down* must connect them. REQUIRES as above.
PairCounts find_legal_but_lost(const Fabric& fabric, const Routing& routing, const Levels& levels,
                               int threads = 0);

}  // namespace fatwood
