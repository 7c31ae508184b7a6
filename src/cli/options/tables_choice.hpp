// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ROUTING as a person names it for a proof: an engine or algebraic routing to make tables with, or
// a file of forwarding tables with its lane files, if any.

#include <string>
#include <string_view>

#include "cli/options/route_options.hpp"
#include "cli/verb.hpp"
#include "io/tables/routing_files.hpp"

namespace fatwood::cli {

struct TablesChoice {
  std::string tables;  // ROUTING: an engine, an algebraic routing, or a file; "" if not given
  LaneFiles lanes;
  RouteChoice route;  // for engines
};

// ROUTING and the options of engines.
void add_tables(Verb& verb, TablesChoice& choice);
// --sl, --sl2vl and --whole-sl
void add_lane_files(Verb& verb, LaneFiles& lanes);

// Warnings go to stderr. InputError with file and line when it cannot be read.
LoadedRouting read_tables_file(const Fabric& fabric, const std::string& path,
                               const LaneFiles& lanes = {}, int threads = 0);
// For arguments that must be files of tables: InputError, with the command that writes such a file,
// when the word of the argument (OLD) names an engine.
void refuse_engine(const FabricArgument& fabric, std::string_view argument,
                   const std::string& word);
// read_tables_file() with one port per entry.
LoadedRouting read_single_ports(const Fabric& fabric, const std::string& path,
                                const LaneFiles& lanes = {});

// InputError if the routes change lanes on their way: for verbs that print the lane of a path.
void require_own_lanes(const Routing& routing, const LaneFiles& lanes);

// For verbs that follow one port per entry: InputError if entries can take several. `source` is
// the file or engine.
void require_single_ports(const PortSets& sets, const std::string& source);

// A switch of which the run says that it has adaptive routing off, for every packet, takes default
// ports only: its groups are dropped, with a warning that says how many switches do so.
void drop_groups_not_used(const Fabric& fabric, const RunData& run, Routing& routing);

// The choice, or where nothing was chosen and the fabric is a run of ibdiagnet, that run's tables.
TablesChoice or_tables_of_run(TablesChoice choice, const std::string& fabric);

// Whether the fabric is a run that has tables.
bool run_has_tables(const std::string& fabric);

// Where TABLES is a run that has the service level of each path (psl), that too, and with it the
// lane of each level (slvl), unless --sl says other files. A note lists them.
TablesChoice with_lanes_of_run(TablesChoice choice);

// Whether it names an engine or an algebraic routing, not a file.
bool is_by_engine(const TablesChoice& choice);

// InputError if there is none, or the file cannot be read. The LIDs are those of a file; of an
// engine there are none.
LoadedRouting load_tables_or_route(const Model& model, const TablesChoice& choice,
                                   const Session& session);
Routing load_routing(const Model& model, const TablesChoice& choice, const Session& session);

}  // namespace fatwood::cli
