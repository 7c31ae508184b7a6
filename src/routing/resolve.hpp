// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds a routing by name: an algebraic routing of complete trees ("disjoint:8") or an engine
// ("ftree"). A name can be both ("dmodk"); then the use of the routes decides.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "routing/algebraic/algebraic.hpp"
#include "routing/engine.hpp"
#include "routing/tables/path_source.hpp"

namespace fatwood {

enum class Prefer { kClosedForm, kTables };  // tables also route to switches

struct ResolvedRouting {
  std::shared_ptr<const AlgebraicRouting> algebraic;  // nullptr: see `routing`
  Routing routing;
  std::string note = {};  // for the user, "" if none: for example, K exceeds the paths of a pair
  AddressChoice choice = {};  // tables: which addresses a source uses
};

// InputError, with all names, if the name is unknown; also for an algebraic routing on a fabric
// that is not a complete tree, or on a generated tree with hints about its levels. Exceptions of
// the engine pass through.
ResolvedRouting resolve_routing(const Model& model, std::string_view text,
                                const RouteOptions& options = {},
                                Prefer prefer = Prefer::kClosedForm,
                                std::span<const Engine> list = engines());

// The same as paths between adapters. The model must outlive them.
std::unique_ptr<PathSource> resolve_paths(const Model& model, std::string_view text,
                                          const RouteOptions& options = {},
                                          std::span<const Engine> list = engines());
std::unique_ptr<PathSource> paths_of(const Model& model, ResolvedRouting routing);

}  // namespace fatwood
