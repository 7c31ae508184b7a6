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

// Exact where the fabric is a whole tree of shortest paths with no more than so many hosts,
// else bounds and why. InputError when fewer than two hosts count.
inline constexpr std::size_t kAnySize = ~std::size_t{0};
WorstReport find_worst(const Model& model, const PathSource& paths, const std::string& routing,
                       const WorstOptions& options, std::size_t most_hosts = kAnySize);

}  // namespace fatwood
