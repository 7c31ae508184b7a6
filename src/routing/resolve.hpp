// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A routing as a person names it: a closed form of whole trees ("disjoint:8") or an engine
// ("ftree"). A name may be both ("dmodk"): which of them is meant depends on what the routes are
// for.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "routing/closed/oblivious.hpp"
#include "routing/engine.hpp"
#include "routing/tables/path_source.hpp"

namespace fatwood {

enum class Prefer { kClosedForm, kTables };  // tables also reach switches

struct ResolvedRouting {
  std::shared_ptr<const ObliviousRouting> closed_form;  // nullptr: `routing` it is
  Routing routing;
  std::string note = {};      // "" or what the user should know: K is more than any pair has
  AddressChoice choice = {};  // of tables: which addresses a source uses
};

// InputError, with the names there are, when it is neither, or a closed form on a fabric that is
// not a whole tree, or with hints where the levels of a tree made from a formula are. What the
// engine throws goes through.
ResolvedRouting resolve_routing(const Model& model, std::string_view text,
                                const RouteOptions& options = {},
                                Prefer prefer = Prefer::kClosedForm,
                                std::span<const Engine> list = engines());

// The paths of such a routing between hosts. The model must outlive them.
std::unique_ptr<PathSource> resolve_paths(const Model& model, std::string_view text,
                                          const RouteOptions& options = {},
                                          std::span<const Engine> list = engines());
std::unique_ptr<PathSource> paths_of(const Model& model, ResolvedRouting routing);

}  // namespace fatwood
