// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Loads of a schedule: for each stage the load of the most loaded link (MLOAD), the best possible
// (OLOAD) and their ratio (PERF), and the most loaded channels of the worst stage.

#include <optional>
#include <vector>

#include "analysis/bounds/oload.hpp"
#include "analysis/load/link_load.hpp"
#include "core/progress.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct StageLoad {
  std::size_t flows = 0;
  Fraction mload;
  Oload oload;

  // MLOAD / OLOAD; 1 if nothing is sent. If OLOAD is a lower bound, this is an upper bound of PERF.
  Fraction perf() const { return oload.value == 0 ? Fraction(1) : mload / oload.value; }
};

struct ScheduleLoad {
  std::vector<StageLoad> stages;
  std::size_t worst = 0;              // the stage of largest MLOAD, the first of several
  std::optional<Fraction> tables;     // for tables: a lower bound of its MLOAD for any tables
  std::vector<LevelLoad> levels;      // of that stage
  std::vector<ChannelLoad> channels;  // the most loaded ones of that stage
};

ScheduleLoad schedule_load(const Model& model, const PathSource& paths, const Schedule& schedule,
                           std::size_t most_channels, int threads = 0,
                           const Progress& progress = {});

}  // namespace fatwood
