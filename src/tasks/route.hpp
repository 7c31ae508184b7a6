// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Makes routes by the name of an engine or of an algebraic routing, as forwarding tables, and
// computes figures about them.

#include <string>
#include <string_view>
#include <vector>

#include "routing/resolve.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {

struct MadeRoutes {
  Routing routing;
  AddressChoice choice = {};  // algebraic routings: which address of a destination a source uses
  std::string note = {};      // for the user; "" if there is nothing to say
  double seconds = 0;
};

// An algebraic routing gets as many addresses per terminal as it needs. Throws InputError like
// resolve_routing.
MadeRoutes route_by_name(const Model& model, std::string_view name, const RouteOptions& options);

struct RouteFigures {
  std::string engine;
  unsigned lmc = 0;
  std::size_t terminals = 0;
  std::size_t switches = 0;
  std::size_t destinations = 0;
  unsigned lanes = 1;
  Reachability reachability;  // adaptive tables: for every choice
  HopHistogram hops;          // between terminals; adaptive tables: longest choice
  // Adaptive tables: not computed, 0.
  std::uint64_t longer = 0;                // pairs of terminals with a path that is not shortest
  std::uint32_t longer_by = 0;             // most extra hops of any route
  std::vector<std::uint64_t> lane_routes;  // by lane: routes (switch, destination)
};

RouteFigures route_figures(const Model& model, const Routing& routing, int threads = 0);

}  // namespace fatwood
