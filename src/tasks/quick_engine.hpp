// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The engine that `check` routes a fabric with if no tables are given: the best that lets it answer
// within ten seconds for 10,000 hosts on one core.
//
// The recommended engine (default_engine) is used unless its estimated time, with that of the proof
// and the rates, exceeds the limit. Then a quicker one takes its place: sftree on trees, updn+ on
// anything. Estimates are made from counts (switches, cables, destinations, pairs of leaves without
// a common ancestor), so the choice is the same on every machine. docs/route.md has the measured
// times that they come from.

#include <string_view>

#include "topology/model.hpp"

namespace fatwood {

struct QuickEngine {
  std::string_view name;
  std::string_view instead_of;  // "" if `name` is the recommended engine
};

QuickEngine quick_engine(const Model& model);

}  // namespace fatwood
