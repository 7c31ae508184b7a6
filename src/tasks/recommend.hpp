// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Recommends one of the compared engines, with the reason.
//
// An engine qualifies if it makes plain forwarding tables (no source routes, no adaptive groups)
// without deadlock and loops. The order of preference:
// 1. fewest pairs without a route although cables connect them
// 2. highest mean of job efficiency (analysis/jobs/job_efficiency.hpp) and the rate of the worst
//    pair, to 1% of a port; then of the worst, the 1st-percentile and the median pair
// 3. lowest mean evenness of cuts, to 0.01
// 4. fewest flows on a link in any shift, then on average
// 5. fewest VLs, shortest routes, engines made for trees
// 6. first in the list
// The time of an engine is ignored, so that the recommendation does not depend on the machine.

#include <optional>
#include <string>
#include <vector>

#include "tasks/compare.hpp"

namespace fatwood {

struct Recommendation {
  std::string engine;
  std::string reason;         // begins with the name of the engine
  bool all_equal = false;     // qualified engines have equal rates and evenness
  bool keep_current = false;  // the tables in use are as good
};

// No value if no engine qualifies.
std::optional<Recommendation> recommend(const std::vector<EngineRow>& rows);

// The engine to use if nothing was compared: even for fabrics like a tree, nue for others.
std::string_view default_engine(const Model& model);

// Best first: qualified engines, then adaptive tables, then those that deadlock, source routes, and
// refusals. The tables in use are ranked like an engine.
void rank_rows(std::vector<EngineRow>& rows);

}  // namespace fatwood
