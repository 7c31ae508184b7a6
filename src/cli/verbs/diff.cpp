// SPDX-License-Identifier: BSD-3-Clause
// fatwood diff A B: what differs between two fabrics, and between their tables.

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <ctime>
#include <memory>
#include <optional>
#include <utility>

#include "app/compare_fabrics.hpp"
#include "cli/options/routing.hpp"
#include "cli/verb.hpp"
#include "io/base/output.hpp"
#include "report/fabric/diff_report.hpp"
#include "routing/tables/destination_tree.hpp"

namespace fatwood::cli {

namespace {

struct DiffArguments {
  FabricRequest before;
  std::string after;
  std::vector<std::string> tables;
  bool plan = false;
  std::string earlier, csv, page, ufm;  // files; "": none

  bool wants_cabling() const {
    return plan || !earlier.empty() || !csv.empty() || !page.empty() || !ufm.empty();
  }
};

void compare_tables(const DiffArguments& arguments, const OpenFabric& after, const Session& session,
                    DiffReport& report) {
  constexpr const char* kEach = "each word of --tables";
  // Both as the second fabric has its switches and LIDs: what would be sent to them.
  const OpenRouting old = open_file(after, arguments.tables[0], session, kEach);
  const OpenRouting now = open_file(after, arguments.tables[1], session, kEach);
  require_same_lmc(old.routing.tables, now.routing.tables, {.file = arguments.tables[1]});
  report.tables = table_changes(*after.model, old.routing.tables, now.routing.tables, now.lids,
                                session.threads);
}

void write_cabling_files(const DiffArguments& arguments, const CablingView& view) {
  const auto write = [](const std::string& path, const std::string& text) {
    if (!path.empty()) write_output(path, text);
  };
  if (!arguments.csv.empty()) write(arguments.csv, cabling_csv(view));
  if (!arguments.page.empty()) {
    write(arguments.page, cabling_page(view, "Cabling of " + arguments.after));
  }
  if (arguments.ufm.empty()) return;
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &utc);
  write(arguments.ufm, cabling_ufm(view, text.data()));
}

// 1: something is other than planned; 3: it is only not complete.
int status_of(const DiffReport& report) {
  if (!report.cabling) return report.same() ? 0 : 1;
  if (report.cabling->wrong() || (report.tables && report.tables->entries > 0)) return 1;
  if (!report.cabling->complete()) return 3;
  return report.fabric.matched == Matched::kByPlan || report.same() ? 0 : 1;
}

void run(const DiffArguments& arguments, Session& session) {
  const OpenFabric first = load(arguments.before);
  const OpenFabric second =
      open_other(first, {.name = arguments.after, .read = arguments.before.read});
  print_note(second.note);
  print_warnings(second.warnings);
  std::optional<OpenFabric> earlier;
  if (!arguments.earlier.empty()) earlier = load({.name = arguments.earlier});
  ComparedFabrics compared = compare_fabrics(
      first, second, arguments.wants_cabling() ? TakenAsPlan::kAlways : TakenAsPlan::kIfItIsOne,
      earlier ? &*earlier : nullptr);
  const Model& before = *first.model;
  const Model& after = *second.model;
  DiffReport report{std::move(compared.fabric), {}, std::move(compared.cabling)};
  if (!arguments.tables.empty()) compare_tables(arguments, second, session, report);
  if (report.cabling) write_cabling_files(arguments, {*report.cabling, after});
  print(session,
        session.json ? diff_json(before, after, report) : diff_text(before, after, report));
  session.status = status_of(report);
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
  verb->add_flag("--plan", arguments->plan, "FABRIC is the plan of OTHER, whatever its form");
  verb->add_option("--earlier", arguments->earlier,
                   "an earlier run of ibdiagnet: links that went down since");
  verb->add_output("--csv", arguments->csv, output_form::kFaultTable,
                   "with a plan: a file for the faults, one row per cable");
  verb->add_output("--page", arguments->page, output_form::kPage,
                   "with a plan: a page to print, with faults and progress");
  verb->add_output("--ufm", arguments->ufm, output_form::kUfm,
                   "with a plan: a report as UFM's NDT plug-in writes it");
  add_threads(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood diff cables.csv found.txt");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
