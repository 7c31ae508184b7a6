// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A lower bound of OLOAD that others can check: lengths of channels.
//
// For any lengths y >= 0, any routing over any paths (not only legal ones) and any traffic, the
// load of the most loaded channel is at least
//     sum over flows of amount * shortest distance in y  /  sum over channels of y * capacity,
// because the loads times y add up to the distances that all flows travel. This is the dual of the
// concurrent flow problem: with the best lengths it equals OLOAD.
//
// Method: a cut is such a bound (length 1 on its channels). The search starts with the best cut
// (cuts.hpp). If the linear program of oload.hpp is not too large, its dual prices are the best
// lengths. Otherwise multiplicative weights look for better ones (Garg and Koenemann 1998): send
// everything along shortest paths, lengthen channels by their load, repeat. Lengths are rounded to
// integers, for which the bound is exact. The capacity of a channel is its speed relative to the
// usual one. Cost: O(switches with adapters * channels * log) per round.

#include <cstdint>

#include "core/fraction.hpp"
#include "core/table.hpp"
#include "topology/model.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

struct LengthBound {
  Table<Channel, std::uint32_t> length;
  Fraction value = 0;
};

LengthBound length_bound(const Model& model, const Traffic& traffic);

// The bound that the lengths prove; 0 if all are 0. std::overflow_error if it does not fit.
Fraction bound_of_lengths(const Model& model, const Traffic& traffic,
                          const Table<Channel, std::uint32_t>& length);

}  // namespace fatwood
