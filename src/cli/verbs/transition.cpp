// SPDX-License-Identifier: BSD-3-Clause
// fatwood transition FABRIC OLD NEW: may old and new tables be mixed while switches are rewritten?

#include <fmt/format.h>

#include <memory>

#include "cli/options/tables_choice.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/tables/load_tables.hpp"
#include "report/change/repair_report.hpp"

namespace fatwood::cli {

namespace {

struct TransitionArguments {
  FabricArgument fabric;
  std::string old, now;
  std::string sl, new_sl;
};

// The lanes of the routes of a file of tables; one without a file of service levels.
Lanes lanes_of(const Model& model, const std::string& tables, const std::string& sl) {
  if (sl.empty()) return {};
  return read_tables_file(model.fabric(), tables, {.sl = sl, .sl2vl = {}}).lanes;
}

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
  const Lanes old_lanes = lanes_of(model, arguments.old, arguments.sl);
  const Lanes new_lanes = lanes_of(model, arguments.now, arguments.new_sl);
  const Transition transition =
      find_transition(model, old.tables, now.tables, session.threads, {&old_lanes, &new_lanes});
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
  verb->add_option("--sl", arguments->sl,
                   "file: the service level of each path of OLD, as ibdmchk -c reads it");
  verb->add_option("--new-sl", arguments->new_sl, "file: the same of NEW");
  add_threads(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood transition net.txt old.lfts new.lfts");
  const auto uses = [arguments, &session] { return uses_of(arguments->fabric, session); };
  verb->callback(uses, [arguments, &session] {
    if (arguments->sl.empty() != arguments->new_sl.empty()) {
      throw InputError("give both --sl and --new-sl, or neither");
    }
    run(*arguments, session);
  });
}

}  // namespace fatwood::cli
