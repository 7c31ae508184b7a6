// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric with its routes as the worker keeps them, and the files that are made of it.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "routing/tables/lids.hpp"
#include "routing/tables/routing.hpp"
#include "serve/children/facts.hpp"
#include "tasks/change/lose.hpp"
#include "topology/model.hpp"
#include "topology/run_data.hpp"

namespace fatwood::serve {

// Where the user names no routing.
inline constexpr const char* kDefaultEngine = "even";

struct Routed {
  std::unique_ptr<Model> model;
  Routing routing;
  Lids lids;
  Facts facts;
  RunData run;                             // with counters, perhaps
  std::vector<std::string> warnings = {};  // of the fabric's reader
  std::chrono::steady_clock::time_point read_at = std::chrono::steady_clock::now();
  // What every what-if begins with; empty for adaptive tables.
  std::optional<Participants> who = {};
  std::optional<LossFigures> before = {};
  std::vector<std::uint8_t> settled = {};  // rows that need no repair (settled_rows)
  std::optional<KnownTables> known = {};
  std::optional<TableFlows> flows = {};
};

// Words as on the command line; "": the default routing.
Routed read_routed(const std::string& fabric, const std::string& routing);
// Other routes of the same fabric. What fails leaves it as it was.
void route_again(Routed& routed, const std::string& routing);

// The page of `fatwood report` with these routes, called `name`; without what takes longest there:
// counts of shifts, worst traffic, losses of each cable. `command` makes the like of it.
std::string page_of(const Routed& routed, const std::string& name, const std::string& command);
// The certificate. PromiseError where the routes can deadlock.
std::string proof_of(const Routed& routed);

}  // namespace fatwood::serve
