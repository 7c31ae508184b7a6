// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text, JSON and files of `fatwood sim`, whose man page explains the keys.
//
// Loads are relative to what a terminal can send. Latencies are in cycles (the flit time of the
// fastest link); those of messages count from their creation, those of packets from their first
// flit on the wire. In a deadlock, each packet wants what the next one holds.

#include <optional>
#include <string>
#include <vector>

#include "report/json.hpp"
#include "report/plot/plot.hpp"
#include "sim/run.hpp"
#include "tasks/simulate.hpp"
#include "topology/hosts/participants.hpp"

namespace fatwood {

std::string sim_text(const Fabric& fabric, const sim::Network& network, const SimResult& result);
std::string sim_json(const Fabric& fabric, const sim::Network& network, const SimResult& result,
                     const Participants& who = {});
std::string sim_csv(const SimResult& result);
// For svg_plot() and text_plot().
std::vector<PlotPanel> sim_panels(const std::string& title, const SimResult& result);
// As CSV: time series of all points, and use of every channel at each point.
std::string series_csv(const SimResult& result);
std::string use_csv(const Fabric& fabric, const sim::Network& network, const SimResult& result);

std::string collective_text(const Fabric& fabric, const sim::Network& network,
                            const std::vector<CollectivePoint>& points);
std::string collective_json(const Fabric& fabric, const sim::Network& network,
                            const std::vector<CollectivePoint>& points,
                            const Participants& who = {});
std::string collective_csv(const sim::Network& network, const std::vector<CollectivePoint>& points);
std::vector<PlotPanel> collective_panels(const std::string& title,
                                         const std::vector<CollectivePoint>& points);

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
