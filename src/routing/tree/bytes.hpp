// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Passes over rows with one byte per switch: its hops to some root. They are the hot loops of
// ftree.
//
// hops + depth saturates at 255, which means "not below the root". Rows have n bytes and do not
// overlap unless stated. Each pass is compiled twice, for processors with and without wide vectors.

#include <cstddef>
#include <cstdint>

#include "core/ids.hpp"

namespace fatwood {

// to[s] = min(to[s], hops[s] + depth).
void take_shorter(const std::uint8_t* hops, std::uint8_t depth, std::uint8_t* to, std::size_t n);

// to[s] = 0 where hops[s] is 255, otherwise hops[s].
void copy_known(const std::uint8_t* hops, std::uint8_t* to, std::size_t n);

// to[s] = ports[s] where hops[s] + depth == least[s], otherwise from[s]. `from` may be `to`.
struct Overlay {
  const std::uint8_t* hops;
  const std::uint8_t* least;
  const Port* ports;
  std::uint8_t depth;
};
void lay_over(const Overlay& root, const Port* from, Port* to, std::size_t n);

// to[s] = 1 where least[s] is 0 or hops[s] + depth == least[s], otherwise 0.
void mark_met(const std::uint8_t* hops, std::uint8_t depth, const std::uint8_t* least,
              std::uint8_t* to, std::size_t n);
// The same, but where to[s] is already 1 it stays 1.
void add_met(const std::uint8_t* hops, std::uint8_t depth, const std::uint8_t* least,
             std::uint8_t* to, std::size_t n);
// Whether this condition holds for every s.
bool all_met(const std::uint8_t* hops, std::uint8_t depth, const std::uint8_t* least,
             std::size_t n);

}  // namespace fatwood
