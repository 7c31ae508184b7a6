// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A lower bound of OLOAD that others can check: lengths of channels.
//
// For any lengths y >= 0, any routing over any paths (not only legal ones) and any traffic, the
// most loaded channel carries at least
//     sum over flows of amount * shortest distance in y  /  sum over channels of y * capacity,
// since the loads times y add up to what all flows travel. It is the dual of the concurrent flow:
// with the best lengths it is OLOAD itself.
//
// Method: a cut is a bound of this kind (length 1 on its channels), so that the best of the cuts of
// hosts, of switches with hosts and of the parts of a tree up to each level is where we begin.
// Where the linear program of oload.hpp is not too large its prices are the best lengths. Else
// multiplicative weights look for better ones (Garg and Koenemann 1998): send everything along
// shortest paths, make channels longer by what they carry, again. The lengths are rounded to whole
// numbers and the bound of those is exact. Capacity of a channel: its speed over the usual one.
// Cost: O(switches with hosts * channels * log) per round.

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
