// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The health of a fabric and its routing: is it safe, what do hosts get, what limits them?
//
// Safety is the verdict of verify(). Speed is what pairs of compute hosts get (measured.hpp), with
// the cuts behind the slowest links. Findings about
// the cabling are those of Model::recognition(); reports sort them by severity.

#include <optional>
#include <string>
#include <vector>

#include "routing/engine.hpp"
#include "tasks/measured.hpp"
#include "verify/verify.hpp"

namespace fatwood {

enum class Health : std::uint8_t { kOk, kWarn, kBad };
std::string_view to_string(Health health);  // "ok", "warn", "bad"

struct CheckOptions {
  int threads = 0;                                            // 0: all cores
  const Table<Switch, AdaptiveSettings>* settings = nullptr;  // of the run, if it has any
};

struct CheckResult {
  std::string routing;  // engine or file
  Verdict verdict;
  std::optional<PairFigures> speed;  // none of adaptive tables
  std::string engine;                // that is safe and fast on this fabric: default_engine()

  bool safe() const { return verdict.holds(); }
  // Every pair that cables connect has a route, without deadlock.
  bool safe_where_connected() const;
  // kBad: the slowest pair gets less than half of what the cables allow; kWarn: less than 0.9, or
  // less than half of a port where what the cables allow is not known.
  Health speed_health() const;
};

CheckResult check(const Model& model, const Routing& routing, const CheckOptions& options = {});

}  // namespace fatwood
