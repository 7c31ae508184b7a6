// SPDX-License-Identifier: BSD-3-Clause
#include "report/jobs/sim_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "report/json.hpp"
#include "report/load/among_report.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kBusiest = 10;

std::vector<std::uint32_t> busiest(const sim::Point& point) {
  std::vector<std::uint32_t> ports;
  for (std::uint32_t p = 0; p < point.use.size(); ++p) {
    if (point.use[p] > 0) ports.push_back(p);
  }
  const std::size_t count = std::min(kBusiest, ports.size());
  std::partial_sort(ports.begin(), ports.begin() + static_cast<std::ptrdiff_t>(count), ports.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      return std::pair(-point.use[a], a) < std::pair(-point.use[b], b);
                    });
  ports.resize(count);
  return ports;
}

void add_class(Json& json, const sim::ClassResult& result) {
  json["offered"] = result.offered;
  json["accepted"] = result.accepted.mean;
  json["accepted_half_width"] = result.accepted.half;
  json["latency_mean"] = result.message.mean;
  json["latency_half_width"] = result.message.half;
  json["latency_p50"] = result.message.p50;
  json["latency_p95"] = result.message.p95;
  json["latency_p99"] = result.message.p99;
  json["latency_max"] = result.message.most;
  json["packet_latency_mean"] = result.packet.mean;
  json["packet_latency_p99"] = result.packet.p99;
  json["messages"] = result.message.count;
  json["settled"] = result.settled;
  json["warmup_cycles"] = result.warmup_cycles;
}

Json point_json(const Fabric& fabric, const sim::Network& network, const sim::Point& point) {
  Json json = Json::object();
  add_class(json, point.terminals);
  json["created"] = point.terminals.created;
  json["cycles"] = point.cycles;
  json["flit_hops"] = point.counters.flit_hops;
  json["switches"] = nullptr;
  if (point.switches.offered > 0) {
    Json own = Json::object();
    add_class(own, point.switches);
    json["switches"] = own;
  }
  json["series"] = Json::list(point.terminals.series, [&](const sim::SeriesPoint& at) -> Json {
    return {at.cycles, at.accepted, at.latency};
  });
  json["busiest"] = Json::list(busiest(point), [&](const std::uint32_t port) -> Json {
    return {{"channel", sim::port_text(fabric, network, port)}, {"use", point.use[port]}};
  });
  return json;
}

std::optional<sim::TableSwitch> switched(const SimResult& result) {
  return sum_of_switches(result.points, [](const sim::Point& p) { return p.switched; });
}

// Five columns; a run in which no whole message arrived has no latency.
std::string latency_text(const sim::Latency& latency) {
  if (latency.count == 0) {
    return fmt::format("{:>9} {:>7} {:>8} {:>8} {:>8}", "-", "-", "-", "-", "-");
  }
  return fmt::format("{:>9.1f} {:>7.1f} {:>8.1f} {:>8.1f} {:>8.1f}", latency.mean, latency.half,
                     latency.p50, latency.p95, latency.p99);
}

std::string packet_text(const Fabric& fabric, const sim::Network& network, const sim::Wait& wait) {
  return fmt::format("packet {} of message {} from {} to {}", wait.packet, wait.message,
                     sim::endpoint_text(fabric, network, wait.source),
                     sim::endpoint_text(fabric, network, wait.dest));
}
std::string buffer_text(const Fabric& fabric, const sim::Network& network,
                        const sim::Wait::Buffer& buffer) {
  return fmt::format("{} buffer of {} lane {}", buffer.output ? "output" : "input",
                     sim::port_text(fabric, network, buffer.port), buffer.lane);
}
Json buffer_json(const Fabric& fabric, const sim::Network& network,
                 const sim::Wait::Buffer& buffer) {
  return {{"port", sim::port_text(fabric, network, buffer.port)},
          {"lane", buffer.lane},
          {"buffer", buffer.output ? "output" : "input"}};
}

}  // namespace

std::string sim_text(const Fabric& fabric, const sim::Network& network, const SimResult& result) {
  const bool switches = std::any_of(result.points.begin(), result.points.end(),
                                    [](const sim::Point& p) { return p.switches.offered > 0; });
  std::string text = fmt::format("{:>7} {:>8} {:>7} {:>9} {:>7} {:>8} {:>8} {:>8} {:>8}{}\n",
                                 "offered", "accepted", "+-", "latency", "+-", "p50", "p95", "p99",
                                 "warm-up", switches ? " sw.accepted" : "");
  double hops = 0;
  double seconds = 0;
  for (const sim::Point& point : result.points) {
    const sim::ClassResult& t = point.terminals;
    text += fmt::format("{:>7.4g} {:>8.4f} {:>7.4f} {} {:>8}", t.offered, t.accepted.mean,
                        t.accepted.half, latency_text(t.message), t.warmup_cycles);
    if (switches) text += fmt::format(" {:>11.4f}", point.switches.accepted.mean);
    if (!t.settled) text += "  not settled";
    if (t.message.count == 0) text += "  no whole message arrived";
    if (point.deadlock) text += "  deadlock";
    text += '\n';
    hops += static_cast<double>(point.counters.flit_hops);
    seconds += point.seconds;
  }
  if (result.saturation) {
    text += fmt::format(
        "\nlast load before saturation {:.4g}, accepted {:.4f}; greatest accepted load {:.4f}\n",
        result.saturation->load, result.saturation->accepted, result.saturation->peak);
  }
  text += fmt::format(
      "\nlatencies of messages in cycles of {:.3g} ns; {:.3g} flit-hops in {:.1f} CPU seconds, "
      "{:.1f} million a second\n",
      network.cycle_seconds() * 1e9, hops, seconds, seconds > 0 ? hops / seconds / 1e6 : 0);
  text += switched_text(fabric, network, switched(result));
  for (const sim::Point& point : result.points) {
    if (!point.deadlock) continue;
    text += fmt::format("\nat load {:.4g}, by cycle {}, ", point.terminals.offered, point.cycles) +
            deadlock_text(fabric, network, *point.deadlock);
    break;
  }
  return text;
}

std::string sim_json(const Fabric& fabric, const sim::Network& network, const SimResult& result,
                     const Participants& who) {
  Json json = Json::object();
  json["points"] = Json::array();
  std::uint64_t hops = 0;
  double seconds = 0;
  std::size_t bytes = 0;
  Json deadlock = nullptr;
  for (const sim::Point& point : result.points) {
    json["points"].push_back(point_json(fabric, network, point));
    hops += point.counters.flit_hops;
    seconds += point.seconds;
    bytes = std::max(bytes, point.bytes);
    if (point.deadlock && deadlock.is_null()) {
      deadlock = {{"load", point.terminals.offered},
                  {"by_cycle", point.cycles},
                  {"cycle", deadlock_json(fabric, network, *point.deadlock)}};
    }
  }
  json["saturation"] = nullptr;
  if (result.saturation) {
    json["saturation"] = {{"load", result.saturation->load},
                          {"accepted", result.saturation->accepted},
                          {"peak", result.saturation->peak}};
  }
  json["flit_hops"] = hops;
  json["seconds"] = seconds;
  json["deadlock"] = deadlock;
  json["switched"] = switched_json(fabric, network, switched(result));
  json["cycle_seconds"] = network.cycle_seconds();
  json["bytes"] = bytes;
  if (!who.adapters.empty()) json["among"] = among_json(who);
  return document(std::move(json));
}

std::string sim_csv(const SimResult& result) {
  std::string csv =
      "offered,accepted,accepted_half_width,latency_mean,latency_half_width,latency_p50,"
      "latency_p95,latency_p99,latency_max,packet_latency_mean,packet_latency_p99,settled,"
      "switch_offered,switch_accepted,deadlock\n";
  for (const sim::Point& p : result.points) {
    const sim::ClassResult& t = p.terminals;
    csv +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", t.offered, t.accepted.mean,
                    t.accepted.half, t.message.mean, t.message.half, t.message.p50, t.message.p95,
                    t.message.p99, t.message.most, t.packet.mean, t.packet.p99, t.settled ? 1 : 0,
                    p.switches.offered, p.switches.accepted.mean, p.deadlock ? 1 : 0);
  }
  return csv;
}

std::vector<PlotPanel> sim_panels(const std::string& title, const SimResult& result) {
  PlotLine accepted{"accepted", {}};
  PlotLine offered{"offered", {}};
  PlotLine switches{"switches accepted", {}};
  PlotLine mean{"mean", {}};
  PlotLine p99{"99th percentile", {}};
  for (const sim::Point& point : result.points) {
    const double load = point.terminals.offered;
    offered.points.emplace_back(load, load);
    accepted.points.emplace_back(load, point.terminals.accepted.mean);
    if (point.switches.offered > 0) {
      switches.points.emplace_back(load, point.switches.accepted.mean);
    }
    mean.points.emplace_back(load, point.terminals.message.mean);
    p99.points.emplace_back(load, point.terminals.message.p99);
  }
  std::vector<PlotLine> throughput{accepted, offered};
  if (!switches.points.empty()) throughput.push_back(switches);
  return {{title + ": throughput", "offered load", "accepted load", throughput},
          {title + ": message latency",
           "offered load",
           "cycles",
           {mean, p99},
           Scale::kLinear,
           Scale::kLog}};
}

std::string series_csv(const SimResult& result) {
  std::string csv = "offered,cycle,accepted,latency_mean\n";
  for (const sim::Point& point : result.points) {
    for (const sim::SeriesPoint& at : point.terminals.series) {
      csv +=
          fmt::format("{},{},{},{}\n", point.terminals.offered, at.cycles, at.accepted, at.latency);
    }
  }
  return csv;
}

std::string use_csv(const Fabric& fabric, const sim::Network& network, const SimResult& result) {
  std::string csv = "offered,channel,to,use\n";
  for (const sim::Point& point : result.points) {
    for (std::uint32_t p = 0; p < point.use.size(); ++p) {
      const std::uint32_t peer = network.ports[p].peer;
      if (peer == sim::kNil || (p >= network.channels && point.use[p] == 0)) continue;
      if (peer >= network.channels && point.use[p] == 0) continue;
      csv +=
          fmt::format("{},{},{},{}\n", point.terminals.offered, sim::port_text(fabric, network, p),
                      sim::port_text(fabric, network, peer), point.use[p]);
    }
  }
  return csv;
}

std::string deadlock_text(const Fabric& fabric, const sim::Network& network,
                          const sim::Deadlock& deadlock) {
  std::string text = fmt::format("deadlock: {} packets wait in a cycle\n", deadlock.size());
  for (const sim::Wait& wait : deadlock) {
    text += fmt::format(
        "  {}\n    holds the {}\n    wants the {}\n", packet_text(fabric, network, wait),
        buffer_text(fabric, network, wait.holds), buffer_text(fabric, network, wait.wants));
  }
  return text;
}

Json deadlock_json(const Fabric& fabric, const sim::Network& network,
                   const sim::Deadlock& deadlock) {
  return Json::list(deadlock, [&](const sim::Wait& wait) -> Json {
    return {{"source", sim::endpoint_text(fabric, network, wait.source)},
            {"destination", sim::endpoint_text(fabric, network, wait.dest)},
            {"message", wait.message},
            {"packet", wait.packet},
            {"holds", buffer_json(fabric, network, wait.holds)},
            {"wants", buffer_json(fabric, network, wait.wants)}};
  });
}

std::string switched_text(const Fabric& fabric, const sim::Network& network,
                          const std::optional<sim::TableSwitch>& switched) {
  if (!switched) return {};
  std::string text =
      fmt::format("\ntables changed: {} packets discarded without a route, {} in a loop",
                  switched->discarded, switched->looping);
  if (switched->first_looping) {
    text += fmt::format(" (the first from {} to {})",
                        sim::endpoint_text(fabric, network, switched->first_looping->source),
                        sim::endpoint_text(fabric, network, switched->first_looping->dest));
  }
  return text + '\n';
}
Json switched_json(const Fabric& fabric, const sim::Network& network,
                   const std::optional<sim::TableSwitch>& switched) {
  if (!switched) return nullptr;
  Json loop = nullptr;
  if (const auto& pair = switched->first_looping) {
    loop = {{"source", sim::endpoint_text(fabric, network, pair->source)},
            {"destination", sim::endpoint_text(fabric, network, pair->dest)}};
  }
  return {{"packets_discarded", switched->discarded},
          {"packets_looping", switched->looping},
          {"loop", loop}};
}

}  // namespace fatwood
