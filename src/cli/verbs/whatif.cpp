// SPDX-License-Identifier: BSD-3-Clause
// fatwood whatif FABRIC [ROUTING]: what each loss costs, and what to put back first.

#include "app/whatif.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/options/add_options.hpp"
#include "cli/options/among.hpp"
#include "cli/options/host_order.hpp"
#include "cli/options/routing.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/lists/node_list.hpp"
#include "report/change/losses_report.hpp"
#include "report/change/repair_report.hpp"
#include "report/change/spread_report.hpp"
#include "report/change/whatif_report.hpp"
#include "report/proof/flow_report.hpp"
#include "tasks/ethernet/prove_losses.hpp"

namespace fatwood::cli {

namespace {

struct WhatifArguments {
  FabricRequest fabric;
  RoutingRequest tables;
  WhatifQuestion question;
  bool csv = false;
  bool distribution = false;
  bool settled = false, transient = false;
  std::string protocol;
  std::string pause;
  std::vector<std::string> pause_jobs;
};

// One loss that is planned or has happened, three ways.
void run_lose(const OpenFabric& fabric, const Routing& routing, const WhatifArguments& arguments,
              const Session& session) {
  const WhatifQuestion& question = arguments.question;
  const LossStages answer =
      find_loss(*fabric.model, routing, question, participants(fabric, question.among),
                host_order(fabric, question.host_order),
                options_of_engine(fabric, arguments.tables, session));
  print(session, session.json ? loss_json(answer.result)
                              : loss_text(answer.result, answer.names, answer.engine));
}

// Sets of cables are all that there are, if they are no more than the samples.
std::vector<Fault> losses_asked(const Model& model, const WhatifOptions& options) {
  const std::vector<Fault> cables = single_cables(model);
  if (options.set_size == 0) {
    std::vector<Fault> faults;
    if (options.losses != Losses::kSwitches) faults = cables;
    if (options.losses != Losses::kCables) {
      for (Fault& fault : single_switches(model)) faults.push_back(std::move(fault));
    }
    return faults;
  }
  if (options.set_size > cables.size()) {
    throw InputError(fmt::format("sets {}: the fabric has {} cables between switches",
                                 options.set_size, cables.size()));
  }
  if (auto all = all_cable_sets(model, options.set_size, options.samples)) return std::move(*all);
  return random_cables(model, options.set_size, options.samples, options.seed);
}

// Ethernet: which losses can lock up.
void print_losses(const OpenFabric& fabric, const OpenRouting& opened, const WhatifOptions& options,
                  const WhatifArguments& arguments, const Session& session) {
  LossQuestion asked{.state = arguments.transient ? LossState::kTransient : LossState::kSettled,
                     .threads = session.threads,
                     .progress = terminal_progress("whatif")};
  if (arguments.protocol == "bgp") asked.protocol = AfterLoss::kBgp;
  if (arguments.protocol == "ospf") asked.protocol = AfterLoss::kOspf;
  if (arguments.protocol == "none") asked.protocol = AfterLoss::kNone;
  const Model& model = *fabric.model;
  const LossAnswer answer =
      prove_each_loss(model, opened.routing, losses_asked(model, options), asked);
  const Names& labels = fabric.run.labels;
  print(session, session.json ? losses_json(model, opened.routing, answer, opened.prefixes, labels)
                              : losses_text(model, opened.routing, answer, opened.prefixes, labels,
                                            arguments.question.top));
}

// "NAME=HOSTS" of each --pause-job; all hosts if there is none.
std::vector<PausedJob> jobs_asked(const Fabric& fabric, const TerminalNames& names,
                                  const std::vector<std::string>& words) {
  std::vector<PausedJob> jobs;
  for (const std::string& word : words) {
    const std::size_t at = word.find('=');
    const Location where{.file = "--pause-job " + word};
    if (at == 0 || at == std::string::npos) throw InputError(where, "expected NAME=HOSTS");
    PausedJob& job = jobs.emplace_back();
    job.name = word.substr(0, at);
    job.hosts = names.terminals(word.substr(at + 1), where);
  }
  if (!jobs.empty()) return jobs;
  PausedJob& all = jobs.emplace_back();
  all.name = "of all hosts";
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) all.hosts.push_back(t);
  }
  return jobs;
}

void print_pause(const OpenFabric& fabric, const Routing& routing, const WhatifArguments& arguments,
                 const Session& session) {
  const Location where{.file = "--pause"};
  const TerminalNames names(fabric.fabric());
  const std::vector<Terminal> hosts = names.terminals(arguments.pause, where);
  if (hosts.size() != 1 || fabric.fabric().leaf(hosts.front()) == kNone<Switch>) {
    throw InputError(where, fmt::format("\"{}\" has {} ports at switches: name one",
                                        arguments.pause, hosts.size()));
  }
  const PauseSpread spread = spread_pause(*fabric.model, routing, hosts.front(),
                                          jobs_asked(fabric.fabric(), names, arguments.pause_jobs));
  const Names& labels = fabric.run.labels;
  print(session, session.json ? pause_json(*fabric.model, labels, spread)
                              : pause_text(*fabric.model, labels, spread, arguments.question.top));
}

void run(const WhatifArguments& arguments, const Session& session) {
  const WhatifQuestion& question = arguments.question;
  if (arguments.csv && session.json) throw InputError("give either --csv or --json");
  if (arguments.csv && !question.add.empty()) {
    throw InputError("give either --add or --csv: the latter prints the faults alone");
  }
  const OpenFabric fabric = load(arguments.fabric, session);
  const Model& model = *fabric.model;
  const OpenRouting opened =
      open(fabric, arguments.tables, session,
           {.unnamed = Unnamed::kDefault, .run_lanes = RunLanes::kOnePerLevel});
  const Routing& routing = opened.routing;
  if (!arguments.pause.empty()) return print_pause(fabric, routing, arguments, session);
  if (!question.lose.empty()) return run_lose(fabric, routing, arguments, session);
  RouteOptions route;
  if (is_engine(routing.engine)) route = options_of_engine(fabric, arguments.tables, session);
  route.threads = session.threads;
  WhatifOptions options =
      whatif_options(participants(fabric, question.among), routing, question, std::move(route));
  options.seed = session.seed;
  if (arguments.settled || arguments.transient) {
    return print_losses(fabric, opened, options, arguments, session);
  }
  options.progress = terminal_progress("whatif");
  options.share = session.share;
  options.writes = session.rank == 0;
  if (arguments.csv || arguments.distribution) options.detailed = 0;
  const WhatifResult result = whatif(model, routing, options);
  if (arguments.distribution) {
    const FaultSpread spread = fault_spread(result);
    return print(session, session.json ? document({{"engine", result.engine},
                                                   {"distribution", spread_json(spread)}})
                                       : spread_text(spread));
  }
  print(session, session.json    ? whatif_json(model, result)
                 : arguments.csv ? whatif_csv(model, result)
                                 : whatif_text(model, result, question.top));
}

// Losses proved, and a host that pauses.
void add_ethernet(Verb& verb, WhatifArguments& arguments, const Option* only, const Option* sets,
                  const Option* lose) {
  Option* settled = verb.add_flag(
      "--settled", arguments.settled,
      "Ethernet: prove for each loss whether pauses can lock up and which pairs it disconnects, "
      "when every switch has found new routes");
  settled->excludes(lose);
  Option* transient = verb.add_flag("--transient", arguments.transient,
                                    "the same when the switches at the loss have new routes and "
                                    "the others do not yet");
  transient->excludes(lose);
  transient->excludes(settled);
  Option* pause =
      verb.add_option("--pause", arguments.pause,
                      "this host's port pauses its cable for ever: which ports and jobs can stop");
  for (const Option* other : {only, sets, lose, static_cast<const Option*>(settled),
                              static_cast<const Option*>(transient)}) {
    pause->excludes(other);
  }
  verb.add_option("--pause-job", arguments.pause_jobs,
                  "NAME=HOSTS: only packets within such jobs count, and each is reported")
      ->one_each()
      ->needs(pause);
  verb.add_option("--protocol", arguments.protocol,
                  "with these: bgp, ospf or none (no switch finds new routes); default: the one "
                  "that gives the routes")
      ->one_of({"bgp", "ospf", "none"})
      ->needs_any({settled, transient});
}

}  // namespace

void add_whatif(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("whatif", "show what each loss costs, and what to put back first");
  auto arguments = std::make_shared<WhatifArguments>();
  add_fabric(*verb, arguments->fabric);
  add_tables(*verb, arguments->tables);
  AddOptions options(*verb);
  describe(options, arguments->question);
  options["host_order"]->needs(options["lose"]);
  const Option* distribution =
      verb->add_flag("--distribution", arguments->distribution,
                     "print the distribution over the sets: quantiles, mean, deviation")
          ->needs(options["sets"]);
  add_ethernet(*verb, *arguments, options["only"], options["sets"], options["lose"]);
  verb->add_flag("--csv", arguments->csv, "print the faults as CSV")->excludes(distribution);
  add_common(*verb, session);
  verb->footer("Example: fatwood whatif 'ft(8,3)' --cut 3 --add switch@3");
  verb->callback(session, [arguments, &session] {
    if (!arguments->question.add.empty() && !arguments->tables.name.empty() &&
        !names_engine(arguments->tables.name)) {
      throw InputError(
          fmt::format("--add needs an engine, and {} is none", arguments->tables.name));
    }
    run(*arguments, session);
  });
}

}  // namespace fatwood::cli
