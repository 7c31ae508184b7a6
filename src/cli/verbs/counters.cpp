// SPDX-License-Identifier: BSD-3-Clause
// fatwood counters RUN [EARLIER]: hot links by the counters of ibdiagnet, and bad cables by bit
// errors, flaps and temperatures.

#include "tasks/counters.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/options/quality_options.hpp"
#include "cli/options/routing.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "report/fabric/counters_report.hpp"
#include "report/fabric/quality_report.hpp"
#include "tasks/recommend.hpp"

namespace fatwood::cli {

namespace {

struct CountersArguments {
  FabricRequest run;
  std::string earlier;
  std::string routing;
  std::optional<double> seconds;
  std::size_t top = 10;
  QualityLimits limits;
};

// Counters, bit error rates or temperatures: InputError, with the name of the run, if it has none.
void require_data(const RunData& run, const std::string& name) {
  if (has_counters(run) || has_quality(run)) return;
  throw InputError({.file = name}, std::string(kNoCounters));
}

void run(const CountersArguments& arguments, const Session& session) {
  const OpenFabric loaded = load(arguments.run);
  require_data(loaded.run, arguments.run.name);
  if (!has_counters(loaded.run)) print_note(fmt::format("{}: {}", arguments.run.name, kNoCounters));
  const Model& model = *loaded.model;
  CounterOptions options{.seconds = arguments.seconds, .threads = session.threads};
  RunData earlier;
  if (!arguments.earlier.empty()) {
    FabricRequest before = arguments.run;
    before.name = arguments.earlier;
    const OpenFabric old = load_with_warnings(before);
    for (const auto& [run, name] :
         {std::pair{&loaded.run, &arguments.run.name}, {&old.run, &arguments.earlier}}) {
      if (!has_counters(*run)) throw InputError({.file = *name}, std::string(kNoCounters));
    }
    earlier = carried(old.run, old.fabric(), model.fabric());
    options.earlier = &earlier;
  }
  const auto paths = paths_of(model, open(loaded, {.name = arguments.routing}, session,
                                          {.wanted = Wanted::kPaths,
                                           .unnamed = Unnamed::kDefault,
                                           .run_lanes = RunLanes::kIgnored}));
  if (paths->adaptive() == nullptr) options.paths = paths.get();
  const RunData& run = loaded.run;
  const bool counted = has_counters(run);
  const CounterResult result = counted ? count_links(model, run, options) : CounterResult{};
  const QualityResult quality = judge_quality(
      model, run, {arguments.limits, options.earlier, options.paths, session.threads});
  if (!session.json) {
    return print(session, (counted ? counters_text(model, result, arguments.top) : "") +
                              quality_text(model, run, quality, arguments.top));
  }
  Json json = counters_object(model, result, arguments.top);
  json["quality"] = quality_json(model, run, quality, arguments.top);
  print(session, document(json));
}

}  // namespace

void add_counters(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("counters", "list hot, congested and faulty links, and bad cables");
  auto arguments = std::make_shared<CountersArguments>();
  add_fabric(*verb, arguments->run, Hints::kNone);
  const Option* earlier = verb->add_option(
      "EARLIER", arguments->earlier, "an earlier run of the same fabric: count what came since");
  verb->add_option("--routing,--engine", arguments->routing,
                   "what predicts the load (default: the tables of the run, else an engine)");
  verb->add_option("--seconds", arguments->seconds, "between the two runs: print rates")
      ->range(1e-3, 1e9)
      ->needs(earlier);
  verb->add_option("--top", arguments->top, "how many links to list");
  add_quality_limits(*verb, arguments->limits);
  add_common(*verb, session);
  verb->footer("Example: fatwood counters run2.tar.gz run1.tar.gz --seconds 60");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
