// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Some bottleneck rates (bottleneck.hpp) from the loads of links alone, without following paths.
//
// Problem: a percentile of the rates needs the number of pairs that use some link of a given rate
// or less. Only paths tell this number exactly, but loads bound it:
// - It is at most the sum of the loads of these links, because each of the pairs is on one of them.
// - It is at least the sum over a set of these links of which no pair uses two: adapter ports out,
//   adapter ports in, links out of leaves, or links into leaves. (Of leaves only if no packets pass
//   through a leaf: its links then carry no more than its hosts send or receive.)
// If the bounds agree, the rate is exact. They usually agree if loads are even.
//
// Cost: a sort of the links.

#include <optional>

#include "analysis/load/channel_use.hpp"
#include "core/fraction.hpp"

namespace fatwood {

struct RatesByLoads {
  std::uint64_t pairs = 0;
  Fraction worst = 0, p1 = 0, median = 0;
};

// `use`: all-to-all of the model's adapters. No value if the bounds differ, or if adapters have
// several ports or addresses.
std::optional<RatesByLoads> rates_by_loads(const Model& model, const ChannelUse& use);

}  // namespace fatwood
