// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Deals equal pieces out to links of different speeds with the smallest possible maximum load.
//
// Greedy: each piece goes to the link that is least loaded with it, which is optimal, since the
// loads reached so form the sorted list of all multiples of 1/speed. Most pieces are dealt out at
// once, in proportion to speed, rounded down: no link is above its greedy share then.
// Cost: O(links^2).

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/fraction.hpp"

namespace fatwood {

// Pieces over speed, of the link that ends up most loaded. REQUIRES speeds above 0, at least one.
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
