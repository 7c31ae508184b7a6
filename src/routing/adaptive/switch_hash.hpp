// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How switches hash flows onto the ports of a group.

#include <cstdint>

namespace fatwood {

// Switches with equal streams have the same fields, function, seed and offset: they give a flow the
// same hash. Vendors keep their functions secret, so a stream is a random number for each flow.
struct SwitchHash {
  std::uint32_t stream = 0;
  bool tells_pairs = true;  // whether queue pairs of the same hosts can get different hashes

  friend bool operator==(const SwitchHash&, const SwitchHash&) = default;
};

}  // namespace fatwood
