// SPDX-License-Identifier: BSD-3-Clause
#include "cli/routing_choice.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/route_options.hpp"
#include "cli/tables_choice.hpp"
#include "core/error.hpp"
#include "routing/engine.hpp"

namespace fatwood::cli {

std::string routing_help() {
  std::string text = "a closed form of whole trees (";
  for (const ObliviousKind& kind : oblivious_kinds()) text += fmt::format("{} ", kind.usage);
  text.back() = ')';
  return text + ", an engine, or a file of forwarding tables";
}

bool is_seeded(const std::string& routing) {
  const ObliviousKind* kind = find_oblivious(routing);
  return kind != nullptr && kind->seeded;
}

void refuse_hints(const Model& model, const std::string& closed_form) {
  const ModelHints& hints = model.hints();
  const auto refuse = [&](std::string_view why, std::string_view option) {
    throw InputError(fmt::format("{} {}: leave {} out", closed_form, why, option));
  };
  if (!hints.uncounted.empty()) refuse("does not balance its routes", "--io and --uncounted");
  if (!model.fabric().tree()) return;  // a recognised tree has the levels that the hints make
  constexpr auto kWhy = "takes the levels of the formula that the tree is made from";
  if (!hints.roots.empty()) refuse(kWhy, "--roots");
  if (!hints.compute.empty()) refuse(kWhy, "--compute");
}

namespace {

void refuse_aim(const std::string& routing, const AimChoice& aim) {
  const AimChoice none;
  if (aim.aim == none.aim && aim.effort == none.effort) return;
  throw InputError(fmt::format("{} is for engine even; {} has no use for it",
                               aim.aim == none.aim ? "--effort" : "--for", routing));
}

}  // namespace

ResolvedRouting find_routing(const Model& model, const std::string& routing, const Session& session,
                             Prefer prefer, Several several, const AimChoice& aim) {
  const bool named = is_engine(routing) || find_oblivious(routing) != nullptr;
  if (!named && std::filesystem::exists(routing)) {
    refuse_aim(routing, aim);
    Routing tables = read_tables_file(model.fabric(), routing);
    if (several == Several::kRefused) require_single_ports(tables.sets, routing);
    return {nullptr, std::move(tables), {}};
  }
  if (!is_engine(routing) || !find_engine(routing).aims) refuse_aim(routing, aim);
  RouteOptions options;
  set_aim(model, aim, options);
  options.seed = session.seed;
  options.threads = session.threads;
  options.progress = terminal_progress(routing);
  ResolvedRouting found = resolve_routing(model, routing, options, prefer);
  if (found.closed_form) refuse_hints(model, routing);
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
