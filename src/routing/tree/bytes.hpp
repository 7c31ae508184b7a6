// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Passes over rows of hops, a byte for each switch: what ftree spends its time in.
//
// hops + depth is cut at 255, so that "not below" (255) stays what it is. Rows have n bytes and do
// not overlap unless said. Each pass is compiled twice and taken by what the processor has.

#include <cstddef>
#include <cstdint>

#include "core/ids.hpp"

namespace fatwood {

// to[s] = least of to[s] and hops[s] + depth.
void take_shorter(const std::uint8_t* hops, std::uint8_t depth, std::uint8_t* to, std::size_t n);

// to[s] = 0 where hops[s] is 255, else hops[s].
void copy_known(const std::uint8_t* hops, std::uint8_t* to, std::size_t n);

// to[s] = ports[s] where hops[s] + depth == least[s], else from[s]. `from` may be `to`.
struct Overlay {
  const std::uint8_t* hops;
  const std::uint8_t* least;
  const Port* ports;
  std::uint8_t depth;
};
void lay_over(const Overlay& root, const Port* from, Port* to, std::size_t n);

// to[s] = 1 where least[s] is 0 or hops[s] + depth == least[s], else 0.
void mark_met(const std::uint8_t* hops, std::uint8_t depth, const std::uint8_t* least,
              std::uint8_t* to, std::size_t n);
// The same where to[s] is not 1 already.
void add_met(const std::uint8_t* hops, std::uint8_t depth, const std::uint8_t* least,
             std::uint8_t* to, std::size_t n);
// Is it so for each s?
bool all_met(const std::uint8_t* hops, std::uint8_t depth, const std::uint8_t* least,
             std::size_t n);

}  // namespace fatwood
