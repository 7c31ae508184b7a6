// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by the reports of jobs.

#include <string>

#include "report/json.hpp"
#include "tasks/jobs/job.hpp"

namespace fatwood {

inline constexpr double kGiga = 1e9;

inline double algbw(const RequestedJob& job, double seconds) {
  return seconds > 0 ? job.message_bytes / seconds / kGiga : 0;
}

inline double efficiency(const JobOutcome& outcome) {
  return outcome.seconds > 0 ? outcome.own_seconds / outcome.seconds : 1;
}

// The request: the lines "job" and "note", and their keys.
std::string head_text(const JobResult& result);
Json head_json(const JobResult& result);

// "algbw" and "busbw"; null for traces.
void put_bandwidth(Json& json, const RequestedJob& job, double seconds);

// The command that makes tables for the job.
std::string own_tables_text(const Model& model, const JobResult& result);

// Better orders and placements; "" if there was no search.
std::string improved_text(const Model& model, const JobResult& result);
Json improved_json(const Model& model, const JobResult& result);
std::string candidates_table(const Model& model, const JobResult& result);
Json candidates_json(const Model& model, const JobResult& result);

}  // namespace fatwood
