// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What `fatwood route` prints: a short table, or the same as one JSON object.
//
// {"engine", "lmc", "terminals", "switches", "targets", "routes", "missing", "lanes",
//  "lane_routes": [...], "hops": {"mean", "longest"}, "seconds", "files": [...],
//  "lids": "own" | "new" | null, "warnings": [...]}
//
// "lids" says whether the files have the fabric's own LIDs or new ones; null without files.

#include <optional>
#include <string>
#include <vector>

#include "routing/tables/lids.hpp"
#include "topology/labels.hpp"
#include "verify/reach/hops.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {

// What was written, and what is to be said of it.
struct RouteFiles {
  std::vector<std::string> names;
  std::optional<bool> own_lids;  // whether they have the fabric's LIDs
  std::vector<std::string> warnings;
};

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
  RouteFiles files;
};

// What is to be said of addresses in files for a fabric: LIDs that can't be kept, GUIDs that
// several ports have.
std::vector<std::string> address_warnings(const Fabric& fabric, const Labels& labels,
                                          const Lids& lids);

std::string route_text(const RouteReport& report);
std::string route_json(const RouteReport& report);

}  // namespace fatwood
