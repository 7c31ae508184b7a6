// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric with its routes, as the worker holds them in memory, and the files that are made from
// them.

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

// Used if the user names no routing.
inline constexpr const char* kDefaultEngine = "even";

struct Routed {
  std::unique_ptr<Model> model;
  Routing routing;
  Lids lids;
  Facts facts;
  RunData run;                             // with counters, if any
  std::vector<std::string> warnings = {};  // of the fabric's reader
  std::chrono::steady_clock::time_point read_at = std::chrono::steady_clock::now();
  // The starting point of every what-if; empty for adaptive tables.
  std::optional<Participants> who = {};
  std::optional<LossFigures> before = {};
  std::vector<std::uint8_t> settled = {};  // rows that need no repair (settled_rows)
  std::optional<KnownTables> known = {};
  std::optional<TableFlows> flows = {};
};

// Words as on the command line; "": the default routing.
Routed read_routed(const std::string& fabric, const std::string& routing);
// Routes the same fabric again. If this fails, the routes stay as they were.
void route_again(Routed& routed, const std::string& routing);

// The page of `fatwood report` with these routes, called `name`, without the slowest parts: counts
// of shifts, worst traffic, losses of each cable. `command`: a command that makes a similar page.
std::string page_of(const Routed& routed, const std::string& name, const std::string& command);
// The certificate. PromiseError if the routes can deadlock.
std::string proof_of(const Routed& routed);

}  // namespace fatwood::serve
