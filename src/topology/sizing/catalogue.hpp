// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Switches to choose from. The default catalogue has the port counts of each generation of
// InfiniBand, without products and prices; users can replace it.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fatwood {

struct SwitchModel {
  std::string name;
  std::uint32_t ports = 0;
  std::uint32_t speed = 0;   // Gb/s of a port
  std::uint32_t split = 1;   // parts that a port can be split into
  std::uint32_t cage = 1;    // ports of a cage
  std::uint32_t chips = 0;   // director: ports of the chips inside; 0: no director
  std::uint32_t height = 1;  // in rack units

  friend bool operator==(const SwitchModel&, const SwitchModel&) = default;
};

std::span<const SwitchModel> default_catalogue();

// The switches of a fabric, for hosts of a given speed.
struct SwitchKit {
  SwitchModel leaf;
  SwitchModel spine;        // also for cores
  std::uint32_t split = 1;  // of host ports of leaves
};

// Kits whose leaves serve hosts of this speed, with or without split ports. Plain switches come
// first, then directors as spines.
std::vector<SwitchKit> kits_for(std::span<const SwitchModel> catalogue, std::uint32_t speed);

}  // namespace fatwood
