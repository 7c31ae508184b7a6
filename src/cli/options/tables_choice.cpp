// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/tables_choice.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "cli/options/routing_choice.hpp"
#include "cli/shell_words.hpp"
#include "core/error.hpp"
#include "io/fabric/live.hpp"
#include "io/ibdiagnet/run_files.hpp"
#include "routing/adaptive/changed_sets.hpp"
#include "routing/algebraic/algebraic.hpp"

namespace fatwood::cli {

void require_own_lanes(const Routing& routing, const LaneFiles& lanes) {
  if (routing.sl2vl.empty()) return;
  throw InputError({.file = lanes.sl2vl},
                   "levels take different lanes on different ports: only verify takes that");
}

void require_single_ports(const PortSets& sets, const std::string& source) {
  if (sets.empty()) return;
  throw InputError(
      {.file = source},
      "its switches choose among several ports (adaptive tables), and this verb follows "
      "one: verify, load, sim and report take such tables");
}

void drop_groups_not_used(const Fabric& fabric, const RunData& run, Routing& routing) {
  if (routing.sets.empty() || run.adaptive.empty()) return;
  Table<Switch, std::uint8_t> marked(run.adaptive.size(), 1);
  std::size_t off = 0;
  for (const Switch s : ids<Switch>(run.adaptive.size())) {
    const AdaptiveSettings& set = run.adaptive[s];
    constexpr std::uint16_t kTransports = 15;
    const bool chooses = set.enabled && (!set.by_level || set.levels != 0) &&
                         (set.transports_off & kTransports) != kTransports;
    const bool hashes = set.hashing_supported && (!set.hashed_by_level || set.hashed_levels != 0);
    if (!set.known || chooses || hashes) continue;
    marked[s] = 0;
    ++off;
  }
  if (off == 0) return;
  routing.sets = sets_only_at(fabric, routing, marked);
  const std::array warning = {
      fmt::format("adaptive routing is off on {} switches: their groups are left out", off)};
  print_warnings(warning);
}

LoadedRouting read_tables_file(const Fabric& fabric, const std::string& path,
                               const LaneFiles& lanes, int threads) {
  LoadedRouting loaded = load_routing_files(path, fabric, lanes, threads);
  print_warnings(loaded.warnings);
  return loaded;
}

void refuse_engine(const FabricArgument& fabric, std::string_view argument,
                   const std::string& word) {
  const bool named = is_engine(word) || find_algebraic(word) != nullptr;
  if (!named || std::filesystem::exists(word)) return;
  throw InputError(fmt::format(
      "{} must be a file of tables; {} is an engine: write its tables with fatwood route {} {} -o "
      "{}.lft",
      argument, word, shell_word(fabric.name), word, word));
}

LoadedRouting read_single_ports(const Fabric& fabric, const std::string& path,
                                const LaneFiles& lanes) {
  LoadedRouting loaded = read_tables_file(fabric, path, lanes);
  require_single_ports(loaded.routing.sets, path);
  return loaded;
}

void add_tables(Verb& verb, TablesChoice& choice) {
  verb.add_option(std::string(kRoutingNames), choice.tables, std::string(kRoutingHelp));
  add_route_options(verb, choice.route);
}

void add_lane_files(Verb& verb, LaneFiles& lanes) {
  auto* sl = verb.add_option("--sl", lanes.sl,
                             "with a file: the service level of each path, as ibdmchk -c reads it");
  verb.add_option(
          "--sl2vl", lanes.sl2vl,
          "with --sl: OpenSM's dump of the lane of each level (default: lane i for level i)")
      ->needs(sl);
  verb.add_flag("--whole-sl", lanes.whole, "with --sl: a file that leaves paths out is an error")
      ->needs(sl);
}

TablesChoice or_tables_of_run(TablesChoice choice, const std::string& fabric) {
  if (choice.tables.empty() && RunFiles::is_run(fabric)) {
    choice.tables = fabric;
  }
  return choice;
}

bool run_has_tables(const std::string& fabric) {
  if (!RunFiles::is_run(fabric)) return false;
  const RunFiles files(fabric);
  return files.has(RunFile::kAdaptiveTables) || files.has(RunFile::kLfts);
}

TablesChoice tables_in_use(TablesChoice choice, const std::string& fabric) {
  return run_has_tables(fabric) ? or_tables_of_run(std::move(choice), fabric) : choice;
}

TablesChoice with_lanes_of_run(TablesChoice choice) {
  if (choice.tables.empty() || !choice.lanes.sl.empty()) return choice;
  if (!RunFiles::is_run(choice.tables)) return choice;
  const RunFiles files(choice.tables);
  const bool levels = files.has(RunFile::kPathLevels);
  const bool lanes = files.has(RunFile::kSl2vl);
  if (levels) {
    choice.lanes.sl = choice.tables;
    if (lanes) choice.lanes.sl2vl = choice.tables;
    print_note(fmt::format("{}: service levels of paths from {}{}", choice.tables,
                           files.name(RunFile::kPathLevels),
                           lanes ? ", lanes of levels from " + files.name(RunFile::kSl2vl)
                                 : std::string(", level i in lane i")));
  } else if (lanes) {
    print_note(
        fmt::format("{}: {} is not used: no file of the run says which path has which service "
                    "level, and all are taken to share one lane",
                    choice.tables, files.name(RunFile::kSl2vl)));
  }
  return choice;
}

bool is_by_engine(const TablesChoice& choice) {
  if (choice.tables == "-" || is_live(choice.tables)) return false;
  if (is_engine(choice.tables) || find_algebraic(choice.tables) != nullptr) return true;
  const bool like_path = choice.tables.find_first_of("./") != std::string::npos;
  return !like_path && !std::filesystem::exists(choice.tables);
}

LoadedRouting load_tables_or_route(const Model& model, const TablesChoice& choice,
                                   const Session& session) {
  if (choice.tables.empty()) {
    throw InputError("give ROUTING: an engine such as even, or a file of tables");
  }
  if (!is_by_engine(choice)) {
    refuse_engine_options(choice.route, choice.tables);
    return read_tables_file(model.fabric(), choice.tables, choice.lanes, session.threads);
  }
  if (!choice.lanes.sl.empty()) {
    throw InputError(
        fmt::format("--sl needs a file of tables; {} has its own lanes", choice.tables));
  }
  return {make_routes(model, choice.tables, choice.route, session).routing, {}, {}, {}};
}

Routing load_routing(const Model& model, const TablesChoice& choice, const Session& session) {
  return load_tables_or_route(model, choice, session).routing;
}

}  // namespace fatwood::cli
