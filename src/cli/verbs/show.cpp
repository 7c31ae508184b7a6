// SPDX-License-Identifier: BSD-3-Clause
// fatwood show FABRIC: what the fabric is, and what is wrong with it.

#include <fmt/format.h>

#include <memory>

#include "cli/verb.hpp"
#include "report/fabric/show_report.hpp"
#include "topology/hosts/roles.hpp"

namespace fatwood::cli {
namespace {

struct Options {
  FabricRequest fabric;
  bool all = false;
};

void show(const Options& options, const Session& session) {
  const OpenFabric loaded = load_with_warnings(options.fabric);
  const Fabric& fabric = loaded.fabric();
  const ShowReport report = show_report(*loaded.model, loaded.format, loaded.warnings, loaded.run);
  const Detail detail = options.all ? Detail::kAll : Detail::kSome;
  print(session, session.json ? show_json(fabric, report) : show_text(fabric, report, detail));
}

}  // namespace

void add_show(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("show", "describe a fabric and list findings");
  auto options = std::make_shared<Options>();
  add_fabric(*verb, options->fabric);
  verb->add_flag("--all", options->all, "list every finding, not the first few of each kind");
  add_json(*verb, session);
  verb->footer("Example: fatwood show 'xgft(3;4,4,8;1,4,4)'");
  verb->callback(session, [options, &session] { show(*options, session); });
}

}  // namespace fatwood::cli
