// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ROUTING as a person names it: an algebraic routing of complete trees ("disjoint:8"), an engine
// ("ftree"), or a file of forwarding tables.

#include <memory>
#include <string>

#include "cli/options/aim.hpp"
#include "cli/options/route_options.hpp"
#include "cli/verb.hpp"
#include "tasks/route.hpp"

namespace fatwood::cli {

// Adds ROUTING, which --routing and --engine also give.
Option* add_routing(Verb& verb, std::string& routing);

// Whether it draws at random from the seed.
bool is_seeded(const std::string& routing);

// Tables by an engine, or of an algebraic routing; notes go to stderr.
// InputError with the names there are when it is neither.
MadeRoutes make_routes(const Model& model, const std::string& routing, const RouteChoice& choice,
                       const Session& session);

// Whether the verb takes tables whose entries can take several ports.
enum class Several { kRefused, kTaken };
// Notes and warnings go to stderr. InputError as choose_routing.
ResolvedRouting find_routing(const Model& model, const std::string& routing, const Session& session,
                             Prefer prefer, Several several = Several::kRefused,
                             const AimChoice& aim = {});

// The model must outlive the result. Notes and warnings go to stderr. InputError if it is none
// of the three, an algebraic routing on a fabric that is no complete tree, or one with several
// ports per entry that is not taken.
std::unique_ptr<PathSource> choose_routing(const Model& model, const std::string& routing,
                                           const Session& session,
                                           Several several = Several::kRefused,
                                           const AimChoice& aim = {});

}  // namespace fatwood::cli
