// SPDX-License-Identifier: BSD-3-Clause
// fatwood report FABRIC -o page.html: a page that shows a fabric, its engines and their proofs.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/options/among.hpp"
#include "cli/options/host_order.hpp"
#include "cli/options/page_parts.hpp"
#include "cli/options/routing.hpp"
#include "cli/shell_words.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "core/version.hpp"
#include "io/base/output.hpp"
#include "report/fabric/quality_report.hpp"
#include "report/page/page.hpp"
#include "routing/tables/path_source.hpp"
#include "tasks/recommend.hpp"
#include "topology/hosts/roles.hpp"

namespace fatwood::cli {

namespace {

// Up to here the worst traffic of one engine is a matter of seconds ..
constexpr std::size_t kMostHostsForWorst = 2500;
// .. and up to here what each cable and switch is worth.
constexpr std::size_t kMostHostsForLosses = 6000;

struct ReportArguments {
  FabricRequest fabric;
  EngineChoice choice;
  std::string among = {};
  std::string host_order = {};
  std::vector<std::string> engines;
  std::vector<std::string> tables;
  std::vector<std::string> sl;
  std::vector<std::string> sl2vl;
  std::vector<std::string> worst;
  std::string jobs;
  std::string title;
  std::string output;
};

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

constexpr std::string_view kAllEngines = "all";

bool names_all(const ReportArguments& arguments) {
  return std::ranges::count(arguments.engines, kAllEngines) > 0;
}

bool wanted(const ReportArguments& arguments, const Engine& engine) {
  return arguments.engines.empty() || names_all(arguments) ||
         std::ranges::count(arguments.engines, engine.name) > 0;
}

void check_words(const ReportArguments& arguments) {
  if (!has_page()) {
    throw InputError(
        "this fatwood was built without the page: npm was not there. Install nodejs and npm, then "
        "configure and build again");
  }
  for (const std::string& name : arguments.engines) {
    if (name != "none" && name != kAllEngines) (void)find_engine(name);
  }
  if (arguments.sl.size() > arguments.tables.size()) {
    throw InputError("more --sl than --tables");
  }
  if (arguments.sl2vl.size() > arguments.sl.size()) {
    throw InputError("more --sl2vl than --sl");
  }
  for (const std::string& name : arguments.worst) {
    const auto is_it = [&](const std::string& path) { return file_name(path) == name; };
    if (name == "none" || std::ranges::any_of(arguments.tables, is_it)) continue;
    if (!wanted(arguments, find_engine(name))) {
      throw InputError(
          fmt::format("--worst {0} needs engine {0}, and --engines leaves it out", name));
    }
  }
}

// The n-th --sl and --sl2vl go with the n-th --tables; "none" or less of them: no lanes.
LaneFiles lanes_of(const ReportArguments& arguments, std::size_t n) {
  const auto nth = [n](const std::vector<std::string>& files) {
    return n < files.size() && files[n] != "none" ? files[n] : std::string();
  };
  return {.sl = nth(arguments.sl), .sl2vl = nth(arguments.sl2vl)};
}

std::vector<EvaluatedEngine> evaluate_all(const OpenFabric& loaded,
                                          const ReportArguments& arguments, const GivenOrder& order,
                                          const Session& session) {
  const Model& model = *loaded.model;
  RouteOptions options = options_of_engine(loaded, {.engine = arguments.choice}, session);
  options.progress = terminal_progress("report");
  const EngineEvaluator evaluator(model, participants(loaded, arguments.among), CountShifts::kYes,
                                  session.threads, order);
  std::vector<EvaluatedEngine> evaluated;
  for (std::size_t i = 0; i < arguments.tables.size(); ++i) {
    const std::string& path = arguments.tables[i];
    OpenRouting tables = open(loaded, {.name = path, .lanes = lanes_of(arguments, i)}, session,
                              {.run_lanes = RunLanes::kOnePerLevel});
    require_own_lanes(tables.routing, tables.lanes);
    evaluated.push_back(evaluator.tables(file_name(path), std::move(tables.routing)));
  }
  std::vector<Engine> list;
  for (const Engine& engine : engines()) {
    if (wanted(arguments, engine)) list.push_back(engine);
  }
  evaluator.engines(list, options,
                    arguments.engines.empty() ? SlowEngines::kIfTheyCouldWin : SlowEngines::kAlways,
                    [&](EvaluatedEngine engine) { evaluated.push_back(std::move(engine)); });
  return evaluated;
}

std::string recommended_engine(const std::vector<EvaluatedEngine>& engines) {
  std::vector<EngineRow> rows;
  for (const EvaluatedEngine& engine : engines) rows.push_back(engine.row);
  const auto best = recommend(rows);
  return best ? best->engine : "";
}

// The engines whose worst traffic is looked for: those asked for; else, on fabrics that are small
// enough, the given tables, the recommended engine and minhop.
bool worst_wanted(const ReportArguments& arguments, const Model& model,
                  const EvaluatedEngine& engine, const std::string& recommended) {
  if (!engine.routing || engine.row.result->reachability.unreachable.terminal_terminal > 0) {
    return false;
  }
  if (!engine.routing->sets.empty()) return false;  // no list of paths
  if (model.adapters().size() < 2) return false;
  if (!arguments.worst.empty()) return std::ranges::count(arguments.worst, engine.row.name) > 0;
  return model.adapters().size() <= kMostHostsForWorst &&
         (engine.row.name == "minhop" || engine.row.name == recommended ||
          !is_engine(engine.row.name));
}

// Of the first tables given, or the recommended engine, if they have one VL; where the fabric is a
// tree and not too large.
std::optional<PageLosses> losses_of(const Model& model, const PageContent& content,
                                    const std::string& recommended, int threads) {
  const std::vector<EvaluatedEngine>& engines = content.engines;
  if (!model.levels().is_tree() || model.adapters().size() > kMostHostsForLosses) {
    return std::nullopt;
  }
  const auto serves = [&](const EvaluatedEngine& engine) {
    return engine.routing && engine.routing->source_routes.empty() &&
           engine.routing->sets.empty() && engine.routing->lanes.single() &&
           (engine.row.name == recommended || !is_engine(engine.row.name));
  };
  const auto engine = std::ranges::find_if(engines, serves);
  if (engine == engines.end()) return std::nullopt;
  const ForwardingTables& tables = engine->routing->tables;
  const Lids lids = assign_lids(model.fabric(), tables.lmc());
  const Measured among(model, content.who);
  const TablesInUse in_use(among.model(), tables, threads);
  const FaultCosts costs(in_use, lids, threads, 0, 1, FindTransition::kNo);
  PageLosses losses;
  losses.engine = engine->row.name;
  const FaultCost now = costs.now();
  losses.gigabits_now = now.gigabits;
  losses.mload_now = now.mload;
  losses.faults = single_cables(model);
  for (Fault& fault : single_switches(model)) losses.faults.push_back(std::move(fault));
  losses.costs = costs.of(losses.faults, terminal_progress("losses"));
  return losses;
}

// Of the first tables given, else of the recommended engine.
std::optional<CheckReport> check_of(const OpenFabric& loaded, const ReportArguments& arguments,
                                    const PageContent& content, const std::string& recommended,
                                    const GivenOrder& order, int threads) {
  const Model& model = *loaded.model;
  const auto serves = [&](const EvaluatedEngine& engine) {
    return engine.routing && (engine.row.name == recommended || !is_engine(engine.row.name));
  };
  const auto engine = std::ranges::find_if(content.engines, serves);
  if (engine == content.engines.end()) return std::nullopt;
  const bool file = !is_engine(engine->row.name);
  return report_check(model, content.show,
                      check(model, *engine->routing,
                            {.threads = threads, .settings = &loaded.run.adaptive, .order = order}),
                      ShellCommand("", arguments.fabric, Folders::kDropped).text(),
                      {.word = shell_word(engine->row.name), .files = file, .lanes = ""},
                      quality_findings(model, loaded.run, *engine->routing, {}, threads));
}

void run(const ReportArguments& arguments, const std::string& command, Session& session) {
  const OpenFabric loaded = load_with_warnings(arguments.fabric);
  const Model& model = *loaded.model;
  PageContent content;
  content.title = arguments.title.empty() ? file_name(arguments.fabric.name) : arguments.title;
  content.command = command;
  content.version = std::string(version());
  content.show = show_report(model, loaded.format, loaded.warnings);
  content.jobs = page_jobs(model, arguments.jobs);
  content.who = participants(loaded, arguments.among);
  const GivenOrder order = host_order(loaded, arguments.host_order);
  content.engines = evaluate_all(loaded, arguments, order, session);
  const std::string recommended = recommended_engine(content.engines);
  content.adaptive = page_adaptive(model, content.engines, session);
  content.run = &loaded.run;
  for (const EvaluatedEngine& engine : content.engines) {
    if (!worst_wanted(arguments, model, engine, recommended)) continue;
    WorstOptions options{.traffic = TrafficClass::kAny,
                         .threads = session.threads,
                         .progress = terminal_progress("worst")};
    content.worst.push_back(
        find_worst(model, *path_source(model, *engine.routing), engine.row.name, options));
  }
  content.losses = losses_of(model, content, recommended, session.threads);
  if (auto found = check_of(loaded, arguments, content, recommended, order, session.threads)) {
    content.check.emplace(*std::move(found));
  }
  const std::string html = page_html(model, content);
  write_output(arguments.output, html);
}

// The command line without its directories, for the page's foot: what was given, and the seeds that
// something was drawn by.
std::string command_of(const ReportArguments& arguments, const Session& session) {
  const EngineChoice& choice = arguments.choice;
  ShellCommand command("fatwood report ", arguments.fabric, Folders::kDropped);
  command.add_files("--tables", arguments.tables);
  command.add_files("--sl", arguments.sl);
  command.add_files("--sl2vl", arguments.sl2vl);
  command.add("--engines", fmt::format("{}", fmt::join(arguments.engines, ",")));
  command.add("--worst", fmt::format("{}", fmt::join(arguments.worst, ",")));
  command.add_file("--jobs", arguments.jobs);
  command.add_file("--host-order", arguments.host_order);
  if (choice.lmc) command.add("--lmc", std::to_string(*choice.lmc));
  if (choice.max_lanes != EngineChoice{}.max_lanes) {
    command.add("--lanes", std::to_string(choice.max_lanes));
  }
  command.add_file("--order", choice.order.file);
  command.add("--manager", choice.manager);
  const std::string& aim = choice.aim.aim;
  command.add("--for", aim.substr(0, aim.find(':') + 1) + file_name(aim.substr(aim.find(':') + 1)));
  if (choice.aim.effort != AimChoice{}.effort) command.add("--effort", choice.aim.effort);
  command.add("--title", arguments.title);
  if (session.seed != Session{}.seed) command.add("--seed", std::to_string(session.seed));
  return command.text();
}

}  // namespace

void add_report(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("report", "write a page that shows a fabric and its engines");
  auto arguments = std::make_shared<ReportArguments>();
  add_fabric(*verb, arguments->fabric);
  verb->add_output("-o,--output", arguments->output, output_form::kPage,
                   "the page, an HTML file (-: standard output)")
      ->required();
  const Option* tables =
      verb->add_option("--tables", arguments->tables, "also show this file of forwarding tables")
          ->one_each();
  const Option* sl =
      verb->add_option("--sl", arguments->sl,
                       "the service level of each path of --tables, as ibdmchk -c reads it; with "
                       "several --tables one each, in the same order; none: one lane")
          ->one_each()
          ->needs(tables);
  verb->add_option("--sl2vl", arguments->sl2vl,
                   "OpenSM's dump of the lane of each level, one for each --sl")
      ->one_each()
      ->needs(sl);
  verb->add_option(
          "--engines", arguments->engines,
          "show only these, separated by commas; none: only --tables; all: slow engines too "
          "(default: all but slow ones that can't win)")
      ->separated_by(',');
  verb->add_option(
          "--worst", arguments->worst,
          "look for the worst traffic of these engines or tables, separated by commas "
          "(default: tables, the recommended engine and minhop; none on more than 2500 hosts)")
      ->separated_by(',');
  verb->add_option("--jobs", arguments->jobs,
                   "traffic of these jobs too: lines NAME HOSTLIST [COLLECTIVE [SIZE]], or what "
                   "squeue or scontrol print");
  verb->add_option("--title", arguments->title, "what the page calls the fabric");
  add_engine_options(*verb, arguments->choice);
  add_among(*verb, arguments->among);
  add_host_order(*verb, arguments->host_order);
  add_threads(*verb, session);
  add_seed(*verb, session);
  verb->footer("Example: fatwood report 'ft(8,3)' --cut 2% -o page.html");
  verb->callback(session, [arguments, &session] {
    check_words(*arguments);
    run(*arguments, command_of(*arguments, session), session);
  });
}

}  // namespace fatwood::cli
