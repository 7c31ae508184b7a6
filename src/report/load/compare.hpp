// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Every engine on one fabric, side by side: does it keep its promise, how many lanes and hops does
// it take, how evenly are channels used all-to-all, how many shifts conflict, how long does it
// take.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/load/all_to_all.hpp"
#include "report/json.hpp"
#include "routing/engine.hpp"
#include "verify/deadlock/deadlock.hpp"
#include "verify/reach/hops.hpp"
#include "verify/reach/reachability.hpp"
#include "verify/reach/shift.hpp"

namespace fatwood {

struct EngineResult {
  Reachability reachability;
  bool deadlock_free = false;
  std::size_t lanes = 1;
  HopCounts hops;
  AllToAllLoad load;       // host links included
  UseSpread flows;         // of all-to-all, on channels between switches
  UseSpread destinations;  // the same
  ShiftConflicts shift;    // none of adaptive tables: no flow has a channel for sure
  bool adaptive = false;   // whatever its switches choose; flows are split evenly
  // Of RouteOptions::demands: the fullest channel between switches over the fullest of a host.
  std::optional<double> demanded = {};
  double seconds = 0;  // the engine alone
  bool kept = false;   // what its row promises
};

struct EngineRow {
  std::string name;
  bool promises_deadlock_free = false;
  bool source_routes = false;          // no forwarding tables: a path for each pair
  bool for_trees = false;              // made for trees, whether or not it routes others
  std::string refused;                 // why, when the engine can't route this fabric
  std::optional<EngineResult> result;  // otherwise
};

// A row with what it was made of; nothing but the row of an engine that refuses.
struct JudgedEngine {
  EngineRow row;
  std::optional<Routing> routing;
  Deadlock deadlock;
  ChannelUse use;
};
// What an engine throws (PromiseError, InputError) is its row. An aim is told to engines that take
// one.
JudgedEngine judge_engine(const Engine& engine, const Model& model, const RouteOptions& options);
// Tables from elsewhere: they promise every pair and freedom of deadlock.
JudgedEngine judge_tables(const std::string& name, const Model& model, Routing routing,
                          int threads);

// In the order of the list. What an engine throws (PromiseError, InputError) is its row.
std::vector<EngineRow> compare_engines(const Model& model, const RouteOptions& options,
                                       std::span<const Engine> list = engines());

std::string compare_text(const std::vector<EngineRow>& rows);
// {"engines": [{"name", "seconds", "deadlock_free", "promises_deadlock_free", "kept", "refused",
//  "lanes", "unreachable": {by kind}, "apart": {by kind}, "loops", "hops": {"mean", "longest"},
//  "mload", "mload_value" (all_to_all.hpp),
//  "use": {"largest", "mean", "deviation"}, "destinations": {the same}, "shift": {"shifts",
//  "conflicted", "conflicts", "channels", "largest", "mean_largest"}, "demanded"}],
//  "recommendation":
//  {"engine", "reason"}}; of an engine that refuses, "name" and "refused" with the rest null. No
//  engine to recommend: null (recommendation.hpp).
std::string compare_json(const std::vector<EngineRow>& rows);
Json compare_object(const std::vector<EngineRow>& rows);

}  // namespace fatwood
