// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Some bottleneck rates (bottleneck.hpp) from the loads of links alone, without a look at paths.
//
// Problem: the rate of a percentile needs the number of pairs with a link of this rate or a lower
// one. Which pairs these are only their paths tell. But loads bound the number:
// - at most the sum of the loads of these links, since each of the pairs is on one of them;
// - at least the sum over links of which no pair has two. Such are host ports out, host ports in,
//   links out of leaves, and links into leaves, if no packets pass a leaf between two others: then
//   its links carry no more than what its hosts send to, or get from, others.
// Where the bounds agree, the rate is exact. They mostly do where loads are even.
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

// `use`: all-to-all of the model's adapters. No value if bounds do not decide, or hosts have
// several ports or addresses.
std::optional<RatesByLoads> rates_by_loads(const Model& model, const ChannelUse& use);

}  // namespace fatwood
