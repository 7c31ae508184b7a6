// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the fuzz destinations share: any bytes give a result or an InputError, nothing else.

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "io/base/input.hpp"
#include "topology/generate/tree.hpp"

namespace fatwood::fuzz {

template <class Read>
int try_reading(const std::uint8_t* data, std::size_t size, const Read& read) {
  try {
    Input input(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
    read(input);
  } catch (const InputError&) {
    // Refused in good order.
  }
  return 0;
}

// The same for readers of streams.
template <class Read>
int try_stream(const std::uint8_t* data, std::size_t size, const Read& read) {
  try {
    std::istringstream stream(std::string(reinterpret_cast<const char*>(data), size));
    read(stream);
  } catch (const InputError&) {
    // Refused in good order.
  }
  return 0;
}

// For readers that need a fabric to fit to.
inline const Fabric& small_fabric() {
  static const Fabric fabric = make_tree(xgft({2, 2}, {1, 2}));
  return fabric;
}

}  // namespace fatwood::fuzz
