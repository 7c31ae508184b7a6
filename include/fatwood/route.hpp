// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Engines and the routes that they make.
//
//   fatwood::engines()                        the built-in engines: name, needs, promises
//   fatwood::route(find_engine("sftree"), model, options)       forwarding tables, with lanes
//   fatwood::resolve_paths(model, "disjoint:4", options)        also algebraic routings of trees
//
// You can add engines of your own. There is no global registry: a list of engines is a value, and
// every function that finds or evaluates engines takes a list.
//
//   fatwood::Routing route_mine(const fatwood::Model& model, const fatwood::RouteOptions& options);
//   const fatwood::Engine mine{.name = "mine", .summary = "...", .needs = "",
//                              .pairs = fatwood::Pairs::kAll, .flags = 0, .route = route_mine};
//   const std::vector<fatwood::Engine> all = fatwood::engines_with({&mine, 1});
//   fatwood::compare(model, {.list = all});       // fatwood/compare.hpp: evaluated like the rest
//
// An engine fills ForwardingTables(terminals, switches, lmc): for each destination a row with the
// Port of each switch. kNoRoute means no route. At the switch that delivers, home_of(fabric,
// tables, destination), the entry is own_port(fabric, tables, destination).

#include "routing/engine.hpp"
#include "routing/resolve.hpp"
#include "routing/tables/path_source.hpp"
#include "routing/tables/routing.hpp"
