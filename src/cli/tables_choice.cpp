#include "cli/tables_choice.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/error.hpp"
#include "io/lane_file.hpp"
#include "io/load_tables.hpp"
#include "io/sl2vl_file.hpp"
#include "routing/engine.hpp"

namespace fatwood::cli {

namespace {

Routing run_engine(const Fabric& fabric, const std::string& name, const TablesChoice& choice,
                   const Session& session) {
  RouteOptions options = route_options(fabric, choice.route, session);
  options.progress = terminal_progress(name);
  return route(find_engine(name), fabric, options);
}

}  // namespace

Routing read_tables_file(const Fabric& fabric, const std::string& path, const LaneFiles& lanes) {
  LoadedTables loaded = load_tables(path, fabric);
  print_warnings(loaded.warnings);
  Routing routing;
  routing.engine = path;
  routing.tables = std::move(loaded.tables);
  if (lanes.sl.empty()) return routing;
  routing.lanes = load_lanes(lanes.sl, fabric, routing.tables, loaded.lids);
  if (!lanes.sl2vl.empty()) {
    routing.lanes = take_lanes(load_sl2vl(lanes.sl2vl, fabric), std::move(routing.lanes));
  }
  return routing;
}

void add_tables(CLI::App& verb, TablesChoice& choice) {
  verb.add_option("TABLES", choice.tables,
                  "a file of forwarding tables, or an engine: " + engine_names());
  auto* sl = verb.add_option("--sl", choice.lanes.sl,
                             "with a file: the service level of each path, as ibdmchk -c reads it");
  verb.add_option("--sl2vl", choice.lanes.sl2vl,
                  "with --sl: OpenSM's dump of the lane of each level (default: the same number)")
      ->needs(sl);
  add_route_options(verb, choice.route);
}

Routing load_routing(const Fabric& fabric, const TablesChoice& choice, const Session& session) {
  if (choice.tables.empty() == choice.engine.empty()) {
    throw InputError("give either TABLES (a file or an engine's name) or --engine ENGINE");
  }
  const bool by_engine =
      !choice.engine.empty() ||
      (choice.tables != "-" && !std::filesystem::exists(choice.tables) && is_engine(choice.tables));
  if (!by_engine) return read_tables_file(fabric, choice.tables, choice.lanes);
  if (!choice.lanes.sl.empty()) {
    throw InputError("--sl goes with a file of tables; an engine gives its own lanes");
  }
  return run_engine(fabric, choice.engine.empty() ? choice.tables : choice.engine, choice, session);
}

}  // namespace fatwood::cli
