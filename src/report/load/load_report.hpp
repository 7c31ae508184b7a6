// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood load`.
//
// {"mload", "oload", "perf", "oload_kind": "theorem" | "linear program" | "lower bound", "stage",
//  "stages": [{"flows", "mload", "oload", "perf"}], "levels": [{"name", "channels", "max",
//  "mean"}], "channels": [{"channel", "load"}]}
// The first three are those of the stage with the largest MLOAD, whose number is "stage". If only a
// lower bound of OLOAD is known, "oload" and "perf" are null, and "oload_at_least" and
// "perf_at_most" are given. For adaptive tables, loads are those of an even split; with
// --queue-pairs or --at-most there is also
// "hashed": {"seeds", "same_hash", "rows": [{"queue_pairs", "fullest": {"mean", "median", "p99",
//  "worst"}, "slowest": {the same}, "used", "worst_seed"}], "at_most", "queue_pairs_needed"}.
// "among" says who takes part (among_report.hpp). All-to-all of single hosts has also the keys of
// pairs_report.hpp.

#include <optional>
#include <string>
#include <vector>

#include "analysis/load/hashed_load.hpp"
#include "analysis/load/schedule_load.hpp"
#include "report/json.hpp"
#include "report/load/pairs_report.hpp"
#include "report/plot/svg_plot.hpp"

namespace fatwood {

struct HashedReport {
  unsigned seeds = 0;
  bool alike = false;
  std::vector<HashedLoad> rows;
  std::optional<double> at_most = {};
  QueuePairsNeeded needed;  // for at_most
};

// The rows of "hashed".
Json hashed_rows(const std::vector<HashedLoad>& loads);

// All-to-all: what pairs of participants get, and pairs of compute hosts if these are only a part.
struct AllPairs {
  std::optional<PairFigures> asked = {};
  std::optional<PairFigures> compute = {};
};

std::string load_text(const Model& model, const ScheduleLoad& load, const Participants& who,
                      const std::optional<HashedReport>& hashed = {}, const AllPairs& pairs = {});
std::string load_json(const Model& model, const ScheduleLoad& load, const Participants& who,
                      const std::optional<HashedReport>& hashed = {}, const AllPairs& pairs = {});
// The loads of channels, the largest first. REQUIRES a result with all channels.
PlotPanel load_panel(const ScheduleLoad& load);

}  // namespace fatwood
