// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/route_options.hpp"

#include <fmt/format.h>

#include <array>

#include "core/error.hpp"
#include "io/lists/node_list.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood::cli {

void add_route_options(Verb& verb, RouteChoice& choice) {
  const Heading under(verb, heading::kEngines);
  verb.add_option(
          "--lmc", choice.lmc,
          "give each terminal 2^LMC addresses on different paths (default: as many as its port "
          "has in FABRIC)")
      ->range(0, 7);
  verb.add_option("--lanes", choice.max_lanes, "virtual lanes an engine may use")->range(1, 15);
  verb.add_option("--order", choice.order,
                  "file: destinations in the order in which they are routed");
  verb.add_option("--manager", choice.manager,
                  "the subnet manager's host or leaf switch: engines do not root their sub-tree "
                  "there");
  verb.add_option("--choice", choice.choice,
                  "adaptive engines: how a switch chooses from a group: free (by packet), "
                  "bounded (by burst) or hashed (by flow)")
      ->one_of({"free", "bounded", "hashed"});
  verb.add_option("--groups", choice.groups,
                  "adaptive engines: how many groups of ports a switch can hold")
      ->range(0, 65534);
  add_aim(verb, choice.aim);
}

EntryState state_named(const std::string& choice) {
  if (choice == "hashed") return EntryState::kHashed;
  return choice == "bounded" ? EntryState::kBounded : EntryState::kFree;
}

void refuse_engine_options(const RouteChoice& choice, const std::string& source) {
  const std::pair<bool, const char*> asked[] = {{choice.lmc.has_value(), "--lmc"},
                                                {!choice.order.empty(), "--order"},
                                                {!choice.manager.empty(), "--manager"},
                                                {choice.choice != RouteChoice{}.choice, "--choice"},
                                                {choice.groups.has_value(), "--groups"},
                                                {asks_for_aim(choice.aim), "--for"},
                                                {!choice.aim.longest.empty(), "--longest"}};
  for (const auto& [given, option] : asked) {
    if (!given) continue;
    throw InputError(fmt::format("{} needs an engine, and {} is none", option, source));
  }
}

RouteOptions route_options(const Model& model, const RouteChoice& choice, const Session& session) {
  const Fabric& fabric = model.fabric();
  RouteOptions options;
  options.lmc = choice.lmc ? static_cast<unsigned>(*choice.lmc) : own_lmc(fabric);
  options.max_lanes = choice.max_lanes;
  options.threads = session.threads;
  options.seed = session.seed;
  options.choice = state_named(choice.choice);
  const auto limit = [](const std::optional<std::uint64_t>& given) {
    return given ? std::optional(static_cast<unsigned>(*given)) : std::nullopt;
  };
  options.max_groups = limit(choice.groups);
  if (!choice.order.empty()) {
    options.order = read_terminal_list(fabric, choice.order);
    if (options.order.empty()) throw InputError({.file = choice.order}, "names no node");
  }
  if (!choice.manager.empty()) {
    options.manager = TerminalNames(fabric).leaf_of(choice.manager, {.file = "--manager"});
  }
  set_aim(model, choice.aim, options);
  return options;
}

void warn_of_lanes(const Routing& routing, const std::string& lane_file) {
  if (routing.lanes.count < 2 || !lane_file.empty()) return;
  const std::array warning = {
      fmt::format("the tables alone can deadlock: {} needs {} lanes, and --sl FILE writes them",
                  routing.engine, routing.lanes.count)};
  print_warnings(warning);
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
