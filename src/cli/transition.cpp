// SPDX-License-Identifier: BSD-3-Clause
// fatwood transition FABRIC OLD NEW: may old and new tables be mixed while switches are rewritten?

#include <fmt/format.h>

#include <memory>

#include "cli/tables_choice.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/load_tables.hpp"
#include "report/repair_report.hpp"

namespace fatwood::cli {

namespace {

struct TransitionArguments {
  FabricArgument fabric;
  std::string old, now;
};

void run(const TransitionArguments& arguments, Session& session) {
  const Model model = load(arguments.fabric);
  const LoadedTables old = load_tables(arguments.old, model.fabric());
  print_warnings(old.warnings);
  const LoadedTables now = load_tables(arguments.now, model.fabric());
  require_single_ports(old.sets, arguments.old);
  require_single_ports(now.sets, arguments.now);
  print_warnings(now.warnings);
  if (old.tables.lmc() != now.tables.lmc()) {
    throw InputError({.file = arguments.now},
                     fmt::format("expected tables of LMC {}, as {} has, found {}", old.tables.lmc(),
                                 arguments.old, now.tables.lmc()));
  }
  const Transition transition = find_transition(model, old.tables, now.tables, session.threads);
  fmt::print("{}", session.json ? transition_json(model, now.tables, now.lids, transition)
                                : transition_text(model, now.tables, now.lids, transition));
  session.status = transition.safety == Safety::kNone ? 1 : 0;
}

}  // namespace

void add_transition(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb(
      "transition", "check whether old and new tables may be mixed while switches are rewritten");
  auto arguments = std::make_shared<TransitionArguments>();
  add_fabric(*verb, arguments->fabric);
  verb->add_option("OLD", arguments->old, "a file of the tables in the switches")->required();
  verb->add_option("NEW", arguments->now, "a file of the tables to come")->required();
  add_threads(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood transition net.txt old.lfts new.lfts");
  verb->callback([arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
