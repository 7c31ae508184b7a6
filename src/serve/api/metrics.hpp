// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// /metrics: monitoring figures in the text format of Prometheus, with its naming rules: base units,
// a suffix with the unit, _total for counters.

#include <map>
#include <string>

#include "serve/children/task_pool.hpp"
#include "serve/state/live.hpp"

namespace fatwood::serve {

std::string metrics_text(const LiveView& state, std::size_t event_clients,
                         const std::map<std::string, TaskTimes>& tasks);

}  // namespace fatwood::serve
