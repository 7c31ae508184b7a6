// SPDX-License-Identifier: BSD-3-Clause
// The list of all engines. A row states what the engine promises; tests check every row.

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "core/error.hpp"
#include "core/invariant.hpp"
#include "core/text/closest.hpp"
#include "routing/engine.hpp"
#include "routing/engine_list.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

namespace {

constexpr Engine kEngines[] = {
    {.name = "minhop",
     .summary = "shortest paths, ports balanced by the number of destinations: OpenSM's default",
     .pairs = Pairs::kAll,
     .flags = Engine::kLmc | Engine::kOrder,
     .route = route_minhop},
    {.name = "updn",
     .summary = "OpenSM's Up*/Down*, from given roots or those that OpenSM finds",
     .needs = "roots, given or found as OpenSM finds them",
     .pairs = Pairs::kSome,
     .flags = Engine::kLmc | Engine::kOrder,
     .route = route_updn},
    {.name = "updn+",
     .summary = "Up*/Down* from given or found roots; every pair has a route",
     .pairs = Pairs::kAll,
     .flags = Engine::kDeadlockFree | Engine::kLmc | Engine::kOrder,
     .route = route_updn_plus},
    {.name = "dnup",
     .summary = "OpenSM's Up*/Down* ranked from the hosts, for trees with hosts near the top",
     .needs = "hosts",
     .pairs = Pairs::kSome,
     .flags = Engine::kLmc | Engine::kOrder,
     .route = route_dnup},
    {.name = "sssp",
     .summary = "shortest paths by weights that grow with use, over all links",
     .pairs = Pairs::kAll,
     .flags = Engine::kLmc | Engine::kOrder,
     .route = route_sssp},
    {.name = "dfsssp",
     .summary = "the routes of sssp, in virtual lanes without a cycle of dependencies",
     .pairs = Pairs::kAll,
     .flags = Engine::kDeadlockFree | Engine::kLmc | Engine::kOrder,
     .route = route_dfsssp},
    {.name = "lash",
     .summary = "one shortest path for each pair of switches, in virtual lanes without a cycle of "
                "dependencies",
     .pairs = Pairs::kAll,
     .flags = Engine::kDeadlockFree,
     .route = route_lash},
    {.name = "nue",
     .summary =
         "short, spread paths without a cycle of dependencies, in any number of lanes, even one",
     .pairs = Pairs::kAll,
     .flags = Engine::kDeadlockFree | Engine::kLmc | Engine::kOrder,
     .route = route_nue},
    {.name = "ftree",
     .summary =
         "up a tree, then down chains that few destinations share; needs no root or node files",
     .needs = "a fabric like a tree",
     .pairs = Pairs::kLegal,
     .flags = Engine::kDeadlockFree | Engine::kLmc | Engine::kOrder | Engine::kForTrees,
     .route = route_ftree},
    {.name = "sftree",
     .summary = "ftree, plus a route over one leaf for every other pair, switches included",
     .pairs = Pairs::kAll,
     .flags = Engine::kDeadlockFree | Engine::kLmc | Engine::kOrder | Engine::kForTrees,
     .route = route_sftree},
    {.name = "even",
     .summary = "sftree, rebalanced until links are within about 2% of what they must carry",
     .pairs = Pairs::kAll,
     .flags =
         Engine::kDeadlockFree | Engine::kLmc | Engine::kOrder | Engine::kAims | Engine::kForTrees,
     .route = route_even},
    {.name = "dmodk",
     .summary = "algebraic, for complete trees: no shift has a conflict on a complete RLFT",
     .needs = "a complete tree",
     .pairs = Pairs::kTerminalsAndLegal,
     .flags = Engine::kDeadlockFree | Engine::kForTrees,
     .route = route_dmodk},
    {.name = "ar_updn",
     .summary = "updn with every port of least hops as a group that switches choose from",
     .pairs = Pairs::kAll,
     .flags = Engine::kDeadlockFree | Engine::kLmc | Engine::kOrder | Engine::kAdaptive,
     .route = route_ar_updn},
    {.name = "ar_ftree",
     .summary = "ftree with every port of least hops as a group that switches choose from",
     .needs = "a fabric like a tree",
     .pairs = Pairs::kLegal,
     .flags = Engine::kDeadlockFree | Engine::kLmc | Engine::kOrder | Engine::kAdaptive |
              Engine::kForTrees,
     .route = route_ar_ftree},
    {.name = "ar_even",
     .summary =
         "ar_updn with smaller groups, so that all-to-all is balanced where cables are missing",
     .pairs = Pairs::kAll,
     .flags = Engine::kDeadlockFree | Engine::kLmc | Engine::kOrder | Engine::kAdaptive,
     .route = route_ar_even},
    {.name = "ecmp",
     .summary = "what BGP with ECMP gives on a Clos of Ethernet switches: every port of a shortest "
                "path of autonomous systems",
     .pairs = Pairs::kSome,
     .flags = Engine::kAdaptive | Engine::kForTrees | Engine::kEthernet,
     .route = route_ecmp},
    {.name = "ospf",
     .summary = "what OSPF with ECMP gives Ethernet switches: every port of a shortest path",
     .pairs = Pairs::kAll,
     .flags = Engine::kAdaptive | Engine::kEthernet,
     .route = route_ospf},
    {.name = "bfot",
     .summary = "links in ordered layers: a route never goes back to a lower layer",
     .pairs = Pairs::kAll,
     .flags = Engine::kDeadlockFree | Engine::kOrder,
     .route = route_bfot},
    {.name = "bfot+",
     .summary = "the same, with links between well-connected switches in the lowest layers",
     .pairs = Pairs::kAll,
     .flags = Engine::kDeadlockFree | Engine::kOrder,
     .route = route_bfot_plus},
    {.name = "apot",
     .summary = "shortest paths over the same layers for each pair: source routes",
     .pairs = Pairs::kPerPair,
     .flags = Engine::kDeadlockFree,
     .route = route_apot},
    {.name = "apot-matrix",
     .summary = "the same distances by the matrix form of [Chiu02]",
     .pairs = Pairs::kPerPair,
     .flags = Engine::kDeadlockFree,
     .route = route_apot_matrix},
};

template <class Id>
void check_ids(std::span<const Id> listed, std::size_t count, std::string_view what) {
  for (const Id id : listed) {
    if (index(id) >= count) {
      throw InputError(
          fmt::format("there is no {} number {}: the fabric has {}", what, index(id), count));
    }
  }
}

}  // namespace

Routing route(const Engine& engine, const Model& model, const RouteOptions& options) {
  const Fabric& fabric = model.fabric();
  if (options.lmc > kMaxLmc) {
    throw InputError(fmt::format("the LMC is at most {}, not {}", kMaxLmc, options.lmc));
  }
  const auto require = [&](bool asked, Engine::Flag flag, std::string_view option) {
    if (!asked || engine.has(flag)) return;
    throw InputError(fmt::format("engine {} does not support {}", engine.name, option));
  };
  require(options.lmc > 0, Engine::kLmc,
          fmt::format("LMC {}; use {}", options.lmc, param("lmc", "0")));
  require(!options.order.empty(), Engine::kOrder, param("order"));
  require(options.aim > Aim::kAllToAll || !options.demands.empty(), Engine::kAims, param("for"));
  require(options.longer != kLonger, Engine::kAims, param("longest"));
  require(options.choice != EntryState::kFree, Engine::kAdaptive, param("choice"));
  if ((options.aim == Aim::kDemands) == options.demands.empty()) {
    throw InputError("RouteOptions: demands and Aim::kDemands must be given together");
  }
  for (const PairDemand& demand : options.demands) {
    check_ids<Terminal>({{demand.source, demand.destination}}, fabric.num_terminals(), "terminal");
  }
  check_ids<Terminal>(options.order, fabric.num_terminals(), "terminal");
  if (options.manager) check_ids<Switch>({{*options.manager}}, fabric.num_switches(), "switch");
  Routing routing = engine.route(model, options);
  routing.engine = engine.name;
  const ForwardingTables& tables = routing.tables;
  invariant(routing.source_routes.empty()
                ? tables.num_terminals() == fabric.num_terminals() &&
                      tables.num_switches() == fabric.num_switches() && tables.lmc() == options.lmc
                : tables.num_destinations() == 0,
            fmt::format("engine {} made tables of another size", engine.name));
  invariant(routing.lanes.count <= options.max_lanes,
            fmt::format("engine {} took more lanes than allowed", engine.name));
  return routing;
}

std::span<const Engine> engines() { return kEngines; }

std::vector<Engine> engines_with(std::span<const Engine> own) {
  std::vector<Engine> all(std::begin(kEngines), std::end(kEngines));
  for (const Engine& engine : own) {
    if (engine.name.empty() || engine.route == nullptr) {
      throw InputError("an engine needs a name and a function");
    }
    if (std::ranges::find(all, engine.name, &Engine::name) != all.end()) {
      throw InputError(fmt::format("there is an engine called {} already", engine.name));
    }
    all.push_back(engine);
  }
  return all;
}

bool is_engine(std::string_view name) {
  return std::ranges::find(engines(), name, &Engine::name) != engines().end();
}

const Engine& find_engine(std::string_view name, std::span<const Engine> list) {
  std::string known;
  for (const Engine& engine : list) {
    if (engine.name == name) return engine;
    known += ' ';
    known += engine.name;
  }
  throw InputError(fmt::format("there is no engine \"{}\"{}; the engines are:{}", name,
                               did_you_mean(name, list | std::views::transform(&Engine::name)),
                               known));
}

}  // namespace fatwood
