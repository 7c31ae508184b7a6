// SPDX-License-Identifier: BSD-3-Clause
// fatwood compare FABRIC: every engine on one fabric, side by side.

#include "report/load/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/options/route_options.hpp"
#include "cli/verb.hpp"

namespace fatwood::cli {

namespace {

struct CompareArguments {
  FabricArgument fabric;
  RouteChoice choice;
};

void run(const CompareArguments& arguments, Session& session) {
  const Model model = load(arguments.fabric);
  RouteOptions options = route_options(model, arguments.choice, session);
  std::vector<EngineRow> rows;
  {
    options.progress = terminal_progress("compare");
    rows = compare_engines(model, options);
    options.progress = {};
  }
  fmt::print("{}", session.json ? compare_json(rows) : compare_text(rows));
  const bool broken = std::ranges::any_of(
      rows, [](const EngineRow& row) { return row.result && !row.result->kept; });
  session.status = broken ? 1 : 0;
}

}  // namespace

void add_compare(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("compare", "route with every engine and print one table");
  auto arguments = std::make_shared<CompareArguments>();
  add_fabric(*verb, arguments->fabric);
  add_route_options(*verb, arguments->choice);
  add_threads(*verb, session);
  add_seed(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood compare 'ft(8,3)'");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
