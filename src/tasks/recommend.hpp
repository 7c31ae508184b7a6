// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Recommends one of the compared engines, with the reason in plain words.
//
// Qualified are plain forwarding tables (no source routes, no adaptive groups), free of deadlock
// and of loops. Of these the one with the fewest pairs without a route, of those that cables join;
// then by what pairs of the participants get: the worst, the 1st-percentile, the median pair, each
// to 1% of a port; then by the mean evenness of cuts, to 0.01; then by the fewest flows on a link
// in any shift, and on average; then the fewest VLs, the shortest routes, engines made for trees;
// then the first of the list. The seconds that an engine took are left out: the same fabric gets
// the same recommendation on any machine.

#include <optional>
#include <string>
#include <vector>

#include "tasks/compare.hpp"

namespace fatwood {

struct Recommendation {
  std::string engine;
  std::string reason;         // begins with the name of the engine
  bool all_equal = false;     // qualified engines do not differ in rates and evenness
  bool keep_current = false;  // the tables in use are as good
};

// None when no engine qualifies.
std::optional<Recommendation> recommend(const std::vector<EngineRow>& rows);

// The engine to use before engines are compared: even on fabrics like a tree, nue on others.
std::string_view default_engine(const Model& model);

// Best first: qualified, then adaptive tables, then those with deadlocks, source routes, and
// refusals; the tables in use rank like engines.
void rank_rows(std::vector<EngineRow>& rows);

}  // namespace fatwood
