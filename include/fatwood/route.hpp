// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Engines and the routes they make.
//
//   fatwood::engines()                        the built-in ones, a row each: name, needs, promises
//   fatwood::route(find_engine("sftree"), model, options)       forwarding tables, in lanes
//   fatwood::resolve_paths(model, "disjoint:4", options)        also closed forms of whole trees
//
// An engine of your own is a row too. It is not a global: a list that holds it is a value, and
// every call that finds or evaluates engines takes a list.
//
//   fatwood::Routing route_mine(const fatwood::Model& model, const fatwood::RouteOptions& options);
//   const fatwood::Engine mine{.name = "mine", .summary = "...", .needs = "",
//                              .pairs = fatwood::Pairs::kAll, .flags = 0, .route = route_mine};
//   const std::vector<fatwood::Engine> all = fatwood::engines_with({&mine, 1});
//   fatwood::compare_engines(model, {}, all);     // fatwood/analyse.hpp: evaluated like the rest
//
// It fills ForwardingTables(terminals, switches, lmc): for each destination, a row with the Port of
// each switch; kNoRoute where there is none, own_port(fabric, tables, destination) at the switch
// that delivers, home_of(fabric, tables, destination).

#include "routing/engine.hpp"
#include "routing/resolve.hpp"
#include "routing/tables/path_source.hpp"
#include "routing/tables/routing.hpp"
