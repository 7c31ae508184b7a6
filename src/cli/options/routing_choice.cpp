// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/routing_choice.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/options/route_options.hpp"
#include "cli/options/tables_choice.hpp"
#include "core/error.hpp"
#include "io/fabric/live.hpp"
#include "routing/engine.hpp"

namespace fatwood::cli {

Option* add_routing(Verb& verb, std::string& routing) {
  return verb.add_option(std::string(kRoutingNames), routing, std::string(kRoutingHelp));
}

bool is_seeded(const std::string& routing) {
  const AlgebraicKind* kind = find_algebraic(routing);
  return kind != nullptr && kind->seeded;
}

MadeRoutes make_routes(const Model& model, const std::string& routing, const RouteChoice& choice,
                       const Session& session) {
  RouteOptions options = route_options(model, choice, session);
  options.progress = terminal_progress(routing);
  if (find_algebraic(routing) != nullptr && !is_engine(routing)) {
    refuse_engine_options(choice, routing);
  }
  MadeRoutes made = route_by_name(model, routing, options);
  print_note(made.note);
  return made;
}

ResolvedRouting find_routing(const Model& model, const std::string& routing, const Session& session,
                             Prefer prefer, Several several, const AimChoice& aim) {
  const bool named = is_engine(routing) || find_algebraic(routing) != nullptr;
  if (!named && (is_live(routing) || std::filesystem::exists(routing))) {
    if (asks_for_aim(aim)) throw InputError("--for needs an engine, and " + routing + " is a file");
    Routing tables = read_tables_file(model.fabric(), routing).routing;
    if (several == Several::kRefused) require_single_ports(tables.sets, routing);
    return {nullptr, std::move(tables), {}};
  }
  RouteOptions options;
  set_aim(model, aim, options);
  options.seed = session.seed;
  options.threads = session.threads;
  options.progress = terminal_progress(routing);
  ResolvedRouting found = resolve_routing(model, routing, options, prefer);
  if (found.algebraic && asks_for_aim(aim)) {
    throw InputError(routing + " does not support --for");
  }
  if (several == Several::kRefused) require_single_ports(found.routing.sets, routing);
  print_note(found.note);
  return found;
}

std::unique_ptr<PathSource> choose_routing(const Model& model, const std::string& routing,
                                           const Session& session, Several several,
                                           const AimChoice& aim) {
  return paths_of(model, find_routing(model, routing, session, Prefer::kClosedForm, several, aim));
}

}  // namespace fatwood::cli
