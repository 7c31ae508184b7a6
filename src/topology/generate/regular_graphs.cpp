// SPDX-License-Identifier: BSD-3-Clause
#include "topology/generate/regular_graphs.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace fatwood {

namespace {
constexpr std::uint64_t kMaxSwitches = 1U << 20;
}

CableList make_ring(std::uint32_t switches) {
  if (switches < 3)
    throw InputError(fmt::format("a ring needs at least 3 switches, not {}", switches));
  return make_torus({switches}, 1);
}

CableList make_torus(const std::vector<std::uint32_t>& dimensions, std::uint32_t wrapped) {
  std::uint64_t switches = 1;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i] < 2) {
      throw InputError(fmt::format("dimension {} is {}: 2 at least", i + 1, dimensions[i]));
    }
    switches *= dimensions[i];
    if (switches > kMaxSwitches) {
      throw InputError(fmt::format("dimension {} is {}: that makes more than {} switches", i + 1,
                                   dimensions[i], kMaxSwitches));
    }
  }
  if (wrapped > dimensions.size()) {
    throw InputError(
        fmt::format("wrap is {}: there are {} dimensions", wrapped, dimensions.size()));
  }
  CableList list{static_cast<std::uint32_t>(switches), {}};
  std::uint32_t stride = list.switches;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const std::uint32_t length = dimensions[i];
    stride /= length;
    const bool closed = length > 2 && i + wrapped >= dimensions.size();
    for (std::uint32_t s = 0; s < list.switches; ++s) {
      const std::uint32_t x = s / stride % length;
      if (x + 1 < length) {
        list.cables.emplace_back(s, s + stride);
      } else if (closed) {
        list.cables.emplace_back(s, s - (length - 1) * stride);
      }
    }
  }
  return list;
}

CableList make_hypercube(std::uint32_t dimension) {
  if (dimension < 1 || dimension > 20) {
    throw InputError(fmt::format("a hypercube of dimension {}: 1 to 20", dimension));
  }
  return make_torus(std::vector<std::uint32_t>(dimension, 2), dimension);
}

}  // namespace fatwood
