// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/load/schedule_load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/bounds/cuts.hpp"

namespace fatwood {

ScheduleLoad schedule_load(const Model& model, const PathSource& paths, const Schedule& schedule,
                           std::size_t most_channels, int threads, const Progress& progress) {
  ScheduleLoad result;
  LinkLoads worst;
  const Fabric& fabric = model.fabric();
  for (std::size_t i = 0; i < schedule.stages; ++i) {
    report(progress, static_cast<double>(i) / static_cast<double>(schedule.stages),
           fmt::format("stage {} of {}", i + 1, schedule.stages));
    const Traffic traffic = schedule.stage(i);
    LinkLoads loads = link_loads(model, paths, traffic, threads);
    const Fraction mload = max_load(loads);
    const std::optional<Fraction> attained = loads.exact ? std::optional(mload) : std::nullopt;
    StageLoad stage{traffic.flows.size(), mload, oload(model, traffic, attained)};
    // These routes are a routing, too, so a solver's value above their load is rounded and not
    // OLOAD.
    if (stage.oload.kind == OloadKind::kLinearProgram) {
      stage.oload.value = std::min(stage.oload.value, stage.mload);
    }
    result.stages.push_back(stage);
    if (i > 0 && result.stages[i].mload <= result.stages[result.worst].mload) continue;
    result.worst = i;
    worst = std::move(loads);
  }
  if (paths.addresses() != 0 && schedule.stages > 0) {
    result.tables = tables_bound(model, schedule.stage(result.worst), paths.addresses(),
                                 result.stages[result.worst].oload.value);
  }
  result.levels = loads_by_level(fabric, worst);
  result.channels = most_loaded(worst, most_channels);
  return result;
}

}  // namespace fatwood
