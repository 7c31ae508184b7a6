// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric with its routes, as the worker holds them in memory, and the files that are made from
// them.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/open_fabric.hpp"
#include "routing/tables/lids.hpp"
#include "routing/tables/routing.hpp"
#include "serve/children/facts.hpp"
#include "tasks/change/lose.hpp"
#include "tasks/change/repair_tables.hpp"
#include "topology/model.hpp"

namespace fatwood::serve {

struct Routed {
  std::shared_ptr<const Model> model;
  Routing routing;
  Lids lids;
  Facts facts;
  OpenFabric fabric = {};  // as it was read: format, warnings, run with its counters
  bool by_engine = true;   // or tables that were read
  std::chrono::steady_clock::time_point read_at = std::chrono::steady_clock::now();
  // The starting point of every what-if; empty for adaptive tables.
  std::optional<Participants> who = {};
  std::optional<LossFigures> before = {};
  std::vector<std::uint8_t> settled = {};  // rows that need no repair (settled_rows)
  std::optional<KnownTables> known = {};
  std::optional<TableFlows> flows = {};
};

// Words as on the command line; "": the tables of the run, or the default engine. Calls
// `files_read` when no file is left to read.
Routed read_routed(const std::string& fabric, const std::string& routing,
                   const std::function<void()>& files_read);
// Routes the same fabric again. If this fails, the routes stay as they were.
void route_again(Routed& routed, const std::string& routing,
                 const std::function<void()>& files_read = {});

// The page of `fatwood report` with these routes, called `name`, without the slowest parts: counts
// of shifts, worst traffic, losses of each cable. `command`: a command that makes a similar page.
enum class PageForm : std::uint8_t { kFile, kData };
std::string page_of(const Routed& routed, const std::string& name, const std::string& command,
                    PageForm form);
// The certificate. PromiseError if the routes can deadlock.
// The data of the map alone (map_json).
std::string map_of(const Routed& routed, const std::string& name);
std::string proof_of(const Routed& routed);

}  // namespace fatwood::serve
