// SPDX-License-Identifier: BSD-3-Clause
#include "report/load/worst_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/first_lines.hpp"
#include "report/json.hpp"
#include "report/load/among_report.hpp"

namespace fatwood {

namespace {

std::string channel_text(const Fabric& fabric, Channel c) {
  return c == kNone<Channel> ? "none" : channel_name(fabric, c);
}

std::string traffic_text(const Model& model, const Traffic& traffic) {
  return first_lines(traffic.flows, 20, " (--json or -o FILE has all)", [&](const Flow& flow) {
    return fmt::format("{} -> {}  {}", adapter_name(model, flow.source),
                       adapter_name(model, flow.destination), traffic.amount(flow).to_string());
  });
}

}  // namespace

std::string worst_text(const Model& model, const WorstReport& report, const Participants& who) {
  const Fabric& fabric = model.fabric();
  const bool any = report.traffic_class == TrafficClass::kAny;
  std::string text = among_line(who) + fmt::format("routing          {}\n", report.routing);
  if (report.exact) {
    text += any ? fmt::format("oblivious ratio  {}\n", fraction_text(report.exact->load))
                : fmt::format("worst permutation loads a channel with {}\n",
                              fraction_text(report.exact->load));
    text += fmt::format("channel          {}, {} between levels {} and {}\n",
                        channel_text(fabric, report.exact->channel),
                        report.exact->direction == Direction::kUp ? "up" : "down",
                        report.exact->level, report.exact->level + 1);
    text +=
        fmt::format("loaded again     MLOAD {}, OLOAD {}, PERF {}\n", fraction_text(report.mload),
                    fraction_text(report.oload), fraction_text(report.mload / report.oload));
    if (any && report.bound_squared != 0) {
      text += fmt::format("lower bound      {:.4f} for any single-path routing of this tree\n",
                          std::sqrt(static_cast<double>(report.bound_squared)));
    }
    text += fmt::format("flows            {} solved for {} channels\n", report.exact->flows_solved,
                        report.exact->channels);
  } else {
    if (!report.bounds->exact) text += fmt::format("only bounds      {}\n", report.why_bounds);
    text +=
        any && report.bounds->exact ? fmt::format("oblivious ratio  exactly {}: the bounds meet\n",
                                                  fraction_text(report.bounds->at_most))
        : any                       ? fmt::format("oblivious ratio  at most {}, at least {:.4f}\n",
                                                  fraction_text(report.bounds->at_most), report.bounds->ratio_at_least)
                                    : fmt::format("worst permutation loads a channel with {}{}\n",
                            report.bounds->exact ? "" : "at most ",
                                                  fraction_text(report.bounds->at_most));
    text += fmt::format("channel          {}\n", channel_text(fabric, report.bounds->channel));
    text +=
        fmt::format("its load         {} under the traffic below, whose OLOAD is at most {:.4f}\n",
                    fraction_text(report.bounds->load), report.bounds->oload_at_most);
    text += fmt::format("flows            {} solved\n", report.bounds->flows_solved);
  }
  return text + "traffic\n" + traffic_text(model, report.traffic);
}

Json worst_object(const Model& model, const WorstReport& report) {
  const Fabric& fabric = model.fabric();
  Json json;
  const char* key = report.traffic_class == TrafficClass::kAny ? "ratio" : "load";
  json["routing"] = report.routing;
  Channel channel = kNone<Channel>;
  if (report.exact) {
    channel = report.exact->channel;
    add_fraction(json, key, report.exact->load);
    json["level"] = report.exact->level;
    json["direction"] = report.exact->direction == Direction::kUp ? "up" : "down";
    add_fraction(json, "mload", report.mload);
    add_fraction(json, "oload", report.oload);
    json["flows_solved"] = report.exact->flows_solved;
    if (report.bound_squared != 0) {
      json["single_path_bound"] = std::sqrt(static_cast<double>(report.bound_squared));
    }
  } else {
    channel = report.bounds->channel;
    json[key] = nullptr;
    if (report.bounds->exact) add_fraction(json, key, report.bounds->at_most);
    add_fraction(json, std::string(key) + "_at_most", report.bounds->at_most);
    if (report.traffic_class == TrafficClass::kAny) {
      json["ratio_at_least"] = report.bounds->ratio_at_least;
      json["oload_at_most"] = report.bounds->oload_at_most;
    }
    json["why_bounds"] = report.why_bounds;
    json["flows_solved"] = report.bounds->flows_solved;
  }
  json["channel"] = channel == kNone<Channel> ? Json(nullptr) : Json(channel_name(fabric, channel));
  json["traffic"] = Json::list(report.traffic.flows, [&](const Flow& flow) -> Json {
    return {adapter_name(model, flow.source), adapter_name(model, flow.destination),
            report.traffic.amount(flow).to_string()};
  });
  return json;
}

std::string worst_json(const Model& model, const WorstReport& report, const Participants& who) {
  Json json = worst_object(model, report);
  json["among"] = among_json(who);
  return document(std::move(json));
}

}  // namespace fatwood
