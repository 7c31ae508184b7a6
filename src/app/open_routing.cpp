// SPDX-License-Identifier: BSD-3-Clause
#include "app/open_routing.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "core/text/shell_word.hpp"
#include "io/fabric/live.hpp"
#include "io/ibdiagnet/run_files.hpp"
#include "io/lists/node_list.hpp"
#include "io/routes/address_plan.hpp"
#include "routing/adaptive/changed_sets.hpp"
#include "routing/algebraic/algebraic.hpp"
#include "routing/tables/lids.hpp"
#include "tasks/recommend.hpp"

namespace fatwood {

namespace {

bool is_named(const std::string& word) {
  return is_engine(word) || find_algebraic(word) != nullptr;
}

// Whether a switch uses the groups of its tables for any packet.
bool uses_groups(const AdaptiveSettings& set) {
  constexpr std::uint16_t kTransports = 15;
  const bool chooses = set.enabled && (!set.by_level || set.levels != 0) &&
                       (set.transports_off & kTransports) != kTransports;
  const bool hashes = set.hashing_supported && (!set.hashed_by_level || set.hashed_levels != 0);
  return !set.known || chooses || hashes;
}

// A switch that has adaptive routing off for every packet uses default ports only.
void drop_groups_not_used(const OpenFabric& fabric, OpenRouting& open) {
  const auto& settings = fabric.run.adaptive;
  if (open.routing.sets.empty() || settings.empty()) return;
  Table<Switch, std::uint8_t> marked(settings.size(), 1);
  std::size_t off = 0;
  for (const Switch s : ids<Switch>(settings.size())) {
    if (uses_groups(settings[s])) continue;
    marked[s] = 0;
    ++off;
  }
  if (off == 0) return;
  open.routing.sets = sets_only_at(fabric.fabric(), open.routing, marked);
  open.warnings.push_back(
      fmt::format("adaptive routing is off on {} switches: their groups are left out", off));
}

// The files of service levels: those requested, otherwise those of the run, with a note.
LaneFiles lanes_of_run(const RoutingRequest& request, const std::string& path, std::string& note) {
  if (!request.lanes.sl.empty() || !RunFiles::is_run(path)) return request.lanes;
  const RunFiles files(path);
  LaneFiles lanes = request.lanes;
  const bool levels = files.has(RunFile::kPathLevels);
  const bool of_levels = files.has(RunFile::kSl2vl);
  if (levels) {
    lanes.sl = path;
    if (of_levels) lanes.sl2vl = path;
    note =
        fmt::format("{}: service levels of paths from {}{}", path, files.name(RunFile::kPathLevels),
                    of_levels ? ", lanes of levels from " + files.name(RunFile::kSl2vl)
                              : std::string(", level i in lane i"));
  } else if (of_levels) {
    note = fmt::format(
        "{}: {} is not used: no file of the run says which path has which service level, and all "
        "are taken to share one lane",
        path, files.name(RunFile::kSl2vl));
  }
  return lanes;
}

// InputError if the request has something that only an engine can do.
void refuse_engine_options(const EngineChoice& choice, const std::string& source) {
  const std::pair<bool, const char*> asked[] = {
      {choice.lmc.has_value(), "lmc"},         {!choice.order.empty(), "order"},
      {!choice.manager.empty(), "manager"},    {choice.choice != EngineChoice{}.choice, "choice"},
      {choice.groups.has_value(), "groups"},   {asks_for_aim(choice.aim), "for"},
      {!choice.aim.longest.empty(), "longest"}};
  for (const auto& [given, option] : asked) {
    if (!given) continue;
    throw InputError(fmt::format("{} needs an engine, and {} is none", param(option), source));
  }
}

OpenRouting read_tables(const OpenFabric& fabric, const RoutingRequest& request,
                        const std::string& path, RunLanes run_lanes) {
  refuse_engine_options(request.engine, path);
  OpenRouting open;
  open.lanes =
      run_lanes == RunLanes::kIgnored ? request.lanes : lanes_of_run(request, path, open.note);
  LoadedRouting read =
      load_routing_files(path, fabric.fabric(), open.lanes, request.threads, fabric.run.labels);
  if (run_lanes == RunLanes::kOnePerLevel && request.lanes.sl.empty() &&
      !read.routing.sl2vl.empty()) {
    open.lanes = request.lanes;
    open.note = fmt::format(
        "{}: its service levels are not used here: they take different lanes on different ports",
        path);
    read =
        load_routing_files(path, fabric.fabric(), open.lanes, request.threads, fabric.run.labels);
  }
  if (request.files_read) request.files_read();
  open.routing = std::move(read.routing);
  open.lids = std::move(read.lids);
  open.contradictions = std::move(read.contradictions);
  open.prefixes = std::move(read.prefixes);
  open.warnings = std::move(read.warnings);
  open.lanes_known = !open.lanes.sl.empty();
  drop_groups_not_used(fabric, open);
  return open;
}

OpenRouting route_by_engine(const OpenFabric& fabric, const RoutingRequest& request,
                            const std::string& name, Wanted wanted) {
  if (!request.lanes.sl.empty()) {
    throw InputError(
        fmt::format("{} needs a file of tables; {} has its own lanes", param("sl"), name));
  }
  EngineOptions options = engine_options(fabric, request);
  if (request.files_read) request.files_read();
  OpenRouting open;
  open.warnings = std::move(options.warnings);
  open.by_engine = open.lanes_known = true;
  if (!is_engine(name) && find_algebraic(name) != nullptr) {
    refuse_engine_options(request.engine, name);
  }
  if (wanted == Wanted::kTables) {
    MadeRoutes made = route_by_name(*fabric.model, name, options.route);
    open.routing = std::move(made.routing);
    open.choice = std::move(made.choice);
    open.note = std::move(made.note);
    open.seconds = made.seconds;
    if (open.routing.tables.num_destinations() > 0) {
      open.lids = assign_lids(fabric.fabric(), open.routing.tables.lmc());
    }
    if (open.routing.may_return) {
      open.prefixes = planned_prefixes(fabric.fabric(), open.routing);
    }
  } else {
    static_cast<ResolvedRouting&>(open) =
        resolve_routing(*fabric.model, name, options.route, Prefer::kClosedForm);
    if (open.algebraic && asks_for_aim(request.engine.aim)) {
      throw InputError(fmt::format("{} does not support {}", name, param("for")));
    }
  }
  return open;
}

// The word to open: the one requested, the run, or the default engine.
std::string word_of(const OpenFabric& fabric, const RoutingRequest& request,
                    const RoutingUse& use) {
  if (!request.name.empty()) return request.name;
  if (has_tables(fabric)) return fabric.name;
  if (use.unnamed == Unnamed::kDefault) return std::string(default_engine(*fabric.model));
  throw InputError(
      fmt::format("give {}: an engine such as even, or a file of tables", use.argument));
}

}  // namespace

bool has_tables(const OpenFabric& fabric) {
  if (fabric.format != "run") return false;
  return RunFiles(fabric.name).has_tables();
}

bool names_engine(const std::string& word) {
  if (word == "-" || is_live(word)) return false;
  if (is_named(word)) return true;
  const bool like_path = word.find_first_of("./") != std::string::npos;
  return !like_path && !std::filesystem::exists(word);
}

EntryState state_named(const std::string& choice) {
  if (choice == "hashed") return EntryState::kHashed;
  return choice == "bounded" ? EntryState::kBounded : EntryState::kFree;
}

EngineOptions engine_options(const OpenFabric& fabric, const RoutingRequest& request) {
  const EngineChoice& choice = request.engine;
  EngineOptions result;
  RouteOptions& options = result.route;
  options.lmc = choice.lmc ? static_cast<unsigned>(*choice.lmc) : own_lmc(fabric.fabric());
  options.max_lanes = choice.max_lanes;
  options.threads = request.threads;
  options.seed = request.seed;
  options.progress = request.progress;
  options.choice = state_named(choice.choice);
  if (choice.groups) options.max_groups = static_cast<unsigned>(*choice.groups);
  options.order = find_terminals(fabric.fabric(), choice.order, "order");
  if (!choice.manager.empty()) {
    options.manager = TerminalNames(fabric.fabric()).leaf_of(choice.manager, {.file = "manager"});
  }
  result.warnings = set_aim(*fabric.model, choice.aim, options);
  return result;
}

OpenRouting open_routing(const OpenFabric& fabric, const RoutingRequest& request,
                         const RoutingUse& use) {
  const std::string word = word_of(fabric, request, use);
  // Where only a file makes sense, one that has an engine's name is meant.
  const bool engine = names_engine(word) &&
                      !(use.wanted == Wanted::kFile && std::filesystem::is_regular_file(word));
  if (engine && use.wanted == Wanted::kFile) {
    throw InputError(
        fmt::format("{} must be a file of tables; {} is an engine: write its tables with fatwood "
                    "route {} {} -o {}.lft",
                    use.argument, word, shell_word(fabric.name), word, word));
  }
  OpenRouting open = engine ? route_by_engine(fabric, request, word, use.wanted)
                            : read_tables(fabric, request, word, use.run_lanes);
  open.name = word;
  if (use.entries == Entries::kOnePort && !open.routing.sets.empty()) {
    throw InputError({.file = word},
                     "its switches choose among several ports (adaptive tables), and this verb "
                     "follows one: verify, load, sim and report take such tables");
  }
  return open;
}

}  // namespace fatwood
