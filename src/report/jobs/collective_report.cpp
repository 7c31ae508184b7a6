// SPDX-License-Identifier: BSD-3-Clause
// Reports of simulated collectives and traces.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "report/jobs/sim_report.hpp"
#include "report/load/among_report.hpp"

namespace fatwood {

namespace {

std::optional<sim::TableSwitch> switched(const std::vector<CollectivePoint>& points) {
  return sum_of_switches(points, [](const CollectivePoint& p) { return p.result.switched; });
}

}  // namespace

std::string collective_text(const Fabric& fabric, const sim::Network& network,
                            const std::vector<CollectivePoint>& points) {
  std::string text =
      fmt::format("{:>10} {:>10} {:>12} {:>12} {:>9} {:>8} {:>8} {:>10}\n", "bytes", "messages",
                  "cycles", "us", "bandwidth", "slowest", "overall", "latency");
  double hops = 0;
  double seconds = 0;
  for (const CollectivePoint& p : points) {
    const sim::CollectiveResult& r = p.result;
    // A trace has sizes of its own; one of switches alone has no terminal that sends.
    const std::string size = p.message_bytes == 0 ? "-" : std::to_string(p.message_bytes);
    const auto share = [&r](double value) {
      return r.bandwidth == 0 ? std::string("-") : fmt::format("{:.4f}", value);
    };
    text += fmt::format("{:>10} {:>10} {:>12} {:>12.2f} {:>9} {:>8} {:>8} {:>10.1f}{}\n", size,
                        r.messages, r.finish_cycles,
                        static_cast<double>(r.finish_cycles) * network.cycle_seconds() * 1e6,
                        share(r.bandwidth), share(r.slowest), share(r.overall), r.message.mean,
                        r.deadlock ? "  deadlock" : "");
    hops += static_cast<double>(r.counters.flit_hops);
    seconds += r.seconds;
  }
  text += fmt::format(
      "\nbandwidth: of a terminal while it sends, as a share of what it could; {:.3g} flit-hops in "
      "{:.1f} CPU seconds, {:.1f} million a second\n",
      hops, seconds, seconds > 0 ? hops / seconds / 1e6 : 0);
  text += switched_text(fabric, network, switched(points));
  for (const CollectivePoint& p : points) {
    if (!p.result.deadlock) continue;
    text += '\n';
    text += deadlock_text(fabric, network, *p.result.deadlock);
    break;
  }
  return text;
}

std::string collective_json(const Fabric& fabric, const sim::Network& network,
                            const std::vector<CollectivePoint>& points, const Participants& who) {
  Json json = Json::object();
  json["sizes"] = Json::array();
  std::uint64_t hops = 0;
  double seconds = 0;
  std::size_t bytes = 0;
  Json deadlock = nullptr;
  for (const CollectivePoint& p : points) {
    const sim::CollectiveResult& r = p.result;
    json["sizes"].push_back(
        {{"message_bytes", p.message_bytes},
         {"messages", r.messages},
         {"flits", r.flits},
         {"finish_cycles", r.finish_cycles},
         {"finish_seconds", static_cast<double>(r.finish_cycles) * network.cycle_seconds()},
         {"bandwidth_share", r.bandwidth},
         {"slowest_share", r.slowest},
         {"overall_share", r.overall},
         {"latency_mean", r.message.mean},
         {"latency_p50", r.message.p50},
         {"latency_p95", r.message.p95},
         {"latency_p99", r.message.p99}});
    hops += r.counters.flit_hops;
    seconds += r.seconds;
    bytes = std::max(bytes, r.bytes);
    if (r.deadlock && deadlock.is_null()) {
      deadlock = {{"message_bytes", p.message_bytes},
                  {"cycle", deadlock_json(fabric, network, *r.deadlock)}};
    }
  }
  json["flit_hops"] = hops;
  json["seconds"] = seconds;
  json["deadlock"] = deadlock;
  json["switched"] = switched_json(fabric, network, switched(points));
  json["cycle_seconds"] = network.cycle_seconds();
  json["bytes"] = bytes;
  if (!who.adapters.empty()) json["among"] = among_json(who);
  return document(std::move(json));
}

std::string collective_csv(const sim::Network& network,
                           const std::vector<CollectivePoint>& points) {
  std::string csv =
      "message_bytes,messages,finish_cycles,finish_seconds,bandwidth,slowest,overall,"
      "latency_mean,latency_p99,deadlock\n";
  for (const CollectivePoint& p : points) {
    const sim::CollectiveResult& r = p.result;
    csv +=
        fmt::format("{},{},{},{},{},{},{},{},{},{}\n", p.message_bytes, r.messages, r.finish_cycles,
                    static_cast<double>(r.finish_cycles) * network.cycle_seconds(), r.bandwidth,
                    r.slowest, r.overall, r.message.mean, r.message.p99, r.deadlock ? 1 : 0);
  }
  return csv;
}

std::vector<PlotPanel> collective_panels(const std::string& title,
                                         const std::vector<CollectivePoint>& points) {
  PlotLine mean{"mean of terminals", {}};
  PlotLine slowest{"slowest terminal", {}};
  PlotLine finish{"finish", {}};
  for (const CollectivePoint& p : points) {
    const auto bytes = static_cast<double>(p.message_bytes);
    mean.points.emplace_back(bytes, p.result.bandwidth);
    slowest.points.emplace_back(bytes, p.result.slowest);
    finish.points.emplace_back(bytes, static_cast<double>(p.result.finish_cycles));
  }
  return {
      {title + ": bandwidth",
       "message size, bytes",
       "share of what a terminal can send",
       {mean, slowest},
       Scale::kLog},
      {title + ": finish", "message size, bytes", "cycles", {finish}, Scale::kLog, Scale::kLog}};
}

}  // namespace fatwood
