// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Least common multiples with a limit.

#include <cstdint>
#include <numeric>

namespace fatwood {

// 0 if the multiple exceeds `most`, or if a or b is 0. REQUIRES non-negative numbers.
constexpr std::int64_t common_multiple(std::int64_t a, std::int64_t b, std::int64_t most) {
  if (a == 0 || b == 0) return 0;
  const std::int64_t factor = b / std::gcd(a, b);
  return factor > most / a ? 0 : a * factor;
}

}  // namespace fatwood
