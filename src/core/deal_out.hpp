// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Distributes equal pieces over links of different speeds with the smallest possible maximum load.
//
// Method: greedy. Each piece goes to the link that is least loaded after getting it. This is
// optimal, because the loads reached are the sorted multiples of 1/speed. Most pieces are
// distributed at once, in proportion to speed and rounded down; no link then exceeds its greedy
// share. Cost: O(links^2).

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/fraction.hpp"

namespace fatwood {

// The largest load, in pieces divided by speed. REQUIRES at least one speed, all positive.
inline Fraction deal_out(std::int64_t pieces, std::span<const std::int64_t> speeds) {
  const std::int64_t capacity = std::accumulate(speeds.begin(), speeds.end(), std::int64_t{0});
  std::vector<std::int64_t> dealt(speeds.size());
  std::int64_t left = pieces;
  for (std::size_t i = 0; i < dealt.size(); ++i) {
    dealt[i] = static_cast<std::int64_t>(static_cast<__int128>(pieces) * speeds[i] / capacity);
    left -= dealt[i];
  }
  const auto fuller = [&](std::size_t a, std::size_t b) {  // with one more
    return static_cast<__int128>(dealt[a] + 1) * speeds[b] >
           static_cast<__int128>(dealt[b] + 1) * speeds[a];
  };
  for (; left > 0; --left) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < dealt.size(); ++i) {
      if (fuller(best, i)) best = i;
    }
    ++dealt[best];
  }
  Fraction most = 0;
  for (std::size_t i = 0; i < dealt.size(); ++i) {
    most = std::max(most, Fraction(dealt[i], speeds[i]));
  }
  return most;
}

}  // namespace fatwood
