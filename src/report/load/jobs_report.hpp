// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Job efficiency (analysis/jobs/job_efficiency.hpp) as text and JSON: "jobs" of compare, check,
// load and others. man fatwood-compare explains the keys.

#include <optional>
#include <string>

#include "analysis/jobs/job_efficiency.hpp"
#include "report/json.hpp"

namespace fatwood {

// null if there are no figures.
Json jobs_json(const Model& model, const std::optional<JobEfficiency>& jobs);

// "64 neighbouring hosts get 78% on average, 61% at worst; the cables allow 99%": the cell that
// keeps the least of what its cables allow.
std::string jobs_sentence(const JobEfficiency& jobs);
// "jobs 78.1% on average, 61.0% at worst, of hosts in natural order of names", and a row per cell.
std::string jobs_text(const Model& model, const JobEfficiency& jobs);

// "natural order of names", or "the order of FILE".
std::string order_text(const JobEfficiency& jobs);

// "S1_3[5] -> S2_7", "a route is missing" or "the hosts' own cables".
std::string limit_of(const Model& model, const JobFigures& job);

}  // namespace fatwood
