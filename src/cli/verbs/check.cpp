// SPDX-License-Identifier: BSD-3-Clause
// fatwood check FABRIC [ROUTING]: cabling, safety and speed on one screen.

#include "tasks/check.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/options/host_order.hpp"
#include "cli/options/quality_options.hpp"
#include "cli/options/routing.hpp"
#include "cli/shell_words.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include "report/fabric/check_report.hpp"
#include "report/fabric/quality_report.hpp"
#include "tasks/quick_engine.hpp"

namespace fatwood::cli {

namespace {

struct CheckArguments {
  FabricRequest fabric;
  RoutingRequest tables;
  QualityLimits limits;
  std::string host_order = {};
};

CheckedTables words_of(const OpenRouting& routing, const LaneFiles& lanes) {
  CheckedTables tables{shell_word(routing.name), !routing.by_engine, ""};
  const auto add = [&](std::string_view option, const std::string& path) {
    if (!path.empty()) tables.lanes += fmt::format(" {} {}", option, shell_word(path));
  };
  add("--sl", lanes.sl);
  add("--sl2vl", lanes.sl2vl);
  return tables;
}

void run(const CheckArguments& arguments, Session& session) {
  const OpenFabric loaded = load_with_warnings(arguments.fabric);
  const Model& model = *loaded.model;
  RoutingRequest request = arguments.tables;
  const bool given = !request.name.empty() || has_tables(loaded);
  const QuickEngine quick = quick_engine(model);
  if (!given) {
    request.name = quick.name;
    request.engine.aim.effort = "quick";
  }
  const OpenRouting routing = open(loaded, request, session);
  CheckResult result = check(model, routing.routing,
                             {.threads = session.threads,
                              .settings = &loaded.run.adaptive,
                              .order = host_order(loaded, arguments.host_order)});
  if (!given) result.quick = quick;
  const ShowReport shown = show_report(model, loaded.format, loaded.warnings);
  const CheckReport report = report_check(
      model, shown, std::move(result), ShellCommand("", arguments.fabric, Folders::kKept).text(),
      given ? words_of(routing, request.lanes) : CheckedTables{},
      quality_findings(model, loaded.run, routing.routing, arguments.limits, session.threads));
  print(session, session.json ? document(check_object(report))
                              : check_text(report, session.colour, terminal_columns(session)));
  session.status = report.bad() ? 1 : 0;
}

}  // namespace

void add_check(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("check", "cabling, safety and speed on one screen: the first command");
  auto arguments = std::make_shared<CheckArguments>();
  add_fabric(*verb, arguments->fabric);
  add_tables(*verb, arguments->tables);
  add_lane_files(*verb, arguments->tables.lanes);
  add_quality_limits(*verb, arguments->limits);
  add_host_order(*verb, arguments->host_order);
  add_common(*verb, session);
  verb->footer("Example: fatwood check 'ft(8,3)' --cut 2%");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
