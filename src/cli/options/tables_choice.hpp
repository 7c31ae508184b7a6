// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ROUTING for a proof: an engine or algebraic routing that makes tables, or a file of forwarding
// tables with its lane files, if any.

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
// if the word of the argument (OLD) names an engine.
void refuse_engine(const FabricArgument& fabric, std::string_view argument,
                   const std::string& word);
// read_tables_file() with one port per entry.
LoadedRouting read_single_ports(const Fabric& fabric, const std::string& path,
                                const LaneFiles& lanes = {});

// For verbs that print the lane of a path: InputError if packets change lanes on their path.
void require_own_lanes(const Routing& routing, const LaneFiles& lanes);

// For verbs that follow one port per entry: InputError if entries have several. `source` is the
// file or engine.
void require_single_ports(const PortSets& sets, const std::string& source);

// If the run says that a switch has adaptive routing off for every packet, it uses default ports
// only: its groups are dropped, with a warning that counts such switches.
void drop_groups_not_used(const Fabric& fabric, const RunData& run, Routing& routing);

// The choice; if nothing was chosen and the fabric is a run of ibdiagnet, the tables of that run.
TablesChoice or_tables_of_run(TablesChoice choice, const std::string& fabric);

// The same, if the run has tables.
TablesChoice tables_in_use(TablesChoice choice, const std::string& fabric);
// Whether the fabric is a run that has tables.
bool run_has_tables(const std::string& fabric);

// If TABLES is a run that has the SL of each path (psl), adds it, together with the SL-to-VL tables
// (slvl), unless --sl names other files. A note lists them.
TablesChoice with_lanes_of_run(TablesChoice choice);

// Whether it names an engine or an algebraic routing, not a file.
bool is_by_engine(const TablesChoice& choice);

// InputError if there is none, or if the file cannot be read. LIDs are those of a file; an engine
// has none.
LoadedRouting load_tables_or_route(const Model& model, const TablesChoice& choice,
                                   const Session& session);
Routing load_routing(const Model& model, const TablesChoice& choice, const Session& session);

}  // namespace fatwood::cli
