// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Opens ROUTING for any front end: an engine ("ftree"), an algebraic routing of complete trees
// ("disjoint:8"), a file or folder of forwarding tables, "live", or, if nothing is named, the
// tables of the run that the fabric was read from.
//
// Decided here, for all front ends:
// - what a word means: the name of an engine or algebraic routing, otherwise a file
// - which service levels go with tables of a run: those that the run has
// - which groups of adaptive tables count: those of switches that use them, by the run's settings
// - how many addresses a port has: as many as the fabric says, unless requested
// - which requests make no sense: options of engines with a file, service levels with an engine

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/aim.hpp"
#include "app/open_fabric.hpp"
#include "core/progress.hpp"
#include "io/tables/routing_files.hpp"
#include "tasks/route.hpp"

namespace fatwood {

// Parameters of engines.
struct EngineChoice {
  std::optional<std::uint64_t> lmc = {};  // default: that of the fabric's ports
  unsigned max_lanes = 8;
  NodeChoice order = {};
  std::string manager = {};
  std::string choice = "free";
  std::optional<std::uint64_t> groups = {};
  AimChoice aim = {};
};
template <class Visitor>
void describe(Visitor& visit, EngineChoice& engine) {
  visit(engine.lmc, {.name = "lmc",
                     .help = "give each terminal 2^LMC addresses on different paths (default: as "
                             "many as its port has in FABRIC)",
                     .least = 0,
                     .most = 7});
  visit(engine.max_lanes,
        {.name = "lanes", .help = "virtual lanes an engine may use", .least = 1, .most = 15});
  visit(engine.order,
        {.name = "order", .help = "file: destinations in the order in which they are routed"});
  visit(engine.manager, {.name = "manager",
                         .help = "the subnet manager's host or leaf switch: engines do not root "
                                 "their sub-tree there"});
  visit(engine.choice, {.name = "choice",
                        .help = "adaptive engines: how a switch chooses from a group: free (by "
                                "packet), bounded (by burst) or hashed (by flow)",
                        .words = {"free", "bounded", "hashed"}});
  visit(engine.groups, {.name = "groups",
                        .help = "adaptive engines: how many groups of ports a switch can hold",
                        .least = 0,
                        .most = 65534});
  describe(visit, engine.aim);
}

struct RoutingRequest {
  std::string name = {};  // "": the tables of the run, if the fabric has some
  LaneFiles lanes = {};
  EngineChoice engine = {};
  std::uint64_t seed = 1;
  int threads = 0;
  Progress progress = {};
  std::function<void()> files_read = {};  // called when no file is left to read
};

// What the routes are for.
enum class Wanted : std::uint8_t {
  kPaths,   // between hosts: an algebraic routing stays a formula
  kTables,  // also to switches
  kFile,    // tables that somebody has written: no engine
};
enum class Entries : std::uint8_t { kOnePort, kAny };      // adaptive tables: refused, or taken
enum class Unnamed : std::uint8_t { kRefused, kDefault };  // no name and no run: default_engine()
// Service levels that a run has for its tables.
enum class RunLanes : std::uint8_t {
  kIgnored,
  kOnePerLevel,  // ignored, with a note, if a level takes different lanes on different ports
  kAll,
};
struct RoutingUse {
  Wanted wanted = Wanted::kTables;
  Entries entries = Entries::kAny;
  Unnamed unnamed = Unnamed::kRefused;
  RunLanes run_lanes = RunLanes::kAll;
  const char* argument = "ROUTING";  // its name in messages
};

struct OpenRouting : ResolvedRouting {
  std::string name = {};     // what was opened
  bool by_engine = false;    // or by an algebraic routing; otherwise tables that were read
  bool lanes_known = false;  // by the engine, or by files of service levels
  LaneFiles lanes = {};      // the files used
  Lids lids = {};
  LidContradictions contradictions = {};  // of tables that were read
  Prefixes prefixes = {};                 // of Ethernet
  std::vector<std::string> warnings = {};
  double seconds = 0;  // of the engine
};

// InputError if there is no such routing, if it cannot be read, and for requests that make no
// sense. Exceptions of the engine pass through.
OpenRouting open_routing(const OpenFabric& fabric, const RoutingRequest& request,
                         const RoutingUse& use = {});

// Whether open_routing() would open something without a name.
bool has_tables(const OpenFabric& fabric);
// Whether the word names an engine or an algebraic routing; otherwise it is a file.
bool names_engine(const std::string& word);

struct EngineOptions {
  RouteOptions route;
  std::vector<std::string> warnings;
};
// InputError with file and line if a list names something that the fabric lacks.
EngineOptions engine_options(const OpenFabric& fabric, const RoutingRequest& request);
// "free", "bounded" or "hashed".
EntryState state_named(const std::string& choice);

}  // namespace fatwood
