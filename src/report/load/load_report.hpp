// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood load`, whose man page explains the keys.
//
// "mload", "oload" and "perf" are those of the stage with the largest MLOAD. For adaptive tables,
// loads are those of an even split.

#include <optional>
#include <string>
#include <vector>

#include "analysis/load/hashed_load.hpp"
#include "analysis/load/schedule_load.hpp"
#include "report/json.hpp"
#include "report/load/pairs_report.hpp"
#include "report/plot/plot.hpp"
#include "tasks/all_pairs.hpp"

namespace fatwood {

struct HashedReport {
  unsigned seeds = 0;
  bool alike = false;
  std::string hash = "own";  // as asked: own, tier, same, or a file
  std::vector<HashedLoad> rows;
  std::optional<double> at_most = {};
  QueuePairsNeeded needed;  // for at_most
};

// The rows of "hashed".
Json hashed_rows(const std::vector<HashedLoad>& loads);

std::string load_text(const Model& model, const ScheduleLoad& load, const Participants& who,
                      const std::optional<HashedReport>& hashed = {}, const AllPairs& pairs = {});
std::string load_json(const Model& model, const ScheduleLoad& load, const Participants& who,
                      const std::optional<HashedReport>& hashed = {}, const AllPairs& pairs = {});
// The loads of channels, the largest first. REQUIRES a result with all channels.
PlotPanel load_panel(const ScheduleLoad& load);

}  // namespace fatwood
