// SPDX-License-Identifier: BSD-3-Clause
// One job with several engines.

#include <fmt/format.h>

#include <algorithm>

#include "report/jobs/job_figures.hpp"
#include "report/jobs/job_report.hpp"
#include "topology/labels.hpp"

namespace fatwood {
namespace {

// The first row that was not refused; nullptr when all were.
const JobResult* any_result(const std::vector<EngineJob>& rows) {
  const auto at = std::ranges::find_if(rows, [](const EngineJob& row) { return !!row.result; });
  return at == rows.end() ? nullptr : &*at->result;
}

std::string row_text(const EngineJob& row) {
  if (!row.result) return fmt::format("{:<12} {}\n", row.name, row.refused);
  const JobStudy& study = row.result->study;
  if (!study.unrouted.empty()) {
    return fmt::format("{:<12} {} without a route\n", row.name,
                       counted(study.unrouted.size(), "pair"));
  }
  const RequestedJob& job = row.result->jobs[0];
  const JobOutcome& outcome = study.jobs[0];
  std::string_view deadlock = "-";
  if (row.deadlock_free) deadlock = *row.deadlock_free ? "none" : "POSSIBLE";
  return fmt::format("{:<12} {:>12} {:>11.2f} {:>10.1f}%  {}{}\n", row.name,
                     time_text(outcome.seconds), algbw(job, outcome.seconds) * job.bus_factor,
                     100 * efficiency(outcome), deadlock, row.adaptive ? ", adaptive" : "");
}

Json row_json(const EngineJob& row) {
  Json json{{"name", row.name}};
  if (!row.result) {
    json["refused"] = row.refused;
    return json;
  }
  const JobStudy& study = row.result->study;
  json["adaptive"] = row.adaptive;
  json["deadlock_free"] = row.deadlock_free ? Json(*row.deadlock_free) : Json(nullptr);
  json["unrouted"] = study.unrouted.size();
  if (!study.unrouted.empty()) return json;
  json["seconds"] = study.jobs[0].seconds;
  json["efficiency"] = efficiency(study.jobs[0]);
  put_bandwidth(json, row.result->jobs[0], study.jobs[0].seconds);
  return json;
}

}  // namespace

std::string job_engines_text(const std::vector<EngineJob>& rows) {
  const JobResult* const any = any_result(rows);
  std::string text = any == nullptr ? "" : head_text(*any);
  text += fmt::format("\n{:<12} {:>12} {:>11} {:>11}  {}\n", "engine", "time", "busbw GB/s",
                      "efficiency", "deadlock");
  for (const EngineJob& row : rows) text += row_text(row);
  return text;
}

std::string job_engines_json(const std::vector<EngineJob>& rows) {
  const JobResult* const any = any_result(rows);
  Json json = any == nullptr ? Json::object() : head_json(*any);
  json["engines"] = Json::array();
  for (const EngineJob& row : rows) json["engines"].push_back(row_json(row));
  return document(std::move(json));
}

}  // namespace fatwood
