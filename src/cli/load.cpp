// SPDX-License-Identifier: BSD-3-Clause
// fatwood load FABRIC ROUTING --traffic T: what a traffic puts on the channels.

#include <fmt/format.h>

#include <memory>

#include "cli/routing_choice.hpp"
#include "cli/verb.hpp"
#include "report/load_report.hpp"

namespace fatwood::cli {

namespace {

struct LoadArguments {
  FabricArgument fabric;
  std::string routing;
  std::string traffic;
  std::size_t top = 10;
};

std::string traffic_help() {
  std::string text = "one of:";
  for (const Pattern& pattern : patterns()) text += fmt::format(" {}", pattern.usage);
  return text;
}

}  // namespace

void add_load(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("load", "compute the load that a traffic puts on each channel");
  auto arguments = std::make_shared<LoadArguments>();
  add_fabric(*verb, arguments->fabric);
  verb->add_option("ROUTING", arguments->routing, routing_help())->required();
  verb->add_option("--traffic", arguments->traffic, traffic_help())->required();
  verb->add_option("--top", arguments->top, "how many of the most loaded channels to list")
      ->show_default();
  add_threads(*verb, session);
  add_seed(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood load 'ft(16,3)' disjoint:4 --traffic cluster:8");
  verb->callback([arguments, &session] {
    const Model model = load(arguments->fabric);
    const Fabric& fabric = model.fabric();
    const auto paths = choose_routing(model, arguments->routing, session);
    const Schedule schedule = make_traffic(arguments->traffic, HostNames(model), session.seed);
    const ScheduleLoad result = schedule_load(model, *paths, schedule, arguments->top,
                                              session.threads, terminal_progress("load"));
    fmt::print("{}", session.json ? load_json(fabric, result) : load_text(fabric, result));
  });
}

}  // namespace fatwood::cli
