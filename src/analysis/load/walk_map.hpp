// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The fabric as flat arrays, for kernels that follow many flows through forwarding tables. The
// slots of a switch are consecutive. For hosts with one port each. Cost: O(ports).

#include <cstdint>
#include <memory>
#include <vector>

#include "topology/model.hpp"

namespace fatwood {

struct WalkMap {
  static constexpr std::uint32_t kTerminal = 0x80000000U;
  static constexpr std::uint32_t kNowhere = 0xffffffffU;  // no cable

  std::vector<std::uint32_t> first;  // by switch: slot of port 0
  std::vector<std::uint32_t> next;   // by slot: the next switch, kTerminal + terminal, kNowhere
  std::vector<std::uint32_t> leaf;   // by host
  std::vector<Terminal> terminal;    // by host
};

std::shared_ptr<const WalkMap> walk_map(const Model& model);

}  // namespace fatwood
