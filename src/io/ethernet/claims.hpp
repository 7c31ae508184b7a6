// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which cables there are, by what the ends say (merge.hpp has the rules).

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "io/ethernet/devices.hpp"

namespace fatwood {

struct PortId {
  std::uint32_t device = 0;
  std::uint32_t port = 0;
  friend auto operator<=>(const PortId&, const PortId&) = default;
};

struct Claim {
  PortId a, b;  // a makes it
  bool meant = false;
  bool nameless = false;   // b's device has no name
  bool listed = false;     // a list of cables makes it, for both ends
  bool confirmed = false;  // b claims the same
  double text_gbps = 0;
  std::size_t report = 0;
  std::size_t line = 0;
};

struct Cables {
  std::vector<Claim> cables;
  bool meant = false;  // no cable is seen
};

// Adds ports to `devices` that only neighbours name, and settles their kinds.
Cables find_cables(EthernetDevices& devices, const std::vector<DeviceReport>& reports,
                   Warnings& warnings);

}  // namespace fatwood
