// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/routing.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "cli/options/add_options.hpp"
#include "core/error.hpp"
#include "routing/algebraic/algebraic.hpp"

namespace fatwood::cli {

Option* add_routing(Verb& verb, std::string& routing) {
  return verb.add_option(std::string(kRoutingNames), routing, std::string(kRoutingHelp));
}

void add_engine_options(Verb& verb, EngineChoice& engine) {
  const Heading under(verb, heading::kEngines);
  AddOptions options(verb);
  describe(options, engine);
}

void add_aim(Verb& verb, AimChoice& aim) {
  const Heading under(verb, heading::kEngines);
  AddOptions options(verb);
  describe(options, aim);
}

void add_tables(Verb& verb, RoutingRequest& routing) {
  add_routing(verb, routing.name);
  add_engine_options(verb, routing.engine);
}

void add_lane_files(Verb& verb, LaneFiles& lanes, Sl2vlAlone alone) {
  auto* sl = verb.add_option("--sl", lanes.sl,
                             "with a file: the service level of each path, as ibdmchk -c reads it");
  const bool needs_sl = alone == Sl2vlAlone::kRefused;
  Option* const sl2vl = verb.add_option(
      "--sl2vl", lanes.sl2vl,
      needs_sl ? "with --sl: OpenSM's dump of the lane of each level (default: lane i for level i)"
               : "OpenSM's dump of the lane of each level; without --sl: are the tables safe for "
                 "all levels? (default: lane i for level i)");
  if (needs_sl) sl2vl->needs(sl);
  verb.add_flag("--whole-sl", lanes.whole, "with --sl: a file that leaves paths out is an error")
      ->needs(sl);
}

OpenRouting open(const OpenFabric& fabric, RoutingRequest request, const Session& session,
                 const RoutingUse& use) {
  request.seed = session.seed;
  request.threads = session.threads;
  request.progress = terminal_progress(request.name);
  OpenRouting routing = open_routing(fabric, request, use);
  print_note(routing.note);
  print_warnings(routing.warnings);
  return routing;
}

OpenRouting open_file(const OpenFabric& fabric, const std::string& path, const Session& session,
                      const char* argument, const LaneFiles& lanes) {
  return open(fabric, {.name = path, .lanes = lanes}, session,
              {.wanted = Wanted::kFile,
               .entries = Entries::kOnePort,
               .run_lanes = RunLanes::kIgnored,
               .argument = argument});
}

std::unique_ptr<PathSource> open_paths(const OpenFabric& fabric, const RoutingRequest& request,
                                       const Session& session, Entries entries) {
  return paths_of(
      *fabric.model,
      open(fabric, request, session,
           {.wanted = Wanted::kPaths, .entries = entries, .run_lanes = RunLanes::kIgnored}));
}

RouteOptions options_of_engine(const OpenFabric& fabric, RoutingRequest request,
                               const Session& session) {
  request.seed = session.seed;
  request.threads = session.threads;
  EngineOptions options = engine_options(fabric, request);
  print_warnings(options.warnings);
  return std::move(options.route);
}

bool is_seeded(const std::string& routing) {
  const AlgebraicKind* kind = find_algebraic(routing);
  return kind != nullptr && kind->seeded;
}

void warn_of_lanes(const Routing& routing, const std::string& lane_file) {
  if (routing.lanes.count < 2 || !lane_file.empty()) return;
  const std::array warning = {
      fmt::format("the tables alone can deadlock: {} needs {} lanes, and --sl FILE writes them",
                  routing.engine, routing.lanes.count)};
  print_warnings(warning);
}

void require_own_lanes(const Routing& routing, const LaneFiles& lanes) {
  if (routing.sl2vl.empty()) return;
  throw InputError({.file = lanes.sl2vl},
                   "levels take different lanes on different ports: only verify takes that");
}

std::string table_engine_names() {
  std::string names;
  for (const Engine& engine : engines()) {
    if (engine.pairs == Pairs::kPerPair) continue;
    if (!names.empty()) names += ", ";
    names += engine.name;
  }
  return names;
}

}  // namespace fatwood::cli
