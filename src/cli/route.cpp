// fatwood route FABRIC --engine ENGINE: fills forwarding tables.

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "cli/route_options.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "report/route_report.hpp"

namespace fatwood::cli {

namespace {

struct RouteArguments {
  FabricArgument fabric;
  std::string engine;
  RouteChoice choice;
};

RouteReport run(const RouteArguments& arguments, const Session& session) {
  const Engine& engine = find_engine(arguments.engine);
  const Fabric fabric = load(arguments.fabric);
  RouteOptions options = route_options(fabric, arguments.choice, session);
  options.progress = terminal_progress("route");
  const auto start = std::chrono::steady_clock::now();
  const Routing routing = route(engine, fabric, options);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  options.progress = {};
  RouteReport report{.engine = routing.engine,
                     .lmc = options.lmc,
                     .terminals = fabric.num_terminals(),
                     .switches = fabric.num_switches(),
                     .targets = routing.tables.num_targets(),
                     .lanes = routing.lanes.count,
                     .statistics = route_statistics(fabric, routing, session.threads),
                     .seconds = spent.count(),
                     .files = {}};
  return report;
}

}  // namespace

void add_route(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("route", "fill the switches' forwarding tables");
  auto arguments = std::make_shared<RouteArguments>();
  add_fabric(*verb, arguments->fabric);
  verb->add_option("--engine", arguments->engine, "one of " + engine_names())->required();
  add_route_options(*verb, arguments->choice);
  add_threads(*verb, session);
  add_seed(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood route 'ft(8,3)' --engine updn -o tables.lfts");
  verb->callback([arguments, &session] {
    const RouteReport report = run(*arguments, session);
    fmt::print("{}", session.json ? route_json(report) : route_text(report));
  });
}

}  // namespace fatwood::cli
