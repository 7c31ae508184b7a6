// SPDX-License-Identifier: BSD-3-Clause
// fatwood verify FABRIC TABLES: what the routes promise, proved or refuted.

#include "verify/verify.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/tables_choice.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/output.hpp"
#include "report/verify_report.hpp"
#include "verify/certificate.hpp"

namespace fatwood::cli {

namespace {

struct VerifyArguments {
  FabricArgument fabric;
  TablesChoice tables;
  std::string certificate;
  bool terminals_only = false;
  bool rechoose = false;
};

void run(const VerifyArguments& arguments, Session& session) {
  const LoadedModel loaded = load_with_warnings(arguments.fabric);
  print_warnings(loaded.warnings);
  const Model& model = loaded.model;
  const Fabric& fabric = model.fabric();
  Routing routing = load_routing(model, arguments.tables, session);
  drop_groups_not_used(fabric, loaded.run, routing);
  if (arguments.rechoose && routing.sets.empty()) {
    throw InputError("--rechoose is for adaptive tables: these have one port an entry");
  }
  const VerifyOptions options{
      .sources = arguments.terminals_only ? Sources::kTerminals : Sources::kAll,
      .threads = session.threads};
  const Verdict verdict = verify(model, routing, options);
  const bool free = verdict.deadlock.free() || (arguments.rechoose && verdict.adaptive->some &&
                                                verdict.adaptive->some->free());
  if (!arguments.certificate.empty() && free) {
    write_output(arguments.certificate, [&](std::ostream& out) {
      write_certificate(out, fabric, routing, options.sources, verdict.deadlock,
                        verdict.deadlock.free() ? nullptr : &*verdict.adaptive->some);
    });
  } else if (!arguments.certificate.empty()) {
    print_note("no certificate written: the routes can deadlock");
  }
  fmt::print("{}", session.json ? verify_json(fabric, routing, verdict)
                                : verify_text(fabric, routing, verdict));
  session.status = (arguments.rechoose ? verdict.holds_for_some() : verdict.holds()) ? 0 : 1;
}

}  // namespace

void add_verify(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("verify", "prove or refute what routes promise");
  auto arguments = std::make_shared<VerifyArguments>();
  add_fabric(*verb, arguments->fabric);
  add_tables(*verb, arguments->tables, engine_names());
  verb->add_option("--engine", arguments->tables.engine, "the engine, instead of TABLES");
  verb->add_option("--certificate", arguments->certificate,
                   "write the order of channels that every route ascends to this file");
  verb->add_flag("--terminals-only", arguments->terminals_only,
                 "for deadlock, count packets between terminals only, not those of switches");
  verb->add_flag("--rechoose", arguments->rechoose,
                 "adaptive tables: take for granted that a waiting packet takes whichever port of "
                 "its group frees first, and prove that");
  add_threads(*verb, session);
  add_seed(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood verify 'ft(8,3)' updn --certificate proof");
  verb->callback([arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
