#pragma once
// What `fatwood route` prints: a short table, or the same as one JSON object.
//
// {"engine", "lmc", "terminals", "switches", "targets", "routes", "missing", "lanes",
//  "lane_routes": [...], "hops": {"mean", "longest"}, "seconds", "files": [...]}

#include <string>
#include <vector>

#include "verify/hops.hpp"
#include "verify/reachability.hpp"

namespace fatwood {

struct RouteReport {
  std::string engine;
  unsigned lmc = 0;
  std::size_t terminals = 0;
  std::size_t switches = 0;
  std::size_t targets = 0;
  unsigned lanes = 1;
  Reachability reachability;               // the same judgement as verify's
  HopHistogram hops;                       // between terminals
  std::vector<std::uint64_t> lane_routes;  // routes of a switch to a target, by lane
  double seconds = 0;                      // of the engine alone
  std::vector<std::string> files;          // written
};

// Routes of a switch to a target, by lane.
std::vector<std::uint64_t> count_lane_routes(const Routing& routing);

std::string route_text(const RouteReport& report);
std::string route_json(const RouteReport& report);

}  // namespace fatwood
