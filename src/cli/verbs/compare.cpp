// SPDX-License-Identifier: BSD-3-Clause
// fatwood compare FABRIC [ROUTING]: every engine on one fabric, best first.

#include "tasks/compare.hpp"

#include <algorithm>
#include <memory>

#include "app/questions.hpp"
#include "cli/options/add_options.hpp"
#include "cli/options/among.hpp"
#include "cli/options/host_order.hpp"
#include "cli/options/routing.hpp"
#include "cli/verb.hpp"
#include "report/route/compare_report.hpp"

namespace fatwood::cli {

namespace {

struct CompareArguments {
  FabricRequest fabric;
  RoutingRequest tables;  // in use
  CompareQuestion question;
};

void run(const CompareArguments& arguments, Session& session) {
  const OpenFabric loaded = load_with_warnings(arguments.fabric);
  const Model& model = *loaded.model;
  CompareOptions options{.route = options_of_engine(loaded, arguments.tables, session),
                         .shifts = CountShifts::kYes,
                         .who = participants(loaded, arguments.question.among),
                         .order = host_order(loaded, arguments.question.host_order)};
  if (arguments.question.all) options.slow = SlowEngines::kAlways;
  if (!arguments.tables.name.empty() || has_tables(loaded)) {
    OpenRouting current = open(loaded, arguments.tables, session);
    options.current = std::move(current.routing);
    options.current_name = std::move(current.name);
  }
  options.route.progress = terminal_progress("compare");
  const Comparison result = compare(model, options);
  print(session, session.json ? compare_json(model, result) : compare_text(model, result));
  const bool broken = std::ranges::any_of(result.rows, [](const EngineRow& row) {
    return !row.current && row.result && !row.result->promise_kept;
  });
  session.status = broken ? 1 : 0;
}

}  // namespace

void add_compare(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("compare", "compare engines on one fabric, the best first");
  auto arguments = std::make_shared<CompareArguments>();
  add_fabric(*verb, arguments->fabric);
  add_tables(*verb, arguments->tables);
  add_lane_files(*verb, arguments->tables.lanes);
  AddOptions options(*verb);
  describe(options, arguments->question);
  add_common(*verb, session);
  verb->footer("Example: fatwood compare 'ft(8,3)' --cut 2%");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
