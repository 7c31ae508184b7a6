// SPDX-License-Identifier: BSD-3-Clause
// fatwood route FABRIC ENGINE: fills forwarding tables.

#include <fmt/format.h>

#include <memory>

#include "cli/options/routing.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/base/output.hpp"
#include "io/opensm/opensm_files.hpp"
#include "io/routes/switch_files.hpp"
#include "io/tables/far.hpp"
#include "io/tables/lane_file.hpp"
#include "io/tables/lfts.hpp"
#include "io/tables/routing_files.hpp"
#include "report/route/route_report.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood::cli {

namespace {

struct RouteArguments {
  FabricRequest fabric;
  std::string engine;
  EngineChoice choice;
  std::string output;  // "" when not asked for
  std::string form;    // "lfts", "far"; "": by the file's extension
  std::string lanes;
  std::string addresses;
  std::string opensm;  // a folder
  std::string frr;     // a folder
  std::string ip;      // a folder
};

bool is_far(const RouteArguments& arguments) {
  return arguments.form.empty() ? arguments.output.ends_with(".far") : arguments.form == "far";
}

// Plain tables would be another routing.
void require_place_for_groups(const RouteArguments& arguments, const Routing& routing) {
  if (routing.sets.empty()) return;
  if (!arguments.opensm.empty() || (!arguments.output.empty() && !is_far(arguments))) {
    throw InputError(routing.engine +
                     " gives groups of ports, for which these files have no place: write them with "
                     "-o FILE --to far");
  }
}

// FRR computes its routes itself: as ecmp does, and no other engine.
void write_switch_files(const RouteArguments& arguments, const Model& model, const Routing& routing,
                        RouteFiles& written) {
  const auto take = [&](std::vector<std::string> files) {
    for (std::string& file : files) written.names.push_back(std::move(file));
  };
  if (!arguments.frr.empty()) {
    if (routing.engine != "ecmp") {
      throw InputError(
          fmt::format("--out-frr needs ecmp, which is what BGP gives; write the routes of {} with "
                      "--out-ip-route",
                      routing.engine));
    }
    take(write_frr(arguments.frr, model));
  }
  if (!arguments.ip.empty()) take(write_static_routes(arguments.ip, model, routing));
}

RouteFiles write_files(const RouteArguments& arguments, const Model& model,
                       const OpenRouting& made) {
  const Fabric& fabric = model.fabric();
  const Routing& routing = made.routing;
  RouteFiles written;
  if (!arguments.addresses.empty()) {
    if (!made.choice.offsets) {
      throw InputError(routing.engine + ": any source may use any address: nothing to write");
    }
    write_output(arguments.addresses,
                 [&](std::ostream& out) { write_addresses(out, fabric, made.choice); });
    written.names.push_back(arguments.addresses);
  }
  write_switch_files(arguments, model, routing, written);
  if (arguments.output.empty() && arguments.lanes.empty() && arguments.opensm.empty()) {
    return written;
  }
  if (routing.tables.num_destinations() == 0) {
    throw PromiseError(routing.engine + " routes by pair: there are no tables to write");
  }
  require_place_for_groups(arguments, routing);
  const Lids lids = assign_lids(fabric, routing.tables.lmc());
  require_real_lids(lids);
  written.own_lids = lids.own;
  written.warnings = address_warnings(fabric, model.labels(), lids);
  if (!arguments.lanes.empty()) {
    write_output(arguments.lanes,
                 [&](std::ostream& out) { write_lanes(out, fabric, routing, lids); });
    written.names.push_back(arguments.lanes);
  }
  if (!arguments.output.empty()) {
    write_output(arguments.output, [&](std::ostream& out) {
      if (is_far(arguments)) return write_far(out, fabric, routing, lids);
      write_lfts(out, fabric, routing.tables, lids);
    });
    written.names.push_back(arguments.output);
  }
  if (!arguments.opensm.empty()) {
    for (std::string& file :
         write_opensm_files(arguments.opensm, fabric, routing, lids, model.levels())) {
      written.names.push_back(std::move(file));
    }
  }
  return written;
}

void run(const RouteArguments& arguments, const Session& session) {
  const OpenFabric fabric = load(arguments.fabric);
  const Model& model = *fabric.model;
  const OpenRouting made =
      open(fabric, {.name = arguments.engine, .engine = arguments.choice}, session);
  const RouteFigures figures = route_figures(model, made.routing, session.threads);
  const RouteFiles files = write_files(arguments, model, made);
  print_warnings(files.warnings);
  print(session, session.json ? route_json(figures, made.seconds, files)
                              : route_text(figures, made.seconds, files));
}

}  // namespace

void add_route(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("route", "fill the switches' forwarding tables");
  auto arguments = std::make_shared<RouteArguments>();
  add_fabric(*verb, arguments->fabric, Hints::kBalance);
  add_routing(*verb, arguments->engine)->required();
  auto* output = verb->add_output("-o,--output", arguments->output, output_form::kTables,
                                  "file: the tables, as `opensm -R file -U FILE` reads them; a "
                                  "name that ends in .far: as ibdiagnet2 dumps adaptive ones");
  verb->add_option("--to", arguments->form, "lfts or far: the form of -o, whatever the file's name")
      ->one_of({"lfts", "far"})
      ->needs(output);
  verb->add_option("--out-opensm", arguments->opensm,
                   "folder: tables, LIDs, GUID files and the commands to type, for OpenSM");
  verb->add_option("--out-frr", arguments->frr,
                   "folder: for each switch, FRR's configuration that gives the routes of ecmp");
  verb->add_option("--out-ip-route", arguments->ip,
                   "folder: for each switch that runs Linux, `ip route` commands that set the "
                   "routes");
  verb->add_outputs([arguments](Outputs& outputs) {
    if (!arguments->opensm.empty()) {
      add_opensm_outputs(outputs, "--out-opensm", arguments->opensm);
    }
    if (!arguments->frr.empty()) add_switch_outputs(outputs, "--out-frr", arguments->frr);
    if (!arguments->ip.empty()) add_switch_outputs(outputs, "--out-ip-route", arguments->ip);
  });
  verb->add_output(
      "--addresses", arguments->addresses, output_form::kAddresses,
      "file: which of a destination's addresses each source uses (algebraic routings)");
  verb->add_output("--sl", arguments->lanes, output_form::kLevels,
                   "file: the lane of each route as a service level, as `ibdmchk -c` reads it");
  add_engine_options(*verb, arguments->choice);
  add_common(*verb, session);
  verb->footer("Example: fatwood route 'ft(8,3)' even -o tables.lfts");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
