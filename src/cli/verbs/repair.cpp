// SPDX-License-Identifier: BSD-3-Clause
// fatwood repair FABRIC OLD: tables for the present fabric that change as few old entries as
// possible.

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/options/among.hpp"
#include "cli/options/host_order.hpp"
#include "cli/options/routing.hpp"
#include "cli/verb.hpp"
#include "io/tables/routing_files.hpp"
#include "report/change/repair_report.hpp"
#include "tasks/recommend.hpp"

namespace fatwood::cli {

namespace {

struct RepairArguments {
  FabricRequest fabric;
  std::string old;
  std::string output;
  std::optional<std::uint64_t> blocks;
  std::uint64_t spare_blocks = 0;
  bool forced_only = false;
  std::string engine, among, host_order;
  std::string sl, sl_output;
  unsigned lanes = 8;
};

void run(const RepairArguments& arguments, Session& session) {
  const OpenFabric fabric = load(arguments.fabric);
  const Model& model = *fabric.model;
  const OpenRouting old =
      open_file(fabric, arguments.old, session, "OLD", {.sl = arguments.sl, .sl2vl = {}});
  const Lids& lids = old.lids;
  const RepairOptions options{.rebalance = !arguments.forced_only,
                              .spare_blocks = arguments.spare_blocks,
                              .max_lanes = arguments.lanes,
                              .threads = session.threads};
  const TradeOptions trade{
      .blocks = arguments.blocks,
      .engine = &find_engine(arguments.engine.empty() ? default_engine(model) : arguments.engine),
      .who = participants(fabric, arguments.among),
      .order = host_order(fabric, arguments.host_order)};
  const RepairResult result = repair(model, old.routing, lids, options, trade);
  const std::vector<std::string> files =
      save_routing(arguments.output, arguments.sl_output, model.fabric(), result.routing, lids);
  print(session, session.json ? repair_json(result, files) : repair_text(result, files));
  session.status = result.holds() ? 0 : 1;
}

}  // namespace

void add_repair(CommandLine& app, Session& session) {
  Verb* verb =
      app.add_verb("repair", "keep every entry of old tables that can stay, and repair the rest");
  auto arguments = std::make_shared<RepairArguments>();
  add_fabric(*verb, arguments->fabric);
  verb->add_option("OLD", arguments->old, "a file of the tables in the switches")->required();
  const Option* sl = verb->add_option(
      "--sl", arguments->sl, "file: the service level of each path of OLD, as ibdmchk -c reads it");
  verb->add_output("--sl-output", arguments->sl_output, output_form::kLevels,
                   "file: the service level of each path of the new tables")
      ->needs(sl);
  verb->add_option("--lanes", arguments->lanes, "most lanes that the new tables may need")
      ->range(1, 15)
      ->needs(sl);
  verb->add_output("-o,--output", arguments->output, output_form::kTables,
                   "file: the new tables, as `opensm -R file -U FILE` reads them");
  const Option* spare =
      verb->add_option("--spare-blocks", arguments->spare_blocks,
                       "more blocks of 64 LIDs that may be sent to rebalance the load");
  const Option* blocks =
      verb->add_option("--blocks", arguments->blocks,
                       "send at most this many blocks of 64 LIDs, or those that must be sent "
                       "(default: 1, 2, 4 or 8 times these)")
          ->excludes(spare);
  verb->add_flag("--forced-only", arguments->forced_only,
                 "change only what the repair needs, and move no entries for balance")
      ->excludes(spare)
      ->excludes(blocks);
  verb->add_option("--engine", arguments->engine,
                   "the engine of fresh tables that the repair is compared with (default: the "
                   "recommended one)");
  add_among(*verb, arguments->among);
  add_host_order(*verb, arguments->host_order);
  add_threads(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood repair 'ft(8,3)' --cut S1_0[1] old.lfts -o new.lfts");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
