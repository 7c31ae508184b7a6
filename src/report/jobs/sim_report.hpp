// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text, JSON and files of `fatwood sim`.
//
// Open traffic: {"points": [{"offered", "accepted", "accepted_half_width", "latency_mean",
//   "latency_half_width", "latency_p50", "latency_p95", "latency_p99", "latency_max",
//   "packet_latency_mean", "packet_latency_p99", "created", "settled", "warmup_cycles", "cycles",
//   "messages", "flit_hops", "switches": null or {...}, "series": [[cycle, accepted, latency]],
//   "busiest": [{"channel", "use"}]}],
//   "saturation": null or {"load", "accepted", "peak"}, "flit_hops", "seconds",
//   "deadlock": null or {...}, "cycle_seconds", "bytes"}
// Loads are relative to what a terminal can send. Latencies are in cycles (the flit time of the
// fastest link); those of messages count from their creation, those of packets from their first
// flit on the wire. Collectives: {"sizes": [{"message_bytes", "finish_cycles", "finish_seconds",
//   "bandwidth_share", "slowest_share", "overall_share", "latency_mean", "latency_p99", ...}], the
//   rest as above}.
// If tables changed during the run: "switched": {"packets_discarded", "packets_looping", "loop":
//   null or {"source", "destination"}}, of all points together; otherwise null.
// A deadlock: {"load" or "message_bytes", "cycle": [{"source", "destination", "message", "packet",
//   "holds": {"port", "lane", "buffer"}, "wants": {...}}]}, each wants what the next one holds.

#include <string>
#include <vector>

#include "report/plot/svg_plot.hpp"
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

}  // namespace fatwood
