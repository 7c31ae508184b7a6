// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The least that the most loaded channel between switches must carry, by cuts that a tree has: all
// that leaves a part of the fabric, or enters it, goes over the part's own channels.
//
// Parts: each switch with terminals; for each level, what is connected by switches up to it.
// Cost: O(cables) per level, and O(demands) where pairs are given.

#include <cstdint>

#include "core/fraction.hpp"
#include "routing/tree/even_net.hpp"

namespace fatwood {

// Flows over capacity.
Fraction tree_cut_bound(const EvenNet& net, const UpDownOrder& up_down);
// The least that tables can give the most loaded channel out of a switch with terminals: all of
// them send to one address by one channel, so channels carry multiples of what they send. Of given
// demands: the most that a switch sends to one address.
Fraction table_bound(const EvenNet& net);
// Of cuts, for all to all of the terminals that count, each with one address.
// REQUIRES is_joined(model): of pairs in different parts it would count flows that nobody can send.
Fraction all_to_all_bound(const Model& model);

}  // namespace fatwood
