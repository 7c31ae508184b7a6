// SPDX-License-Identifier: BSD-3-Clause
// fatwood verify FABRIC TABLES: what the routes promise, proved or refuted; or a proof checked.

#include "verify/verify.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/options/run_checker.hpp"
#include "cli/options/tables_choice.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/base/output.hpp"
#include "report/proof/verify_report.hpp"
#include "routing/tables/target_tree.hpp"
#include "verify/certificate/certificate.hpp"

namespace fatwood::cli {

namespace {

struct VerifyArguments {
  FabricArgument fabric;
  TablesChoice tables;
  std::string certificate, check;
  std::string from, from_sl;
  bool terminals_only = false;
  bool rechoose = false;
};

// Whether the switches can go over from the old tables to these: lane by lane where the levels of
// both are known, else all lanes together, which is stricter.
std::optional<FromOld> from_old(const Model& model, const Routing& routing,
                                const TablesChoice& choice, const VerifyArguments& arguments,
                                const Session& session) {
  const std::string& path = arguments.from;
  if (path.empty()) return std::nullopt;
  if (!routing.source_routes.empty()) {
    throw InputError(fmt::format("--from: {} routes by pair, not by tables", routing.engine));
  }
  require_single_ports(routing.sets, routing.engine);
  const bool by_lane = !arguments.from_sl.empty();
  if (by_lane && !is_by_engine(choice) && choice.lanes.sl.empty()) {
    throw InputError("give both --sl and --from-sl, or neither");
  }
  if (by_lane && !routing.sl2vl.empty()) {
    throw InputError({.file = choice.lanes.sl2vl},
                     "levels take different lanes on different ports: --from-sl needs one lane for "
                     "each level");
  }
  const LoadedRouting old = read_single_ports(
      model.fabric(), path,
      {.sl = arguments.from_sl, .sl2vl = by_lane ? choice.lanes.sl2vl : std::string{}});
  require_same_lmc(routing.tables, old.routing.tables, {.file = path});
  const MixedLanes lanes = by_lane ? MixedLanes{&old.routing.lanes, &routing.lanes} : MixedLanes{};
  return FromOld{
      model, old.lids,
      find_transition(model, old.routing.tables, routing.tables, session.threads, lanes)};
}

void run(const VerifyArguments& arguments, Session& session) {
  const LoadedModel loaded = load_with_warnings(arguments.fabric);
  print_warnings(loaded.warnings);
  const Model& model = loaded.model;
  const Fabric& fabric = model.fabric();
  const TablesChoice choice =
      with_lanes_of_run(or_tables_of_run(arguments.tables, arguments.fabric.name));
  Routing routing = load_routing(model, choice, session);
  drop_groups_not_used(fabric, loaded.run, routing);
  if (!arguments.check.empty()) {
    check_size(fabric, routing);
    return run_checker(fabric, routing, arguments.check, session);
  }
  if (arguments.rechoose && !routing.sl2vl.empty()) {
    throw InputError({.file = choice.lanes.sl2vl},
                     "its levels take different lanes on different ports: that is proved for every "
                     "choice, not with --rechoose");
  }
  const VerifyOptions options{
      .sources = arguments.terminals_only ? Sources::kTerminals : Sources::kAll,
      .threads = session.threads,
      .settings = &loaded.run.adaptive};
  const Verdict verdict = verify(model, routing, options);
  const bool free =
      verdict.deadlock.free() || (arguments.rechoose && verdict.adaptive &&
                                  verdict.adaptive->some && verdict.adaptive->some->free());
  if (!arguments.certificate.empty() && free) {
    write_output(arguments.certificate, [&](std::ostream& out) {
      write_certificate(out, fabric, routing, options.sources, verdict.deadlock,
                        verdict.deadlock.free() ? nullptr : &*verdict.adaptive->some);
    });
  } else if (!arguments.certificate.empty()) {
    print_note("no certificate written: the routes can deadlock");
  }
  const std::optional<FromOld> from = from_old(model, routing, choice, arguments, session);
  const FromOld* const old = from ? &*from : nullptr;
  print(session, session.json ? verify_json(fabric, routing, verdict, old)
                              : verify_text(fabric, routing, verdict, old));
  const bool safe = !from || from->transition.safety != Safety::kNone;
  const bool holds = arguments.rechoose ? verdict.holds_for_some() : verdict.holds();
  session.status = holds && safe ? 0 : 1;
}

}  // namespace

void add_verify(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("verify", "prove or refute what routes promise");
  auto arguments = std::make_shared<VerifyArguments>();
  add_fabric(*verb, arguments->fabric, Hints::kBalance);
  add_tables(*verb, arguments->tables);
  add_lane_files(*verb, arguments->tables.lanes);
  Option* check = verb->add_option("--check", arguments->check,
                                   "check this certificate instead, by fatwood-check");
  check->excludes(verb->add_output("--certificate", arguments->certificate,
                                   output_form::kCertificate,
                                   "write the order of channels that every route ascends to this "
                                   "file"));
  auto* from = verb->add_option(
      "--from", arguments->from,
      "file of the tables that are in the switches: also prove a safe way to replace them");
  verb->add_option("--from-sl", arguments->from_sl,
                   "with --from: the service level of each of its paths; each lane is then judged "
                   "by itself")
      ->needs(from);
  check->excludes(from);
  check->excludes(
      verb->add_flag("--terminals-only", arguments->terminals_only,
                     "for deadlock, count packets between terminals only, not those of switches"));
  check->excludes(verb->add_flag("--rechoose", arguments->rechoose,
                                 "adaptive tables: assume that a waiting packet takes whichever "
                                 "port of its group frees first, and prove that"));
  add_threads(*verb, session);
  add_seed(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood verify 'ft(8,3)' updn --certificate proof");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
