// SPDX-License-Identifier: BSD-3-Clause
// Faults of a simulation, for every report of one: a deadlock, and packets that are lost when
// tables change.
#pragma once

#include <optional>
#include <string>

#include "report/json.hpp"
#include "sim/run.hpp"

namespace fatwood {

std::string deadlock_text(const Fabric& fabric, const sim::Network& network,
                          const sim::Deadlock& deadlock);
Json deadlock_json(const Fabric& fabric, const sim::Network& network,
                   const sim::Deadlock& deadlock);

std::string switched_text(const Fabric& fabric, const sim::Network& network,
                          const std::optional<sim::TableSwitch>& switched);
Json switched_json(const Fabric& fabric, const sim::Network& network,
                   const std::optional<sim::TableSwitch>& switched);

// The sum over all runs; no value if tables do not change.
std::optional<sim::TableSwitch> sum_of_switches(const auto& runs, const auto& switched_of) {
  std::optional<sim::TableSwitch> sum;
  for (const auto& run : runs) {
    const std::optional<sim::TableSwitch>& own = switched_of(run);
    if (!own) continue;
    if (!sum) sum.emplace();
    sum->discarded += own->discarded;
    sum->looping += own->looping;
    if (!sum->first_looping) sum->first_looping = own->first_looping;
  }
  return sum;
}

}  // namespace fatwood
