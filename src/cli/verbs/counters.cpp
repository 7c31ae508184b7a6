// SPDX-License-Identifier: BSD-3-Clause
// fatwood counters RUN [EARLIER]: the hot links, by the counters of ibdiagnet.

#include "tasks/counters.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/options/routing.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "report/fabric/counters_report.hpp"
#include "tasks/recommend.hpp"

namespace fatwood::cli {

namespace {

struct CountersArguments {
  FabricRequest run;
  std::string earlier;
  std::string routing;
  std::optional<double> seconds;
  std::size_t top = 10;
};

void run(const CountersArguments& arguments, const Session& session) {
  const OpenFabric loaded = load(arguments.run);
  if (!has_counters(loaded.run)) {
    throw InputError({.file = arguments.run.name}, std::string(kNoCounters));
  }
  const Model& model = *loaded.model;
  CounterOptions options{.seconds = arguments.seconds, .threads = session.threads};
  RunData earlier;
  if (!arguments.earlier.empty()) {
    FabricRequest before = arguments.run;
    before.name = arguments.earlier;
    const OpenFabric old = load_with_warnings(before);
    if (!has_counters(old.run)) {
      throw InputError({.file = arguments.earlier}, std::string(kNoCounters));
    }
    earlier = carried(old.run, old.fabric(), model.fabric());
    options.earlier = &earlier;
  }
  const auto paths = paths_of(model, open(loaded, {.name = arguments.routing}, session,
                                          {.wanted = Wanted::kPaths,
                                           .unnamed = Unnamed::kDefault,
                                           .run_lanes = RunLanes::kIgnored}));
  if (paths->adaptive() == nullptr) options.paths = paths.get();
  const CounterResult result = count_links(model, loaded.run, options);
  print(session, session.json ? document(counters_object(model, result, arguments.top))
                              : counters_text(model, result, arguments.top));
}

}  // namespace

void add_counters(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("counters", "list the hottest, most congested and faultiest links");
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
  add_common(*verb, session);
  verb->footer("Example: fatwood counters run2.tar.gz run1.tar.gz --seconds 60");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
