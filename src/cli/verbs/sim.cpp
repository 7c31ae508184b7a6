// SPDX-License-Identifier: BSD-3-Clause
// fatwood sim FABRIC ROUTING ...: what the fabric delivers, flit by flit.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/sim_model.hpp"
#include "cli/options/add_options.hpp"
#include "cli/options/among.hpp"
#include "cli/options/routing.hpp"
#include "cli/options/sim_switch.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "core/text/text_file.hpp"
#include "core/text/words.hpp"
#include "io/base/output.hpp"
#include "report/jobs/sim_report.hpp"
#include "report/load/among_report.hpp"
#include "routing/adaptive/changed_sets.hpp"
#include "sim/workload/sizes.hpp"

namespace fatwood::cli {

namespace {

struct SimArguments {
  FabricRequest fabric;
  std::string routing;
  std::string among = "all";
  std::string lane_file;
  bool adaptive = false;
  std::string choice;  // "": as the tables say
  std::optional<std::uint32_t> burst_silence;
  std::string paths = "packet-turns";
  std::string traffic = "uniform";
  std::string load;
  std::string message_size;  // bytes
  std::uint64_t message_flits = 0;
  std::string collective;
  std::string placement = "order";
  bool barrier = false;
  std::size_t stages = 0;
  std::string trace;
  double switch_load = 0;
  unsigned service_level = 0, switch_service_level = 0;
  std::int64_t cycles = 30000;
  std::string csv, series, use;
  PlotChoice plots;
  SwitchModelChoice model;
  SwitchOptions change;
};

bool needs_switch_routes(const SimArguments& a) { return a.switch_load > 0 || !a.trace.empty(); }
bool needs_tables(const SimArguments& a) {
  return needs_switch_routes(a) || !a.change.to.empty() || a.among != "all";
}

// InputError unless the words ask for a routing that there is. Nothing: adaptive.
std::optional<OpenRouting> choose(const SimArguments& a, const OpenFabric& fabric,
                                  const Session& session) {
  const bool named = !a.routing.empty() || has_tables(fabric);
  if (a.adaptive ? !a.routing.empty() : !named) {
    throw InputError("give either ROUTING or --adaptive");
  }
  if (a.adaptive && !a.lane_file.empty()) {
    throw InputError("--sl needs a file of tables as ROUTING");
  }
  std::optional<OpenRouting> chosen;
  if (!a.adaptive) {
    chosen = open(fabric, {.name = a.routing, .lanes = {.sl = a.lane_file, .sl2vl = {}}}, session,
                  {.wanted = needs_tables(a) ? Wanted::kTables : Wanted::kPaths,
                   .run_lanes = RunLanes::kOnePerLevel});
    require_own_lanes(chosen->routing, chosen->lanes);
  }
  if (a.choice.empty()) return chosen;
  if (!chosen || chosen->routing.sets.empty()) {
    throw InputError("--choice needs adaptive tables; here each entry has one port");
  }
  chosen->routing.sets = sets_in_state(fabric.fabric(), chosen->routing, state_named(a.choice));
  return chosen;
}

// Routes are those of `all`; the hosts of `model` send. Both must outlive it.
std::unique_ptr<Simulation> prepare(const SimArguments& a, const OpenFabric& all,
                                    const Model& model, const Session& session) {
  std::optional<OpenRouting> chosen = choose(a, all, session);
  SimulationOptions options{.switches = make_model(model.fabric(), a.model),
                            .lanes = a.model.lanes,
                            .choice = parse_path_choice(a.paths),
                            .seed = session.seed};
  options.more_lanes = std::max(a.service_level, a.switch_load > 0 ? a.switch_service_level : 0);
  if (a.burst_silence) options.switches.burst_silence = *a.burst_silence;
  auto simulation = std::make_unique<Simulation>(model, std::move(chosen), options);
  sim::Routes& routes = simulation->routes;
  if (!a.change.to.empty()) {
    const auto& routing = simulation->routing;
    if (!routing || routing->algebraic || routing->routing.tables.num_destinations() == 0 ||
        simulation->routing_lanes > 1) {
      throw InputError("--switch-to needs tables on one lane as ROUTING");
    }
    if (!routing->routing.sets.empty()) {
      throw InputError("--switch-to needs tables with one port per entry, and these are adaptive");
    }
    change_tables(all, routing->routing, a.change, session, simulation->network, routes);
    return simulation;  // what the old tables have lost may be why they change
  }
  routes.check_terminals(model.fabric(), a.trace.empty() ? sim::Routes::Between::kPortPairs
                                                         : sim::Routes::Between::kAnyPorts);
  if (a.switch_load > 0) routes.check_switches(model.fabric());
  return simulation;
}

std::string title_of(const SimArguments& a) {
  return fmt::format("{}, {}", a.fabric.name, a.adaptive ? "adaptive" : a.routing);
}

bool has_loop(const std::optional<sim::TableSwitch>& switched) {
  return switched && switched->looping > 0;
}

void write_file(const Session& session, const std::string& path, const std::string& text) {
  if (!path.empty() && session.rank == 0) write_output(path, text);
}

// --message-size as `parse` reads it.
template <class Parse>
auto message_sizes(const SimArguments& a, const Parse& parse) {
  const std::string text = a.message_size.empty() ? "4k" : a.message_size;
  return read_word({.file = "--message-size"}, {text, 0}, parse);
}

void run_open(const SimArguments& a, Session& session) {
  SweepOptions options;
  if (a.load != "saturation") options.loads = sim::parse_loads(a.load);
  const OpenFabric all = load(a.fabric, session);
  const Measured measured(*all.model, participants(all, a.among));
  const auto p = prepare(a, all, measured.model(), session);
  options.traffic = a.traffic;
  options.open.message_flits = a.message_flits;
  if (!a.message_size.empty()) {
    options.open.message_flits = flits_of(message_sizes(a, sim::parse_bytes), p->switches);
  }
  options.open.service_level = static_cast<std::uint8_t>(a.service_level);
  options.open.switch_load = a.switch_load;
  options.open.switch_service_level = static_cast<std::uint8_t>(a.switch_service_level);
  options.open.cycles = a.cycles;
  options.threads = session.threads;
  options.share = session.share;
  options.progress = terminal_progress("sim");
  const SimResult result = simulate_loads(*p, options);
  write_file(session, a.csv, sim_csv(result));
  write_file(session, a.series, series_csv(result));
  write_file(session, a.use, use_csv(p->fabric(), p->network, result));
  print(session, session.json
                     ? sim_json(p->fabric(), p->network, result, measured.who())
                     : among_line(measured.who()) + sim_text(p->fabric(), p->network, result));
  if (a.plots.any()) draw(a.plots, session, sim_panels(title_of(a), result));
  for (const sim::Point& point : result.points) {
    if (point.deadlock || has_loop(point.switched)) session.status = 1;
  }
}

void print_lists(const SimArguments& a, Session& session, const Simulation& p,
                 const std::vector<CollectivePoint>& points, const Participants& who = {}) {
  write_file(session, a.csv, collective_csv(p.network, points));
  print(session, session.json ? collective_json(p.fabric(), p.network, points, who)
                              : among_line(who) + collective_text(p.fabric(), p.network, points));
  if (a.plots.any()) draw(a.plots, session, collective_panels(title_of(a), points));
  for (const CollectivePoint& point : points) {
    if (point.result.deadlock || has_loop(point.result.switched)) session.status = 1;
  }
}

void run_collective(const SimArguments& a, Session& session) {
  const auto sizes = message_sizes(a, sim::parse_byte_range);
  const OpenFabric all = load(a.fabric, session);
  const Measured measured(*all.model, participants(all, a.among));
  const auto p = prepare(a, all, measured.model(), session);
  const CollectiveOptions options{.collective = a.collective,
                                  .shuffled = a.placement == "random",
                                  .sizes = sizes,
                                  .stages = a.stages,
                                  .pace = a.barrier ? sim::Pace::kBarrier : sim::Pace::kAfterSent,
                                  .service_level = static_cast<std::uint8_t>(a.service_level),
                                  .threads = session.threads,
                                  .share = session.share,
                                  .progress = terminal_progress("sim")};
  print_lists(a, session, *p, simulate_collective(*p, options), measured.who());
}

void run_trace(const SimArguments& a, Session& session) {
  std::ifstream in = open_text(a.trace);
  const OpenFabric fabric = load(a.fabric, session);
  const Model& model = *fabric.model;
  const auto p = prepare(a, fabric, model, session);
  sim::MessageLists lists = sim::parse_trace(in, a.trace, model, p->network, p->switches);
  bool switches = false;
  for (std::size_t e = 0; e < lists.size(); ++e) {
    for (sim::ListedMessage& m : lists[e]) {
      m.service_level = static_cast<std::uint8_t>(a.service_level);
      switches = switches || e >= p->network.terminals || m.dest >= p->network.terminals;
    }
  }
  if (switches) p->routes.check_switches(p->fabric());
  std::vector<CollectivePoint> points(1);
  points[0].result = sim::run_lists(p->setup(session.threads), std::move(lists), sim::Pace::kAtTime,
                                    terminal_progress("sim"));
  print_lists(a, session, *p, points);
}

// The three modes: one of them must be given.
struct Modes {
  Option* load;
  Option* collective;
  Option* trace;
};

Modes add_modes(Verb& verb, SimArguments& a) {
  Modes modes{};
  modes.load = verb.add_option(
      "--load", a.load,
      "share of what a terminal can send: 0.3, 0.1:1.0:0.05, 0.2,0.5, or saturation");
  modes.collective =
      verb.add_option("--collective", a.collective,
                      "each terminal's own list: shift, ring, doubling, halving, file:PATH, ..")
          ->excludes(modes.load);
  modes.trace = verb.add_option("--trace", a.trace,
                                "file of messages: time in ns, source, destination, bytes")
                    ->excludes(modes.load)
                    ->excludes(modes.collective);
  return modes;
}

void add_traffic_options(Verb& verb, SimArguments& a, const Modes& modes) {
  verb.add_option("--traffic", a.traffic,
                  "uniform (a new destination for each message), or a pattern of fatwood load; "
                  "messages are Poisson")
      ->needs(modes.load);
  const Option* flits = verb.add_option("--message-flits", a.message_flits,
                                        "flits of a message (default: one packet)")
                            ->range(1U, UINT32_MAX)
                            ->needs(modes.load);
  verb.add_option("--message-size", a.message_size,
                  "bytes of a message; with --collective also 4k:16M, by powers of two")
      ->excludes(flits)
      ->needs_any({modes.load, modes.collective});
  verb.add_option("--placement", a.placement, "ranks of a collective on terminals")
      ->one_of({"order", "random"})
      ->needs(modes.collective);
  verb.add_flag("--barrier", a.barrier, "a stage starts when the one before has arrived everywhere")
      ->needs(modes.collective);
  verb.add_option("--stages", a.stages, "simulate this many of the stages, evenly spread (0: all)")
      ->needs(modes.collective);
  verb.add_option("--service-level", a.service_level, "service level of the terminals' messages")
      ->range(0, 15);
  const Option* switch_load =
      verb.add_option(
              "--switch-load", a.switch_load,
              "uniform traffic between the switches' own ports: share of what these can send")
          ->needs(modes.load);
  verb.add_option("--switch-service-level", a.switch_service_level,
                  "service level of the switches' messages")
      ->range(0, 15)
      ->needs(switch_load);
  verb.add_option("--cycles", a.cycles, "length of a run, in flit times of the fastest link")
      ->needs(modes.load);
}

}  // namespace

void add_sim(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("sim", "simulate what the fabric delivers, flit by flit");
  auto a = std::make_shared<SimArguments>();
  add_fabric(*verb, a->fabric);
  add_routing(*verb, a->routing);
  verb->add_option("--sl", a->lane_file,
                   "with a file of tables: the service level of each path, as ibdmchk -c reads it");
  verb->add_option("--choice", a->choice,
                   "with adaptive tables: free (the least queue), bounded (kept for a burst) or "
                   "hashed (by flow), in place of their own")
      ->one_of({"free", "bounded", "hashed"});
  verb->add_option("--burst-silence", a->burst_silence,
                   "bounded: cycles without a packet after which a port is chosen again (100)");
  const Option* adaptive = verb->add_flag(
      "--adaptive", a->adaptive, "the least-queued of the shortest paths, instead of a routing");
  AddOptions options(*verb);
  describe_paths(options, a->paths);
  const Modes modes = add_modes(*verb, *a);
  add_traffic_options(*verb, *a, modes);
  add_switch_options(*verb, a->change)->needs_any({modes.load, modes.trace})->excludes(adaptive);
  describe(options, a->model);
  verb->add_output("--csv", a->csv, output_form::kSimTable, "write the table as CSV");
  add_plots(*verb, a->plots, "latency and throughput");
  verb->add_output("--series", a->series, output_form::kSimSeries,
                   "write the time series of each point as CSV")
      ->needs(modes.load);
  verb->add_output("--use", a->use, output_form::kSimUse, "write the use of every channel as CSV")
      ->needs(modes.load);
  add_among(*verb, a->among)->excludes(modes.trace);
  add_common(*verb, session);
  verb->footer(
      "Example: fatwood sim 'xgft(3;4,4,8;1,4,4)' disjoint:4 --load 0.1:1.0:0.05 --svg "
      "p.svg");
  verb->callback(session, [a, &session] {
    if (!a->collective.empty()) return run_collective(*a, session);
    if (!a->trace.empty()) return run_trace(*a, session);
    if (!a->load.empty()) return run_open(*a, session);
    throw InputError("expected one of --load, --collective and --trace");
  });
}

}  // namespace fatwood::cli
