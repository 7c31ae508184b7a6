// SPDX-License-Identifier: BSD-3-Clause
// fatwood check FABRIC [ROUTING]: cabling, safety and speed on one screen.

#include "tasks/check.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/options/tables_choice.hpp"
#include "cli/shell_words.hpp"
#include "cli/verb.hpp"
#include "report/fabric/check_report.hpp"
#include "tasks/recommend.hpp"

namespace fatwood::cli {

namespace {

struct CheckArguments {
  FabricArgument fabric;
  TablesChoice tables;
};

void run(const CheckArguments& arguments, Session& session) {
  const LoadedModel loaded = load_with_warnings(arguments.fabric);
  const Model& model = loaded.model;
  TablesChoice choice = tables_in_use(arguments.tables, arguments.fabric.name);
  const std::string named = choice.tables;
  if (named.empty()) {
    choice.tables = default_engine(model);
    choice.route.aim.effort = "quick";
  }
  choice = with_lanes_of_run(choice);
  Routing routing = load_routing(model, choice, session);
  drop_groups_not_used(model.fabric(), loaded.run, routing);
  CheckResult result =
      check(model, routing, {.threads = session.threads, .settings = &loaded.run.adaptive});
  const ShowReport shown = show_report(model, loaded.format, loaded.warnings);
  const CheckReport report = report_check(model.fabric(), shown, std::move(result),
                                          ShellCommand("", arguments.fabric, Folders::kKept).text(),
                                          named.empty() ? "" : shell_word(named));
  print(session,
        session.json ? document(check_object(report)) : check_text(report, session.colour));
  session.status = report.bad() ? 1 : 0;
}

}  // namespace

void add_check(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("check", "cabling, safety and speed on one screen: the first command");
  auto arguments = std::make_shared<CheckArguments>();
  add_fabric(*verb, arguments->fabric);
  add_tables(*verb, arguments->tables);
  add_lane_files(*verb, arguments->tables.lanes);
  add_common(*verb, session);
  verb->footer("Example: fatwood check 'ft(8,3)' --cut 2%");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
