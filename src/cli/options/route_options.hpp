// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The options of every verb that runs an engine, and their values for a fabric.

#include <optional>
#include <string>
#include <string_view>

#include "cli/options/aim.hpp"
#include "cli/verb.hpp"
#include "routing/engine.hpp"

namespace fatwood::cli {

// The argument ROUTING, which two options also give.
inline constexpr std::string_view kRoutingNames = "ROUTING,--routing,--engine";
inline constexpr std::string_view kRoutingHelp =
    "an engine such as even, an algebraic routing such as disjoint:4, a file or folder of tables, "
    "or live";

struct RouteChoice {
  std::optional<std::uint64_t> lmc;  // default: that of the fabric's ports
  unsigned max_lanes = 8;
  std::string order;    // a file; "" if not given
  std::string manager;  // a name or GUID
  std::string choice = "free";
  std::optional<std::uint64_t> groups;
  AimChoice aim;
};

// --lmc --lanes --order --manager; for even --for --effort; for adaptive engines --choice --groups
void add_route_options(Verb& verb, RouteChoice& choice);

// Of --choice: "free", "bounded" or "hashed".
EntryState state_named(const std::string& choice);
// Reads the lists. InputError with file and line if one names something that the fabric lacks.
RouteOptions route_options(const Model& model, const RouteChoice& choice, const Session& session);

// Warns if routes need several lanes and no file of lanes is written.
void warn_of_lanes(const Routing& routing, const std::string& lane_file);

// InputError if the choice asks for something that only an engine can do. `source`: the file of
// tables, or the algebraic routing, that is used instead.
void refuse_engine_options(const RouteChoice& choice, const std::string& source);

// "minhop, updn, ...": for help texts, without engines that make source routes.
std::string table_engine_names();

}  // namespace fatwood::cli
