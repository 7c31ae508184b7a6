// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Routes by the name of an engine or of an algebraic routing, as forwarding tables, and what there
// is to say of them.

#include <string>
#include <string_view>
#include <vector>

#include "routing/resolve.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {

struct MadeRoutes {
  Routing routing;
  AddressChoice choice = {};  // algebraic routings: which of its addresses a source uses
  std::string note = {};      // "" or what the user should know
  double seconds = 0;
};

// An algebraic routing takes as many addresses per terminal as it needs. InputError as
// resolve_routing.
MadeRoutes route_by_name(const Model& model, std::string_view name, const RouteOptions& options);

struct RouteFigures {
  std::string engine;
  unsigned lmc = 0;
  std::size_t terminals = 0;
  std::size_t switches = 0;
  std::size_t destinations = 0;
  unsigned lanes = 1;
  Reachability reachability;               // of adaptive tables: whatever is chosen
  HopHistogram hops;                       // between terminals; of adaptive tables: the most
  std::uint64_t longer = 0;                // pairs of terminals with more hops than the fewest
  std::uint32_t longer_by = 0;             // hops more, at most; of any route
  std::vector<std::uint64_t> lane_routes;  // routes of a switch to a destination, by lane
};

RouteFigures route_figures(const Model& model, const Routing& routing, int threads = 0);

}  // namespace fatwood
