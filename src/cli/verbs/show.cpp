// SPDX-License-Identifier: BSD-3-Clause
// fatwood show FABRIC: what the fabric is, and what is wrong with it.

#include <fmt/format.h>

#include <memory>

#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include "report/change/advice_report.hpp"
#include "report/fabric/show_report.hpp"
#include "topology/hosts/roles.hpp"

namespace fatwood::cli {
namespace {

struct Options {
  FabricRequest fabric;
  bool all = false;
  std::size_t improve = 0;
};

void show(const Options& options, const Session& session) {
  const OpenFabric loaded = load_with_warnings(options.fabric);
  const Fabric& fabric = loaded.fabric();
  const ShowReport report = show_report(*loaded.model, loaded.format, loaded.warnings, loaded.run);
  const Detail detail = options.all ? Detail::kAll : Detail::kSome;
  const std::size_t columns = terminal_columns(session);
  if (options.improve == 0) {
    print(session,
          session.json ? show_json(fabric, report) : show_text(fabric, report, detail, columns));
    return;
  }
  AdviceOptions wanted{.steps = options.improve, .progress = terminal_progress("improve")};
  wanted.route.threads = session.threads;
  const CablingAdvice advice = improve_cabling(*loaded.model, wanted);
  if (session.json) {
    Json json = show_object(fabric, report);
    json["improve"] = advice_json(fabric, advice);
    return print(session, document(std::move(json)));
  }
  print(session, show_text(fabric, report, detail, columns) + advice_text(fabric, advice));
}

}  // namespace

void add_show(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("show", "describe a fabric and list findings");
  auto options = std::make_shared<Options>();
  add_fabric(*verb, options->fabric);
  verb->add_flag("--all", options->all, "list every finding, not the first few of each kind");
  verb->add_option("--improve", options->improve,
                   "propose so many cables to add, replace, move or exchange, with what jobs gain")
      ->range(1, 1000);
  add_json(*verb, session);
  verb->footer("Example: fatwood show 'xgft(3;4,4,8;1,4,4)'");
  verb->callback(session, [options, &session] { show(*options, session); });
}

}  // namespace fatwood::cli
