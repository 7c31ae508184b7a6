// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The price of a link by its load: exponential, so that the most loaded links count most.

#include <algorithm>
#include <bit>
#include <cstdint>

namespace fatwood {

// exp(x) within 0.1%, for x limited to -60..60. Not std::exp: its last bit differs between
// processors, and tables must not differ.
inline float price_exp(float x) {
  constexpr float kLog2e = 1.44269504F;
  constexpr int kBias = 127;
  constexpr float kMost = 60;
  const float power = std::clamp(x, -kMost, kMost) * kLog2e + static_cast<float>(kBias);  // above 0
  const auto whole = static_cast<std::int32_t>(power);
  const float part = power - static_cast<float>(whole);
  const float rest = 1 + part * (0.6956F + part * (0.2262F + part * 0.0782F));  // 2^part
  return rest * std::bit_cast<float>(whole << 23);
}

}  // namespace fatwood
