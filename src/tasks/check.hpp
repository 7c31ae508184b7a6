// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The health of a fabric and its routing: is it safe, what do hosts get, what limits them?
//
// Safety is the verdict of verify(). Speed is what pairs of compute hosts get (measured.hpp), with
// the cuts of the slowest links, and what jobs on a part of them get (job_efficiency.hpp). Findings
// about the cabling are those of Model::recognition(); reports sort them by severity.

#include <optional>
#include <string>

#include "routing/engine.hpp"
#include "tasks/measured.hpp"
#include "tasks/quick_engine.hpp"
#include "verify/verify.hpp"

namespace fatwood {

enum class Health : std::uint8_t { kOk, kWarn, kBad };
std::string_view to_string(Health health);  // "ok", "warn", "bad"

struct CheckOptions {
  int threads = 0;                                            // 0: all cores
  const Table<Switch, AdaptiveSettings>* settings = nullptr;  // of the run, if it has any
  GivenOrder order = {};                                      // of hosts, for jobs
};

struct CheckResult {
  std::string routing;  // engine or file
  Verdict verdict;
  std::optional<PairFigures> speed;   // no value with fewer than two adapters
  std::optional<JobEfficiency> jobs;  // of the same participants
  QuickEngine quick;   // if no tables were given: the engine that was used instead of them
  std::string engine;  // a safe and fast one for this fabric: default_engine()
  // Pairs of hosts without a route although cables connect them: lost_between_hosts().
  std::optional<std::uint64_t> hosts_lost = 0;
  unsigned lmc = 0;       // of the tables
  bool adaptive = false;  // the tables are
  bool can_lose = false;  // whatif takes this fabric and routing
  bool ethernet = false;

  bool safe() const { return verdict.holds(); }
  // Every pair that cables connect has a route, without deadlock.
  bool safe_where_connected() const;
  // kBad: the slowest pair gets less than half of what the cables allow. kWarn: less than 0.9, or,
  // if the limit of the cables is unknown, less than half of a port.
  Health speed_health() const;
};

CheckResult check(const Model& model, const Routing& routing, const CheckOptions& options = {});

}  // namespace fatwood
