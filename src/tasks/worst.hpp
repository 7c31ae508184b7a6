// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds the worst traffic for a routing: exactly on complete trees (worst_case.hpp), otherwise as
// bounds (worst_bounds.hpp). The loads of the traffic found are computed again by other code, as a
// check.

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/worst/worst_bounds.hpp"
#include "analysis/worst/worst_case.hpp"

namespace fatwood {

struct WorstReport {
  std::string routing;
  TrafficClass traffic_class = TrafficClass::kAny;
  std::optional<WorstCase> exact;
  std::optional<WorstBounds> bounds;
  std::string why_bounds;           // why the result is not exact
  Traffic traffic;                  // the certificate
  Fraction mload, oload;            // of the traffic, computed again; only if exact
  std::uint64_t bound_squared = 0;  // of single-path routings on FT(m,n); 0: none
};

// Exact if the fabric is a complete tree and paths are shortest, otherwise bounds with the reason.
// InputError if fewer than two hosts count.
WorstReport find_worst(const Model& model, const PathSource& paths, const std::string& routing,
                       const WorstOptions& options);

}  // namespace fatwood
