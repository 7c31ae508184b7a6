// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The ports that a switch can choose from, and the choice of the least used one. Shared by
// balance.cpp and opensm_balance.cpp.

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/ids.hpp"

namespace fatwood {

inline constexpr std::size_t kLine = 64;       // switches: a cache line of a row
inline constexpr std::size_t kSlots = 256;     // ports of a switch, and one spare
inline constexpr std::uint32_t kPortBits = 8;  // a key is count << kPortBits | port

// The alternatives of one switch towards one destination switch.
struct Alternatives {
  std::uint32_t size = 0;
  std::array<Port, kSlots> port;
  std::array<std::uint8_t, kSlots> trunk;  // number among the alternatives
};

using Counts = std::array<std::uint32_t, kSlots>;  // destinations so far, by port

inline void insertion_sort(std::uint32_t* begin, std::uint32_t* end) {
  for (std::uint32_t* at = begin + 1; at < end; ++at) {
    const std::uint32_t value = *at;
    std::uint32_t* to = at;
    for (; to > begin && to[-1] > value; --to) *to = to[-1];
    *to = value;
  }
}

// The alternative with the least count; the lowest port on a tie. REQUIRES an alternative.
inline Port least_used(const Alternatives& from, const Counts& counts) {
  std::uint32_t least = 0xffffffffU;
  for (std::uint32_t i = 0; i < from.size; ++i) {
    least = std::min(least, counts[index(from.port[i])] << kPortBits | index(from.port[i]));
  }
  return static_cast<Port>(least);
}

// The next `amount` destinations over the alternatives, each to the least count so far; out gets
// one port every kLine bytes.
inline void fill(const Alternatives& from, Counts& counts, std::size_t amount, Port* out) {
  if (from.size == 1) {
    for (std::size_t i = 0; i < amount; ++i) out[i * kLine] = from.port[0];
    counts[index(from.port[0])] += static_cast<std::uint32_t>(amount);
    return;
  }
  if (amount == 1) {
    *out = least_used(from, counts);
    counts[index(*out)] += 1;
    return;
  }
  std::array<std::uint32_t, kSlots> keys;
  for (std::uint32_t i = 0; i < from.size; ++i) {
    keys[i] = counts[index(from.port[i])] << kPortBits | index(from.port[i]);
  }
  constexpr std::uint32_t kOne = 1U << kPortBits;
  std::uint32_t* const begin = keys.data();
  std::uint32_t* const end = begin + from.size;
  std::uint32_t level_end = 0;
  while (amount > 0) {
    // All keys at the least count, in order of their ports, take one each.
    insertion_sort(begin, end);
    const std::uint32_t level = keys[0] >> kPortBits;
    for (level_end = 0; level_end < from.size && amount > 0; ++level_end, --amount) {
      if (keys[level_end] >> kPortBits != level) break;
      *out = static_cast<Port>(keys[level_end]);
      out += kLine;
      keys[level_end] += kOne;
    }
  }
  for (std::uint32_t i = 0; i < from.size; ++i) {
    counts[keys[i] & (kOne - 1)] = keys[i] >> kPortBits;
  }
}

}  // namespace fatwood
