#pragma once
// What `fatwood route` prints: a short table, or the same as one JSON object.
//
// {"engine", "lmc", "terminals", "switches", "targets", "routes", "missing", "lanes",
//  "lane_routes": [...], "hops": {"mean", "longest"}, "seconds", "files": [...]}

#include <string>
#include <vector>

#include "routing/statistics.hpp"

namespace fatwood {

struct RouteReport {
  std::string engine;
  unsigned lmc = 0;
  std::size_t terminals = 0;
  std::size_t switches = 0;
  std::size_t targets = 0;
  unsigned lanes = 1;
  RouteStatistics statistics;
  double seconds = 0;              // of the engine alone
  std::vector<std::string> files;  // written
};

std::string route_text(const RouteReport& report);
std::string route_json(const RouteReport& report);

}  // namespace fatwood
