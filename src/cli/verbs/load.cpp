// SPDX-License-Identifier: BSD-3-Clause
// fatwood load FABRIC ROUTING --traffic T: the load of each channel for a traffic.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/bounds/length_bound.hpp"
#include "analysis/load/hashed_load.hpp"
#include "cli/options/among.hpp"
#include "cli/options/host_order.hpp"
#include "cli/options/routing.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "io/base/output.hpp"
#include "io/tables/length_file.hpp"
#include "report/load/load_report.hpp"

namespace fatwood::cli {

namespace {

constexpr unsigned kMostQueuePairs = 1024;

struct LoadArguments {
  FabricRequest fabric;
  std::string routing;
  std::string traffic;
  std::size_t top = 10;
  std::string queue_pairs;  // "1,4,16"
  unsigned seeds = 200;
  std::optional<double> at_most;
  bool same_hash = false;
  std::string bound;        // file to write lengths to; "": none
  std::string check_bound;  // file to check
  AimChoice aim;
  std::string among = {};
  std::string host_order = {};
  PlotChoice plots;
};

// "1,4,16". InputError for what is no such list.
std::vector<unsigned> queue_pairs_of(const std::string& text) {
  std::vector<unsigned> list;
  if (text.empty()) return list;
  for (const std::string_view part : split_at(text, ',')) {
    const auto pairs = parse_number<unsigned>(part);
    if (!pairs || *pairs == 0 || *pairs > kMostQueuePairs) {
      throw InputError(fmt::format("--queue-pairs: expected numbers from 1 to {}, not \"{}\"",
                                   kMostQueuePairs, text));
    }
    list.push_back(*pairs);
  }
  return list;
}

// The distributions asked for, of the stage that loads the most loaded channel most.
std::optional<HashedReport> hashed(const LoadArguments& arguments, const Model& model,
                                   const Routing* adaptive, const Traffic& traffic,
                                   const Session& session) {
  const std::vector<unsigned> list = queue_pairs_of(arguments.queue_pairs);
  const bool limit = arguments.at_most.has_value();
  if (list.empty() && !limit) return std::nullopt;
  if (adaptive == nullptr) {
    throw InputError(fmt::format("{} needs adaptive tables; the switches of {} choose nothing",
                                 limit ? "--at-most" : "--queue-pairs", arguments.routing));
  }
  const HashedOptions options{
      .queue_pairs = 1,
      .seeds = arguments.seeds,
      .hashing = arguments.same_hash ? Hashing::kAlike : Hashing::kIndependent,
      .seed = session.seed,
      .threads = session.threads};
  HashedReport report{
      .seeds = options.seeds, .alike = arguments.same_hash, .rows = {}, .needed = {}};
  if (!list.empty()) report.rows = hashed_loads(model, *adaptive, traffic, list, options);
  if (limit) {
    report.at_most = *arguments.at_most;
    report.needed = queue_pairs_for(model, *adaptive, traffic, options, *arguments.at_most);
  }
  return report;
}

std::string traffic_help() {
  std::string text = "one of:";
  for (const Pattern& pattern : patterns()) text += fmt::format(" {}", pattern.usage);
  return text;
}

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
  const OpenFabric fabric = load(arguments.fabric);
  const Model& all = *fabric.model;
  const auto routes =
      open_paths(fabric, {.name = arguments.routing, .engine = {.aim = arguments.aim}}, session,
                 Entries::kAny);
  const Measured measured(all, *routes, participants(fabric, arguments.among));
  const Model& model = measured.model();
  const PathSource& paths = measured.paths();
  const Schedule schedule = make_traffic(arguments.traffic, AdapterNames(model), session.seed);
  if (!arguments.check_bound.empty()) check_bound(model, schedule, arguments.check_bound);
  const std::size_t listed = arguments.plots.any() ? model.fabric().num_channels() : arguments.top;
  ScheduleLoad result =
      schedule_load(model, paths, schedule, listed, session.threads, terminal_progress("load"));
  const PlotPanel panel = load_panel(result);
  if (result.channels.size() > arguments.top) result.channels.resize(arguments.top);
  if (!arguments.bound.empty()) {
    prove_bound(model, schedule, arguments.bound, result.stages[result.worst]);
  }
  const std::optional<HashedReport> by_hash =
      hashed(arguments, model, paths.adaptive(), schedule.stage(result.worst), session);
  AllPairs between;
  if (arguments.traffic == "alltoall") {
    between = all_pairs(all, *routes, measured, session.threads,
                        host_order(fabric, arguments.host_order));
  }
  print(session, session.json ? load_json(model, result, measured.who(), by_hash, between)
                              : load_text(model, result, measured.who(), by_hash, between));
  if (arguments.plots.any()) draw(arguments.plots, session, {panel});
}

}  // namespace

void add_load(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("load", "compute the load that a traffic pattern puts on each channel");
  auto arguments = std::make_shared<LoadArguments>();
  arguments->among = "all";
  add_fabric(*verb, arguments->fabric);
  add_routing(*verb, arguments->routing);
  verb->add_option("--traffic", arguments->traffic, traffic_help())->required();
  verb->add_option("--top", arguments->top, "how many of the most loaded channels to list");
  const Option* pairs = verb->add_option(
      "--queue-pairs", arguments->queue_pairs,
      "adaptive tables: a hash chooses the ports of each queue pair, and a flow has N of "
      "them (N or N,N,..): the distribution over seeds");
  const Option* most =
      verb->add_option(
              "--at-most", arguments->at_most,
              "adaptive tables: how many queue pairs keep the most loaded link at or below this "
              "load in 99 of 100 seeds")
          ->range(0.0, 1e9);
  verb->add_option("--seeds", arguments->seeds, "how many seeds of the hash are tried")
      ->range(1, 1000000)
      ->needs_any({pairs, most});
  verb->add_flag("--same-hash", arguments->same_hash,
                 "all switches hash alike (polarisation), not each by itself")
      ->needs_any({pairs, most});
  verb->add_output("--bound", arguments->bound, output_form::kLengths,
                   "write lengths of channels that prove a lower bound of OLOAD");
  verb->add_option("--check-bound", arguments->check_bound,
                   "check that the lengths in a file prove the bound that it claims");
  add_plots(*verb, arguments->plots, "the distribution of loads");
  add_aim(*verb, arguments->aim);
  add_among(*verb, arguments->among);
  add_host_order(*verb, arguments->host_order);
  add_common(*verb, session);
  verb->footer("Example: fatwood load 'ft(16,3)' disjoint:4 --traffic cluster:8");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
