#pragma once
// What `fatwood worst` prints: the exact worst case of a whole tree, or bounds elsewhere.
//
// {"ratio", "channel", "level", "direction", "traffic": [[source, destination, "amount"], ...],
//  "mload", "oload", "single_path_bound", "flows_solved"}; with bounds "ratio" is null and there
// are "ratio_at_most", "ratio_at_least"; for permutations "load" instead of "ratio".

#include <optional>
#include <string>

#include "analysis/worst_bounds.hpp"
#include "analysis/worst_case.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct WorstReport {
  std::string routing;
  TrafficClass traffic_class = TrafficClass::kAny;
  std::optional<WorstCase> exact;
  std::optional<WorstBounds> bounds;
  std::string why_bounds;           // why it is not exact
  Traffic traffic;                  // the certificate
  Fraction mload, oload;            // of the traffic, counted anew; exact trees only
  std::uint64_t bound_squared = 0;  // of single paths on FT(m,n); 0: none
};

// Exact where the fabric is a whole tree of shortest paths with no more than so many terminals,
// else bounds and why.
inline constexpr std::size_t kAnySize = ~std::size_t{0};
WorstReport find_worst(const Model& model, const PathSource& paths, const std::string& routing,
                       const WorstOptions& options, std::size_t most_terminals = kAnySize);

std::string worst_text(const Fabric& fabric, const WorstReport& report);
std::string worst_json(const Fabric& fabric, const WorstReport& report);

}  // namespace fatwood
