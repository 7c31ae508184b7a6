// SPDX-License-Identifier: BSD-3-Clause
// fatwood load FABRIC ROUTING --traffic T: the load of each channel for a traffic.

#include "app/load.hpp"

#include <fmt/format.h>

#include <memory>

#include "analysis/bounds/length_bound.hpp"
#include "cli/options/add_options.hpp"
#include "cli/options/among.hpp"
#include "cli/options/host_order.hpp"
#include "cli/options/routing.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/base/output.hpp"
#include "io/tables/length_file.hpp"
#include "report/load/load_report.hpp"

namespace fatwood::cli {

namespace {

struct LoadArguments {
  FabricRequest fabric;
  std::string routing;
  LoadQuestion question;
  std::string bound;        // file to write lengths to; "": none
  std::string check_bound;  // file to check
  AimChoice aim;
  PlotChoice plots;
};

// One stage, as a proof is of one traffic.
Traffic only_stage(const Schedule& schedule, std::string_view option) {
  if (schedule.stages == 1) return schedule.stage(0);
  throw InputError(fmt::format("{} is for traffic of one stage; {} has {}", option, schedule.name,
                               schedule.stages));
}

// Writes the proof, and takes it for the OLOAD where that was a bound and this one is better.
void prove_bound(const Model& model, const Schedule& schedule, const std::string& path,
                 StageLoad& stage) {
  const LengthBound bound = length_bound(model, only_stage(schedule, "--bound"));
  write_output(path, [&](std::ostream& out) {
    out << length_text(model.fabric(), {bound.value, bound.length});
  });
  if (stage.oload.kind == OloadKind::kLowerBound && bound.value > stage.oload.value) {
    stage.oload.value = bound.value;
  }
}

void check_bound(const Model& model, const Schedule& schedule, const std::string& path) {
  const Traffic traffic = only_stage(schedule, "--check-bound");
  const LengthFile file = read_lengths(path, model.fabric());
  if (bound_of_lengths(model, traffic, file.length) >= file.bound) return;
  throw PromiseError(fmt::format("{}: these lengths do not prove that a channel carries {} or more",
                                 path, file.bound.to_string()));
}

void run(const LoadArguments& arguments, const Session& session) {
  const LoadQuestion& question = arguments.question;
  const OpenFabric fabric = load(arguments.fabric);
  const Model& all = *fabric.model;
  const auto routes =
      open_paths(fabric, {.name = arguments.routing, .engine = {.aim = arguments.aim}}, session,
                 Entries::kAny);
  const Measured measured(all, *routes, participants(fabric, question.among));
  const Model& model = measured.model();
  const Schedule schedule = make_traffic(question.traffic, AdapterNames(model), session.seed);
  if (!arguments.check_bound.empty()) check_bound(model, schedule, arguments.check_bound);
  LoadAnswer answer =
      find_load(all, *routes, measured, schedule, question,
                {.seed = session.seed,
                 .threads = session.threads,
                 .progress = terminal_progress("load"),
                 .routing = arguments.routing,
                 .order = host_order(fabric, question.host_order),
                 .listed = arguments.plots.any() ? model.fabric().num_channels() : question.top});
  const PlotPanel panel = load_panel(answer.load);
  ScheduleLoad& found = answer.load;
  if (found.channels.size() > question.top) found.channels.resize(question.top);
  if (!arguments.bound.empty()) {
    prove_bound(model, schedule, arguments.bound, found.stages[found.worst]);
  }
  const Participants& who = measured.who();
  print(session, session.json ? load_json(model, found, who, answer.hashed, answer.pairs)
                              : load_text(model, found, who, answer.hashed, answer.pairs));
  if (arguments.plots.any()) draw(arguments.plots, session, {panel});
}

}  // namespace

void add_load(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("load", "compute the load that a traffic pattern puts on each channel");
  auto arguments = std::make_shared<LoadArguments>();
  add_fabric(*verb, arguments->fabric);
  add_routing(*verb, arguments->routing);
  AddOptions options(*verb);
  describe(options, arguments->question);
  verb->add_output("--bound", arguments->bound, output_form::kLengths,
                   "write lengths of channels that prove a lower bound of OLOAD");
  verb->add_option("--check-bound", arguments->check_bound,
                   "check that the lengths in a file prove the bound that it claims");
  add_plots(*verb, arguments->plots, "the distribution of loads");
  add_aim(*verb, arguments->aim);
  add_common(*verb, session);
  verb->footer("Example: fatwood load 'ft(16,3)' disjoint:4 --traffic cluster:8");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
