// SPDX-License-Identifier: BSD-3-Clause
// fatwood diff A B: what differs between two fabrics, and between their tables.

#include <fmt/format.h>

#include <memory>

#include "cli/options/tables_choice.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/tables/load_tables.hpp"
#include "report/fabric/diff_report.hpp"

namespace fatwood::cli {

namespace {

struct DiffArguments {
  FabricArgument before;
  std::string after;
  std::vector<std::string> tables;
};

LoadedTables tables_of(const std::string& path, const Fabric& fabric) {
  LoadedTables loaded = load_tables(path, fabric);
  require_single_ports(loaded.sets, path);
  print_warnings(loaded.warnings);
  return loaded;
}

void run(const DiffArguments& arguments, Session& session) {
  const Model before = load(arguments.before);
  LoadedFabric loaded = load_fabric(arguments.after, {});
  print_warnings(loaded.warnings);
  const Model after(std::move(loaded.fabric));
  DiffReport report{diff_fabrics(before, after), {}};
  if (!arguments.tables.empty()) {
    // Both as the second fabric has its switches and LIDs: what would be sent to them.
    const LoadedTables old = tables_of(arguments.tables[0], after.fabric());
    const LoadedTables now = tables_of(arguments.tables[1], after.fabric());
    if (old.tables.lmc() != now.tables.lmc()) {
      throw InputError({.file = arguments.tables[1]},
                       fmt::format("expected tables of LMC {}, as {} has, found {}",
                                   old.tables.lmc(), arguments.tables[0], now.tables.lmc()));
    }
    report.tables = table_changes(after, old.tables, now.tables, now.lids, session.threads);
  }
  fmt::print("{}",
             session.json ? diff_json(before, after, report) : diff_text(before, after, report));
  session.status = report.same() ? 0 : 1;
}

}  // namespace

void add_diff(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("diff", "list what differs between two fabrics");
  auto arguments = std::make_shared<DiffArguments>();
  add_fabric(*verb, arguments->before, Hints::kNone);
  verb->add_option("OTHER", arguments->after, "the fabric to compare with: a spec or a file")
      ->required();
  verb->add_option("--tables", arguments->tables,
                   "two files of tables, before and after: entries and blocks that differ")
      ->exactly(2);
  add_threads(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood diff plan.txt found.txt");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
