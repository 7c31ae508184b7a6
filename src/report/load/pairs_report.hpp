// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What pairs of hosts get when all send to all, as `load --traffic alltoall` prints it.
//
// {"among": who takes part (among_report.hpp), "cuts": {"number", "above_1_02", "worst": {"name",
// "crossing": "out" | "in", "evenness"},
//  "mean"}, "rates": {"worst_gbps", "p1_gbps", "p10_gbps", "median_gbps", "port_gbps", "hosts",
//  "pairs", "unreachable"}, "bottlenecks": [{"name", "crossing", "channels": [..], "pairs", "gbps",
//  "best_possible_gbps"}]}
// Rates are per host (analysis/rates/bottleneck.hpp); null where no speed is known. Bottlenecks are
// the limiting links of each cut, slowest first. Where all take part and roles differ, "compute"
// has the same keys for compute hosts alone.

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/rates/bottleneck.hpp"
#include "report/json.hpp"
#include "topology/hosts/participants.hpp"

namespace fatwood {

struct PairsReport {
  Participants who;
  Evenness evenness;
  BottleneckRates rates;
  std::vector<Bottleneck> bottlenecks;
};

// REQUIRES the measured model of `who`.
PairsReport pairs_report(const Model& model, const PathSource& paths, Participants who,
                         int threads);

std::string pairs_text(const Model& model, const PairsReport& report, std::size_t most);
// Adds the keys.
void add_pairs(Json& json, const Model& model, const PairsReport& report, std::size_t most);

}  // namespace fatwood
