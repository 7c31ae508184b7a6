// SPDX-License-Identifier: BSD-3-Clause
// fatwood optimise FABRIC --engine ENGINE: balances the use of links by equally long alternatives.

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "analysis/faults/fault_tolerance.hpp"
#include "cli/options/routing.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/tables/routing_files.hpp"
#include "report/route/optimise_report.hpp"
#include "routing/improve/optimiser.hpp"

namespace fatwood::cli {

namespace {

struct OptimiseArguments {
  FabricRequest fabric;
  std::string engine;
  EngineChoice choice;
  std::optional<std::uint64_t> patience;
  std::uint32_t addresses = 256;
  std::string output;
  std::string lanes;
};

OptimiseReport run(const OptimiseArguments& arguments, const Session& session) {
  if (!names_engine(arguments.engine)) {
    throw InputError(
        fmt::format("optimise starts from an engine, such as even, not from a file of tables ({})",
                    arguments.engine));
  }
  const Engine& engine = find_engine(arguments.engine);
  const OpenFabric loaded = load(arguments.fabric);
  const Fabric& fabric = loaded.fabric();
  OpenRouting start_routing = open(loaded, {.name = arguments.engine, .engine = arguments.choice},
                                   session, {.entries = Entries::kOnePort});
  MovableRoutes routes(fabric, std::move(start_routing.routing));
  const ToleranceOptions tolerance{arguments.addresses, session.threads};
  OptimiseReport report;
  report.engine = engine.name;
  report.guard = routes.guarded() ? Guard::kKept : Guard::kCyclicBefore;
  report.tolerance_before = fault_tolerance(MovableRoutes(fabric, routes.routing()), tolerance);
  const auto start = std::chrono::steady_clock::now();
  report.result =
      optimise(routes, {arguments.patience, session.seed, terminal_progress("optimise")});
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.tolerance_after = fault_tolerance(MovableRoutes(fabric, routes.routing()), tolerance);
  report.files = save_routing(arguments.output, arguments.lanes, fabric, routes.routing(),
                              assign_lids(fabric, routes.routing().tables.lmc()));
  if (!arguments.output.empty()) warn_of_lanes(routes.routing(), arguments.lanes);
  return report;
}

}  // namespace

void add_optimise(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb(
      "optimise", "improve an engine's tables: same path lengths, better balance, no new deadlock");
  auto arguments = std::make_shared<OptimiseArguments>();
  add_fabric(*verb, arguments->fabric, Hints::kBalance);
  verb->add_option(std::string(kRoutingNames), arguments->engine,
                   fmt::format("the engine to start from, not a file of tables: one of {}",
                               table_engine_names()))
      ->required();
  add_engine_options(*verb, arguments->choice);
  verb->add_option("--patience", arguments->patience,
                   "failed trials in a row that end the search (all alternatives, 200000 at most)");
  verb->add_option("--sample", arguments->addresses,
                   "addresses that fault tolerance is measured on")
      ->range(std::uint32_t{1}, UINT32_MAX);
  verb->add_output("-o,--output", arguments->output, output_form::kTables,
                   "write the tables as an LFT dump");
  verb->add_output("--sl", arguments->lanes, output_form::kLevels,
                   "file: the lane of each route as a service level, as `ibdmchk -c` reads it");
  add_common(*verb, session);
  verb->footer("Example: fatwood optimise 'random(16,48,dup=8)' bfot -o tables.lfts");
  verb->callback(session, [arguments, &session] {
    const OptimiseReport report = run(*arguments, session);
    print(session, session.json ? optimise_json(report) : optimise_text(report));
  });
}

}  // namespace fatwood::cli
