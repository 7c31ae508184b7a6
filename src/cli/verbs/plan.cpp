// SPDX-License-Identifier: BSD-3-Clause
// fatwood plan --hosts N: alternatives for a fabric; lists for installers; checks; growth.

#include "plan/task/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/plan.hpp"
#include "cli/command_line.hpp"
#include "cli/options/add_options.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/base/output.hpp"
#include "plan/formats/plan_write.hpp"
#include "plan/model/plan_fabric.hpp"
#include "plan/report/cable_lists.hpp"
#include "plan/report/plan_report.hpp"

namespace fatwood::cli {

namespace {

struct PlanArguments : PlanQuestion {
  std::string output;  // a folder; "": none
};

constexpr std::pair<const char*, OutputForm> kFiles[] = {
    {"plan.json", output_form::kFabric},      {"cables.csv", output_form::kFabric},
    {"plan.topo", output_form::kFabric},      {"ndt.csv", output_form::kFabric},
    {"racks.csv", output_form::kPlanList},    {"bundles.csv", output_form::kPlanList},
    {"switches.csv", output_form::kPlanList}, {"bill.csv", output_form::kPlanList},
    {"trays.csv", output_form::kPlanList},    {"lists.html", output_form::kPage},
    {"racks.svg", output_form::kPlot},        {"floor.svg", output_form::kPlot}};

// Types of boxes, as plan.topo names them.
constexpr const char* kIbnlFolder = "ibnl";
constexpr OutputForm kIbnl{"an IBNL file of fatwood",
                           "TOPSYSTEM [^\n]+\n\nNODE (?:SW|CA) [0-9]+ FATWOOD "};

PlanOptions plan_options(const PlanArguments& arguments, const Session& session) {
  PlanOptions options{read_plan_words(arguments)};
  options.figures = figures_of(arguments.figures);
  options.choose = arguments.choose;
  options.figure = {arguments.engine, session.threads};
  return options;
}

// Declares the files, so that files of others are not replaced.
void add_plan_files(Outputs& outputs, const std::string& folder) {
  if (folder.empty()) return;
  outputs.add_folder("--output", folder, kFiles);
  std::error_code error;
  const std::filesystem::path ibnl = std::filesystem::path(folder) / kIbnlFolder;
  if (!std::filesystem::is_directory(ibnl, error)) return;
  for (const auto& entry : std::filesystem::directory_iterator(ibnl)) {
    outputs.add("--output", entry.path().string(), kIbnl);
  }
}

// The plan, lists, a page to print, drawings: all files or none.
void write_plan_files(const std::string& folder, const PlanView& view, const PriceList* prices,
                      const std::string& title) {
  OutputFolder files(folder);
  files.write("plan.json", [&](std::ostream& out) { write_plan_json(out, view.plan); });
  files.write("cables.csv", [&](std::ostream& out) { write_cables(out, view.plan); });
  files.write("ndt.csv", [&](std::ostream& out) { write_ndt(out, view.plan); });
  files.write("plan.topo", [&](std::ostream& out) { write_topo(out, view.plan); });
  for (const auto& [type, content] : ibnl_texts(view.plan)) {
    std::string name = type;
    std::ranges::replace(name, '/', '_');
    files.write(fmt::format("{}/{}.ibnl", kIbnlFolder, name), content);
  }
  files.write("racks.csv", racks_csv(view));
  files.write("bundles.csv", bundles_csv(view));
  files.write("switches.csv", switches_csv(view));
  files.write("bill.csv", bill_csv(view, prices));
  files.write("trays.csv", trays_csv(view));
  files.write("lists.html", lists_page(view, title));
  files.write("racks.svg", racks_svg(view));
  files.write("floor.svg", floor_svg(view));
  files.finish();
}

struct Arguments {
  PlanArguments plan;
  FabricRequest from;   // a plan to make lists of
  FabricRequest check;  // a plan to check
  FabricRequest grow;   // a plan that is built
  std::string steps;    // a file; "": none
  unsigned at_once = 25;
  bool unverified = false;
};

Plan loaded_plan_of(const FabricRequest& argument) {
  const OpenFabric loaded = load(argument);
  return loaded.plan ? *loaded.plan : plan_of(*loaded.model, loaded.run);
}

// The only alternative, or the one chosen. InputError when there are several and none is chosen.
unsigned chosen_of(const PlanOptions& options, std::string_view option) {
  if (options.choose != 0) return options.choose;
  const std::size_t count = size_fabric(options.sizing).size();
  if (count == 1) return 1;
  throw InputError(fmt::format(
      "{} is for one alternative, and there are {}: give its number with --choose", option, count));
}

// Alternatives; of the one chosen also the files.
void size(const PlanArguments& arguments, const Session& session) {
  PlanOptions options = plan_options(arguments, session);
  if (!arguments.output.empty()) options.choose = chosen_of(options, "--output");
  options.progress = terminal_progress("plan");
  const PlanResult result = plan_alternatives(options);
  std::string text = session.json ? plan_json(options, result) : plan_text(options, result);
  if (!arguments.output.empty()) {
    const PlannedAlternative& chosen = result.alternatives.front();
    const Design& design = chosen.alternative.design;
    const LaidOutPlan laid = lay_out_design(design, options.rules, options.cables);
    const PlanView view{
        laid.plan, laid.layout, laid.rules, {laid.rules.host_splitters, options.links_per_cable}};
    write_plan_files(arguments.output, view, options.prices ? &*options.prices : nullptr,
                     fmt::format("{} hosts: {}", design.hosts, chosen.alternative.name));
    if (!session.json) text += "\n" + layout_text(view);
  }
  print(session, text);
}

// The rules for a plan that exists: it may have splitters already.
LayoutRules rules_for(const Plan& plan, LayoutRules rules) {
  rules.host_splitters = std::ranges::any_of(
      plan.cables, [](const PlanCable& cable) { return is_splitter(cable.type); });
  return rules;
}

// Lists of a plan that exists.
void list(const Arguments& arguments, const Session& session) {
  Plan plan = loaded_plan_of(arguments.from);
  const LayoutRules rules = rules_for(plan, layout_of(arguments.plan));
  const Layout layout = lay_out(plan, rules, cables_of(arguments.plan));
  const PlanView view{plan, layout, rules};
  if (!arguments.plan.output.empty()) {
    write_plan_files(arguments.plan.output, view, nullptr, "Cables of " + arguments.from.name);
  }
  print(session, session.json ? layout_json(view) : layout_text(view));
}

// Is a plan sound?
void check_file(const Arguments& arguments, Session& session) {
  FabricRequest file = arguments.check;
  file.read.lenient = true;  // what rows have wrong is part of the answer
  const OpenFabric loaded = load_with_warnings(file);
  const Model& model = *loaded.model;
  const Plan plan = loaded.plan ? *loaded.plan : plan_of(model, loaded.run);
  PlanCheckOptions options{cables_of(arguments.plan), nullptr};
  const LayoutRules rules = layout_of(arguments.plan);
  if (!arguments.plan.layout.empty()) options.rules = &rules;
  const PlanCheck result = check_plan(plan, model, loaded.warnings, options);
  print(session,
        session.json ? plan_check_json(result, plan, model) : plan_check_text(result, plan, model));
  session.status = result.sound() ? 0 : 1;
}

// From a plan that is built to a larger one.
void grow(const Arguments& arguments, const Verb& verb, Session& session) {
  const Plan old = loaded_plan_of(arguments.grow);
  Plan wanted;
  LayoutRules rules = layout_of(arguments.plan);
  Sharing sharing;
  if (verb.given("--from")) {
    wanted = loaded_plan_of(arguments.from);
    rules = rules_for(wanted, std::move(rules));
  } else {
    PlanOptions options = plan_options(arguments.plan, session);
    const unsigned chosen = chosen_of(options, "--grow");
    const std::vector<Alternative> all = size_fabric(options.sizing);
    if (chosen > all.size()) {
      throw InputError(fmt::format("--choose {}: there are {} alternatives", chosen, all.size()));
    }
    const Design& design = all[chosen - 1].design;
    wanted = make_plan(design);
    rules = rules_for(design, std::move(options.rules));
    sharing = {rules.host_splitters, options.links_per_cable};
  }
  GrowOptions options;
  options.growth.at_once = arguments.at_once / 100.0;
  options.route = {arguments.plan.engine, session.threads};
  options.verify = !arguments.unverified;
  GrowResult result = grow_plan(old, wanted, options);
  const Layout layout = lay_out(result.growth.plan, rules, cables_of(arguments.plan));
  if (!arguments.steps.empty()) {
    write_output(arguments.steps, growth_csv(result));
  }
  if (!arguments.plan.output.empty()) {
    write_plan_files(arguments.plan.output, {result.growth.plan, layout, rules, sharing}, nullptr,
                     "Grown from " + arguments.grow.name);
  }
  print(session, session.json ? growth_json(result, options) : growth_text(result, options));
  session.status = !options.verify || result.safe() ? 0 : 1;
}

void run(const Arguments& arguments, const Verb& verb, Session& session) {
  if (verb.given("--check")) return check_file(arguments, session);
  if (verb.given("--grow")) return grow(arguments, verb, session);
  if (verb.given("--from")) return list(arguments, session);
  if (!verb.given("--hosts")) {
    throw InputError(
        "expected --hosts N (size a fabric), --from PLAN (lists of a plan) or --check PLAN");
  }
  size(arguments.plan, session);
}

// Returns --from.
const Option* add_lists(Verb& verb, Arguments& arguments, const Option* hosts) {
  const Heading under(verb, "Results");
  const Option* from =
      verb.add_option("--from", arguments.from.name, "lists of this plan or fabric")
          ->excludes(hosts);
  const Option* output = verb.add_option("-o,--output", arguments.plan.output,
                                         "folder: the plan, lists, drawings, a page to print");
  verb.add_option("--check", arguments.check.name, "is this plan sound?")
      ->excludes(hosts)
      ->excludes(from)
      ->excludes(output);
  return from;
}

void add_growth(Verb& verb, Arguments& arguments, const std::vector<const Option*>& wanted) {
  const Heading under(verb, "Growth");
  const Option* grown = verb.add_option("--grow", arguments.grow.name,
                                        "the plan or fabric that is built: what is added and moved")
                            ->needs_any(wanted);
  verb.add_output("--steps", arguments.steps, output_form::kPlanList,
                  "file: the steps, cable by cable, as CSV")
      ->needs(grown);
  verb.add_option("--at-once", arguments.at_once,
                  "percent of a switch's up-links that may be unplugged at a time")
      ->range(1, 100)
      ->needs(grown);
  verb.add_flag("--unverified", arguments.unverified, "do not route and verify the steps")
      ->needs(grown);
}

}  // namespace

void add_plan(CommandLine& app, Session& session) {
  Verb* verb =
      app.add_verb("plan", "size a fabric, lay it out, list its cables, check and grow it");
  auto arguments = std::make_shared<Arguments>();
  AddOptions options(*verb);
  describe(options, arguments->plan);
  const Option* hosts = options["hosts"];
  const Option* from = add_lists(*verb, *arguments, hosts);
  add_growth(*verb, *arguments, {hosts, from});
  verb->add_outputs(
      [arguments](Outputs& outputs) { add_plan_files(outputs, arguments->plan.output); });
  add_threads(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood plan --hosts 512 --rails 8 --rate 400");
  verb->callback(session, [arguments, verb, &session] { run(*arguments, *verb, session); });
}

}  // namespace fatwood::cli
