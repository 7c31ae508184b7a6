// SPDX-License-Identifier: BSD-3-Clause
// fatwood verify FABRIC TABLES: what the routes promise, proved or refuted; or a proof checked.

#include "tasks/verify.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "app/questions.hpp"
#include "cli/options/add_options.hpp"
#include "cli/options/routing.hpp"
#include "cli/options/run_checker.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/base/output.hpp"
#include "io/routes/read_priorities.hpp"
#include "io/tables/sl2vl_file.hpp"
#include "report/proof/verify_report.hpp"
#include "routing/tables/destination_tree.hpp"

namespace fatwood::cli {

namespace {

struct VerifyArguments {
  FabricRequest fabric;
  RoutingRequest tables;
  std::string certificate, check;
  std::string from, from_sl;
  VerifyQuestion question;
  std::string priorities;
};

// The tables of --from; with lanes where --from-sl has them.
std::optional<OpenRouting> load_old(const OpenFabric& fabric, const OpenRouting& opened,
                                    const VerifyArguments& arguments, const Session& session) {
  if (arguments.from.empty()) return std::nullopt;
  if (arguments.from_sl.empty()) return open_file(fabric, arguments.from, session, "--from");
  if (!opened.lanes_known) throw InputError("give both --sl and --from-sl, or neither");
  if (!opened.routing.sl2vl.empty()) {
    throw InputError({.file = opened.lanes.sl2vl},
                     "levels take different lanes on different ports: --from-sl needs one lane for "
                     "each level");
  }
  return open_file(fabric, arguments.from, session, "--from",
                   {.sl = arguments.from_sl, .sl2vl = opened.lanes.sl2vl});
}

// --sl2vl without --sl: the question is about all SLs.
std::optional<LevelLanes> take_level_lanes(const Fabric& fabric, RoutingRequest& tables) {
  if (tables.lanes.sl2vl.empty() || !tables.lanes.sl.empty()) return std::nullopt;
  Sl2vl read = load_sl2vl(tables.lanes.sl2vl, fabric);
  tables.lanes.sl2vl.clear();
  return LevelLanes{read.same, std::move(read.map)};
}

// The settings of priorities of Ethernet: of the path given, else of where the fabric or the routes
// come from.
PortPriorities priorities_of(const OpenFabric& fabric, const OpenRouting& opened,
                             const std::string& path) {
  const auto read = [&](const std::string& from) {
    PortPriorities found = read_priorities(from, fabric.fabric(), fabric.run.labels);
    print_warnings(found.warnings);
    return found;
  };
  if (!path.empty()) {
    PortPriorities found = read(path);
    if (!found.empty()) return found;
    throw InputError({.file = path},
                     "has no PORT_QOS_MAP of a switch of the fabric: expected config_db.json of "
                     "SONiC, in a folder or archive with a file for each switch");
  }
  for (const std::string& from : {fabric.name, opened.name}) {
    if (from == "-" || !std::filesystem::exists(from)) continue;
    PortPriorities found = read(from);
    if (!found.empty()) return found;
  }
  return {};
}

void run(const VerifyArguments& arguments, Session& session) {
  const OpenFabric loaded = load(arguments.fabric);
  const Model& model = *loaded.model;
  const Fabric& fabric = model.fabric();
  RoutingRequest tables = arguments.tables;
  const std::optional<LevelLanes> levels = take_level_lanes(fabric, tables);
  const OpenRouting read =
      open(loaded, tables, session, {.run_lanes = levels ? RunLanes::kIgnored : RunLanes::kAll});
  if (levels && (!arguments.check.empty() || !arguments.certificate.empty())) {
    throw InputError({.file = "--sl2vl"},
                     "a certificate is about the SLs of paths: give --sl, too");
  }
  const Routing& routing = read.routing;
  if (!arguments.check.empty()) {
    check_size(fabric, routing);
    return run_checker(fabric, routing, arguments.check, session);
  }
  const bool ethernet = routing.may_return;
  if (!ethernet && !arguments.priorities.empty()) {
    throw InputError({.file = "--priorities"},
                     fmt::format("{} is not routed by Ethernet switches", routing.engine));
  }
  const PortPriorities priorities =
      ethernet ? priorities_of(loaded, read, arguments.priorities) : PortPriorities{};
  const std::optional<OpenRouting> old = load_old(loaded, read, arguments, session);
  const Proof proof =
      prove(model, routing,
            {.verify = {.sources =
                            arguments.question.terminals_only ? Sources::kTerminals : Sources::kAll,
                        .threads = session.threads,
                        .priorities = ethernet ? &priorities : nullptr,
                        .settings = &loaded.run.adaptive},
             .rechoose = arguments.question.rechoose,
             .old = old ? &old->routing : nullptr,
             .by_lane = old && old->lanes_known && read.lanes_known,
             .levels = levels ? &*levels : nullptr});
  if (!arguments.certificate.empty() && proof.deadlock_free()) {
    write_output(arguments.certificate,
                 [&](std::ostream& out) { write_certificate(out, fabric, routing, proof); });
  } else if (!arguments.certificate.empty()) {
    print_note("no certificate written: the routes can deadlock");
  }
  std::optional<FromOld> from;
  if (old) from.emplace(FromOld{model, old->lids, *proof.transition});
  const FromOld* const change = from ? &*from : nullptr;
  const EthernetFacts facts{read.prefixes, loaded.run.labels,
                            find_pfc_mismatches(fabric, priorities)};
  const EthernetFacts* const own = ethernet ? &facts : nullptr;
  const auto report = session.json ? verify_json : verify_text;
  print(session, report(fabric, routing, proof.verdict, read.contradictions, change, own));
  session.status = proof.holds() ? 0 : 1;
}

}  // namespace

void add_verify(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("verify", "prove or refute what routes promise");
  auto arguments = std::make_shared<VerifyArguments>();
  add_fabric(*verb, arguments->fabric, Hints::kBalance);
  add_tables(*verb, arguments->tables);
  add_lane_files(*verb, arguments->tables.lanes, Sl2vlAlone::kAllLevels);
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
                   "with --from: the service level of each of its paths; each lane is then checked "
                   "by itself")
      ->needs(from);
  check->excludes(from);
  AddOptions options(*verb);
  describe(options, arguments->question);
  check->excludes(options["terminals_only"])->excludes(options["rechoose"]);
  check->excludes(verb->add_option(
      "--priorities", arguments->priorities,
      "Ethernet: config_db.json of SONiC, or a folder or archive with one for each switch: which "
      "packets have which priority, and which priorities pause (PFC)"));
  add_common(*verb, session);
  verb->footer("Example: fatwood verify 'ft(8,3)' updn --certificate proof");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
