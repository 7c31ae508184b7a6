// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Destinations that adaptive tables treat alike: on the same switch, with the same possible ports
// and the same lane everywhere else. What is true of one is true of all, so a proof looks at one.
// On a tree the hosts of a leaf make one class.
//
// Encoding: the destinations of class c are destinations[first[c]] .. destinations[first[c+1]],
// ascending; classes are in order of their switch, then of their lowest destination. Cost:
// O(destinations * switches) bytes compared, in parallel over switches.

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
};

// Every destination is in one class. Where there are no port sets, each is a class of its own.
DestinationClasses destination_classes(const Fabric& fabric, const Routing& routing,
                                       int threads = 0);

}  // namespace fatwood
