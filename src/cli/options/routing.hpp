// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ROUTING and the options of engines, for all verbs. What they mean is decided in
// app/open_routing.hpp; here they become options, and notes go to stderr.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "app/open_routing.hpp"
#include "cli/verb.hpp"

namespace fatwood::cli {

// The argument ROUTING, which two options also give.
inline constexpr std::string_view kRoutingNames = "ROUTING,--routing,--engine";
inline constexpr std::string_view kRoutingHelp =
    "an engine such as even, an algebraic routing such as disjoint:4, a file or folder of tables, "
    "or live";

Option* add_routing(Verb& verb, std::string& routing);
void add_engine_options(Verb& verb, EngineChoice& engine);
void add_aim(Verb& verb, AimChoice& aim);  // of these only --for, --effort and --longest
// ROUTING and the options of engines.
void add_tables(Verb& verb, RoutingRequest& routing);
// --sl, --sl2vl and --whole-sl. Without --sl, --sl2vl is refused, or asks about all SLs.
enum class Sl2vlAlone : std::uint8_t { kRefused, kAllLevels };
void add_lane_files(Verb& verb, LaneFiles& lanes, Sl2vlAlone alone = Sl2vlAlone::kRefused);

// open_routing() with the session's seed and threads; notes and warnings go to stderr.
OpenRouting open(const OpenFabric& fabric, RoutingRequest request, const Session& session,
                 const RoutingUse& use = {});
// A file of tables with one port per entry. `argument`: its name in messages.
OpenRouting open_file(const OpenFabric& fabric, const std::string& path, const Session& session,
                      const char* argument, const LaneFiles& lanes = {});
// The paths between hosts. The fabric must outlive them.
std::unique_ptr<PathSource> open_paths(const OpenFabric& fabric, const RoutingRequest& request,
                                       const Session& session, Entries entries = Entries::kOnePort);
// engine_options() with the session's seed and threads; warnings go to stderr.
RouteOptions options_of_engine(const OpenFabric& fabric, RoutingRequest request,
                               const Session& session);

// Whether the routing depends on the seed.
bool is_seeded(const std::string& routing);
// Warns if routes need several lanes and no file of lanes is written.
void warn_of_lanes(const Routing& routing, const std::string& lane_file);
// For verbs that print the lane of a path: InputError if packets change lanes on their path.
void require_own_lanes(const Routing& routing, const LaneFiles& lanes);
// "minhop, updn, ...": for help texts, without engines that make source routes.
std::string table_engine_names();

}  // namespace fatwood::cli
