// SPDX-License-Identifier: BSD-3-Clause
// fatwood worst FABRIC ROUTING: the traffic that a routing serves worst.

#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "app/questions.hpp"
#include "cli/options/add_options.hpp"
#include "cli/options/among.hpp"
#include "cli/options/routing.hpp"
#include "cli/verb.hpp"
#include "core/text/words.hpp"
#include "io/base/output.hpp"
#include "report/load/worst_report.hpp"

namespace fatwood::cli {

namespace {

struct WorstArguments {
  FabricRequest fabric;
  std::string routing;
  std::string output;
  WorstQuestion question;
};

WorstReport run(const WorstArguments& arguments, const Measured& measured, const Session& session) {
  return find_worst(
      measured.model(), measured.paths(), arguments.routing,
      {.traffic = arguments.question.permutation ? TrafficClass::kPermutation : TrafficClass::kAny,
       .threads = session.threads,
       .progress = terminal_progress("worst"),
       .share = session.share});
}

void write_traffic(std::ostream& out, const Model& model, const WorstReport& report) {
  const AdapterNames names(model);
  out << "# worst traffic for " << report.routing << ": source destination amount\n";
  for (const Flow& flow : report.traffic.flows) {
    out << as_word(names.name(flow.source)) << ' ' << as_word(names.name(flow.destination)) << ' '
        << report.traffic.amount(flow).to_string() << '\n';
  }
}

}  // namespace

void add_worst(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("worst", "find the traffic that a routing serves worst");
  auto arguments = std::make_shared<WorstArguments>();
  add_fabric(*verb, arguments->fabric);
  add_routing(*verb, arguments->routing)->required();
  AddOptions options(*verb);
  describe(options, arguments->question);
  verb->add_output("-o,--output", arguments->output, output_form::kTraffic,
                   "write the traffic, as 'fatwood load --traffic file:FILE' reads it");
  add_common(*verb, session);
  verb->footer("Example: fatwood worst 'ft(8,3)' disjoint:2");
  verb->callback(session, [arguments, &session] {
    const OpenFabric fabric = load(arguments->fabric, session);
    const Model& all = *fabric.model;
    if (all.adapters().size() < 2)
      throw InputError("the fabric has fewer than two hosts that count");
    const auto paths = open_paths(fabric, {.name = arguments->routing}, session);
    const Measured measured(all, *paths, participants(fabric, arguments->question.among));
    const Model& model = measured.model();
    const WorstReport report = run(*arguments, measured, session);
    if (!arguments->output.empty() && session.rank == 0) {
      write_output(arguments->output,
                   [&](std::ostream& out) { write_traffic(out, model, report); });
    }
    print(session, session.json ? worst_json(model, report, measured.who())
                                : worst_text(model, report, measured.who()));
  });
}

}  // namespace fatwood::cli
