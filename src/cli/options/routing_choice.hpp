// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds ROUTING by name: an algebraic routing of complete trees ("disjoint:8"), an engine
// ("ftree"), or a file of forwarding tables.

#include <memory>
#include <string>

#include "cli/options/aim.hpp"
#include "cli/options/route_options.hpp"
#include "cli/verb.hpp"
#include "tasks/route.hpp"

namespace fatwood::cli {

// Adds ROUTING, also as --routing and --engine.
Option* add_routing(Verb& verb, std::string& routing);

// Whether the routing depends on the seed.
bool is_seeded(const std::string& routing);

// Tables of an engine, or of an algebraic routing. Notes go to stderr. InputError, with all names,
// if it is neither.
MadeRoutes make_routes(const Model& model, const std::string& routing, const RouteChoice& choice,
                       const Session& session);

// Whether the verb accepts tables with several ports per entry.
enum class Several { kRefused, kTaken };
// Notes and warnings go to stderr. InputError like choose_routing.
ResolvedRouting find_routing(const Model& model, const std::string& routing, const Session& session,
                             Prefer prefer, Several several = Several::kRefused,
                             const AimChoice& aim = {});

// The model must outlive the result. Notes and warnings go to stderr. InputError if it is none of
// the three, if an algebraic routing meets a fabric that is no complete tree, or if tables have
// several ports per entry and the verb does not accept them.
std::unique_ptr<PathSource> choose_routing(const Model& model, const std::string& routing,
                                           const Session& session,
                                           Several several = Several::kRefused,
                                           const AimChoice& aim = {});

}  // namespace fatwood::cli
