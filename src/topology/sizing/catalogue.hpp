// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Switches to choose from. Ours has the port counts of each generation of InfiniBand, no products
// and no prices; users can replace it.

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
  std::uint32_t chips = 0;   // a director: ports of the chips inside; 0: none
  std::uint32_t height = 1;  // in rack units

  friend bool operator==(const SwitchModel&, const SwitchModel&) = default;
};

std::span<const SwitchModel> default_catalogue();

// What leaves and spines of a fabric are made of, for hosts of a given speed.
struct SwitchKit {
  SwitchModel leaf;
  SwitchModel spine;        // also of cores
  std::uint32_t split = 1;  // of host ports of leaves
};

// Kits whose leaves serve hosts of this speed, with split ports or without; plain switches first,
// then directors as spines.
std::vector<SwitchKit> kits_for(std::span<const SwitchModel> catalogue, std::uint32_t speed);

}  // namespace fatwood
