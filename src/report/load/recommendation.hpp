// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which engine to take, of those that were compared, and why in plain words.
//
// Rule: engines that make plain forwarding tables (no source routes, no adaptive groups), free of
// deadlock and of loops. Of these the one with the fewest pairs without a route, of those that
// cables join; then with the least on its fullest channel when every host sends to
// every other; then with the fewest flows on a channel in any shift permutation; then with the
// fewest on the fullest channel of a shift, on average; then with the fewest lanes; then with the
// shortest routes; then one that is made for trees rather than one for any fabric, which is
// slower; then the first of the list. The seconds an engine took are left out: the same
// fabric gets the same recommendation on any machine.

#include <optional>
#include <string>
#include <vector>

#include "report/load/compare.hpp"

namespace fatwood {

struct Recommendation {
  std::string engine;
  std::string reason;  // begins with the name of the engine
};

// None when no engine qualifies.
std::optional<Recommendation> recommend(const std::vector<EngineRow>& rows);

}  // namespace fatwood
