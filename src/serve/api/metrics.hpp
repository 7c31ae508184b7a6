// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// /metrics: monitoring figures in the text format of Prometheus, with its naming rules: base units,
// a suffix with the unit, _total for counters.

#include <map>
#include <string>

#include "serve/children/facts.hpp"
#include "serve/children/task_pool.hpp"

namespace fatwood::serve {

struct MetricInput {
  const Facts* facts = nullptr;  // nullptr: nothing read yet
  double age_seconds = 0;        // of the last successful reading
  std::uint64_t reads = 0, failed_reads = 0;
  std::uint64_t changes = 0;  // of the what-if
  std::uint64_t worker_starts = 0;
  std::size_t event_clients = 0;
  std::map<std::string, TaskTimes> tasks = {};
};

std::string metrics_text(const MetricInput& input);

}  // namespace fatwood::serve
