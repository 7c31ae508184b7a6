// SPDX-License-Identifier: BSD-3-Clause
// fatwood whatif FABRIC [ROUTING]: what each loss costs, and what to put back first.

#include "app/whatif.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/options/add_options.hpp"
#include "cli/options/among.hpp"
#include "cli/options/host_order.hpp"
#include "cli/options/routing.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "report/change/repair_report.hpp"
#include "report/change/spread_report.hpp"
#include "report/change/whatif_report.hpp"

namespace fatwood::cli {

namespace {

struct WhatifArguments {
  FabricRequest fabric;
  RoutingRequest tables;
  WhatifQuestion question;
  bool csv = false;
  bool distribution = false;
};

// One loss that is planned or has happened, three ways.
void run_lose(const OpenFabric& fabric, const Routing& routing, const WhatifArguments& arguments,
              const Session& session) {
  const WhatifQuestion& question = arguments.question;
  const LossAnswer answer =
      find_loss(*fabric.model, routing, question, participants(fabric, question.among),
                host_order(fabric, question.host_order),
                options_of_engine(fabric, arguments.tables, session));
  print(session, session.json ? loss_json(answer.result)
                              : loss_text(answer.result, answer.names, answer.engine));
}

void run(const WhatifArguments& arguments, const Session& session) {
  const WhatifQuestion& question = arguments.question;
  if (arguments.csv && session.json) throw InputError("give either --csv or --json");
  if (arguments.csv && !question.add.empty()) {
    throw InputError("give either --add or --csv: the latter prints the faults alone");
  }
  const OpenFabric fabric = load(arguments.fabric, session);
  const Model& model = *fabric.model;
  const OpenRouting opened =
      open(fabric, arguments.tables, session,
           {.unnamed = Unnamed::kDefault, .run_lanes = RunLanes::kOnePerLevel});
  const Routing& routing = opened.routing;
  if (!question.lose.empty()) return run_lose(fabric, routing, arguments, session);
  RouteOptions route;
  if (is_engine(routing.engine)) route = options_of_engine(fabric, arguments.tables, session);
  route.threads = session.threads;
  WhatifOptions options =
      whatif_options(participants(fabric, question.among), routing, question, std::move(route));
  options.seed = session.seed;
  options.progress = terminal_progress("whatif");
  options.share = session.share;
  options.writes = session.rank == 0;
  if (arguments.csv || arguments.distribution) options.detailed = 0;
  const WhatifResult result = whatif(model, routing, options);
  if (arguments.distribution) {
    const FaultSpread spread = fault_spread(result);
    return print(session, session.json ? document({{"engine", result.engine},
                                                   {"distribution", spread_json(spread)}})
                                       : spread_text(spread));
  }
  print(session, session.json    ? whatif_json(model, result)
                 : arguments.csv ? whatif_csv(model, result)
                                 : whatif_text(model, result, question.top));
}

}  // namespace

void add_whatif(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("whatif", "show what each loss costs, and what to put back first");
  auto arguments = std::make_shared<WhatifArguments>();
  add_fabric(*verb, arguments->fabric);
  add_tables(*verb, arguments->tables);
  AddOptions options(*verb);
  describe(options, arguments->question);
  options["host_order"]->needs(options["lose"]);
  const Option* distribution =
      verb->add_flag("--distribution", arguments->distribution,
                     "print the distribution over the sets: quantiles, mean, deviation")
          ->needs(options["sets"]);
  verb->add_flag("--csv", arguments->csv, "print the faults as CSV")->excludes(distribution);
  add_common(*verb, session);
  verb->footer("Example: fatwood whatif 'ft(8,3)' --cut 3 --add switch@3");
  verb->callback(session, [arguments, &session] {
    if (!arguments->question.add.empty() && !arguments->tables.name.empty() &&
        !names_engine(arguments->tables.name)) {
      throw InputError(
          fmt::format("--add needs an engine, and {} is none", arguments->tables.name));
    }
    run(*arguments, session);
  });
}

}  // namespace fatwood::cli
