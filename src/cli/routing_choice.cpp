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

ChosenRouting find_routing(const Model& model, const std::string& routing, const Session& session,
                           Prefer prefer) {
  const bool tables_do = prefer == Prefer::kTables && is_engine(routing);
  if (find_oblivious(routing) != nullptr && !tables_do) {
    if (const std::optional<WholeTree>& tree = model.whole_tree()) {
      MadeOblivious made = make_oblivious(routing, tree->shape, session.seed);
      print_note(made.note);
      return {std::move(made.routing), *tree, {}};
    }
    if (!is_engine(routing)) {
      throw InputError(fmt::format(
          "{} is a closed form of whole trees: this fabric is none (fatwood show tells why)",
          routing));
    }
  }
  if (is_engine(routing)) {
    RouteOptions options;
    options.seed = session.seed;
    options.threads = session.threads;
    options.progress = terminal_progress(routing);
    return {nullptr, {}, route(find_engine(routing), model, options)};
  }
  if (std::filesystem::exists(routing))
    return {nullptr, {}, read_tables_file(model.fabric(), routing)};
  std::string known;
  for (const ObliviousKind& kind : oblivious_kinds()) known += fmt::format(" {}", kind.usage);
  for (const Engine& engine : engines()) known += fmt::format(" {}", engine.name);
  throw InputError(
      fmt::format("\"{}\" is no file of tables and no routing; there are:{}", routing, known));
}

std::unique_ptr<PathSource> choose_routing(const Model& model, const std::string& routing,
                                           const Session& session) {
  ChosenRouting chosen = find_routing(model, routing, session, Prefer::kClosedForm);
  if (chosen.closed_form) {
    return path_source(model, std::move(chosen.closed_form));
  }
  return path_source(model, std::move(chosen.routing));
}

}  // namespace fatwood::cli
