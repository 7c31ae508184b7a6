// SPDX-License-Identifier: BSD-3-Clause
// fatwood transition FABRIC OLD NEW: may old and new tables be mixed while switches are rewritten?

#include "tasks/change/transition.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/options/routing.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/opensm/opensm_files.hpp"
#include "report/change/repair_report.hpp"

namespace fatwood::cli {

namespace {

struct TransitionArguments {
  FabricRequest fabric;
  std::string old, after;
  std::string sl, new_sl;
  std::string folder;  // for the files of rounds; "": none
};

void run(const TransitionArguments& arguments, Session& session) {
  const OpenFabric fabric = load(arguments.fabric);
  const Model& model = *fabric.model;
  const OpenRouting old =
      open_file(fabric, arguments.old, session, "OLD", {.sl = arguments.sl, .sl2vl = {}});
  const OpenRouting after =
      open_file(fabric, arguments.after, session, "NEW", {.sl = arguments.new_sl, .sl2vl = {}});
  const Transition found = transition(model, old.routing, after.routing, session.threads);
  const ForwardingTables& tables = after.routing.tables;
  print(session, session.json ? transition_json(model, tables, after.lids, found)
                              : transition_text(model, tables, after.lids, found));
  if (!arguments.folder.empty() && found.safety != Safety::kNone) {
    std::vector<RoundNotes> notes;
    for (const Round& round : found.rounds) {
      RoundNotes& note = notes.emplace_back();
      note.entries = round.write.size() + round.clear.size();
      note.drain = round.drain_after;
      for (const Switch s : round.order) note.order.push_back(model.labels()(s));
    }
    write_round_files(arguments.folder, model.fabric(), after.lids,
                      tables_of_rounds(old.routing.tables, tables, found), notes);
  } else if (!arguments.folder.empty()) {
    print_note("no files written: there is no safe order");
  }
  session.status = found.safety == Safety::kNone ? 1 : 0;
}

}  // namespace

void add_transition(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb(
      "transition", "check whether old and new tables may be mixed while switches are rewritten");
  auto arguments = std::make_shared<TransitionArguments>();
  add_fabric(*verb, arguments->fabric, Hints::kLevels);
  verb->add_option("OLD", arguments->old, "a file of the tables in the switches")->required();
  verb->add_option("NEW", arguments->after, "a file of the tables to come")->required();
  verb->add_option("--sl", arguments->sl,
                   "file: the service level of each path of OLD, as ibdmchk -c reads it");
  verb->add_option("--new-sl", arguments->new_sl, "file: the same of NEW");
  verb->add_option("-o,--output", arguments->folder,
                   "folder: the tables of each round, and the commands to type");
  verb->add_outputs([arguments](Outputs& outputs) {
    if (arguments->folder.empty()) return;
    add_round_outputs(outputs, "--output", arguments->folder);
  });
  add_threads(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood transition net.txt old.lfts new.lfts -o rounds");
  verb->callback(session, [arguments, &session] {
    if (arguments->sl.empty() != arguments->new_sl.empty()) {
      throw InputError("give both --sl and --new-sl, or neither");
    }
    run(*arguments, session);
  });
}

}  // namespace fatwood::cli
