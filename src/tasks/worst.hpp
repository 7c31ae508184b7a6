// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The worst traffic for a routing: exactly on whole trees (worst_case.hpp), as bounds elsewhere
// (worst_bounds.hpp), each with the traffic that shows it, loaded again by other code.

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
  std::string why_bounds;           // why it is not exact
  Traffic traffic;                  // the certificate
  Fraction mload, oload;            // of the traffic, counted again; exact trees only
  std::uint64_t bound_squared = 0;  // of single paths on FT(m,n); 0: none
};

// Exact where the fabric is a whole tree of shortest paths, otherwise bounds and why. InputError
// when fewer than two hosts count.
WorstReport find_worst(const Model& model, const PathSource& paths, const std::string& routing,
                       const WorstOptions& options);

}  // namespace fatwood
