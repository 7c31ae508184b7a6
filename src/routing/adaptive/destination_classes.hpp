// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Classes of destinations that adaptive tables treat alike: destinations on the same switch that
// have the same possible ports and the same lane at every other switch. What is proved for one
// destination holds for its class. On a tree the hosts of a leaf form one class.
//
// Encoding: the destinations of class c are destinations[first[c]] .. destinations[first[c+1]],
// ascending. Classes are ordered by switch, then by lowest destination.
// Cost: comparing O(destinations * switches) bytes, in parallel over switches.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/tables/routing.hpp"

namespace fatwood {

struct DestinationClasses {
  std::vector<Destination> destinations;
  std::vector<std::uint32_t> first{0};  // by class, and the end

  std::size_t size() const { return first.size() - 1; }
  std::span<const Destination> of(std::size_t c) const {
    return {destinations.data() + first[c], destinations.data() + first[c + 1]};
  }
  // By destination.
  Table<Destination, std::uint32_t> class_of() const {
    Table<Destination, std::uint32_t> result(destinations.size());
    for (std::uint32_t c = 0; c < size(); ++c) {
      for (const Destination destination : of(c)) result[destination] = c;
    }
    return result;
  }
};

// Every destination is in one class. Without port sets each is a class of its own.
DestinationClasses destination_classes(const Fabric& fabric, const Routing& routing,
                                       int threads = 0);

}  // namespace fatwood
