// SPDX-License-Identifier: BSD-3-Clause
// The one list of engines. A row states what the engine promises; tests hold every row to it.

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/invariant.hpp"
#include "routing/engine.hpp"
#include "routing/engine_list.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

namespace {

constexpr Engine kEngines[] = {
    {.name = "minhop",
     .summary = "shortest paths, ports balanced by the number of destinations",
     .needs = "",
     .deadlock_free = false,
     .pairs = Pairs::kAll,
     .lmc = true,
     .route = route_minhop,
     .balance = true},
    {.name = "updn",
     .summary = "Up*/Down* from given or found roots; every pair has a route",
     .needs = "",
     .deadlock_free = true,
     .pairs = Pairs::kAll,
     .lmc = true,
     .route = route_updn,
     .manager = true,
     .levels = true,
     .balance = true},
    {.name = "dnup",
     .summary = "Up*/Down* ranked from the hosts, for trees with hosts near the top",
     .needs = "",
     .deadlock_free = true,
     .pairs = Pairs::kAll,
     .lmc = true,
     .route = route_dnup,
     .manager = true,
     .levels = true,
     .balance = true},
    {.name = "sssp",
     .summary = "shortest paths by weights that grow with use, over all links",
     .needs = "",
     .deadlock_free = false,
     .pairs = Pairs::kAll,
     .lmc = true,
     .route = route_sssp,
     .balance = true},
    {.name = "dfsssp",
     .summary = "the routes of sssp, in virtual lanes without a cycle of dependencies",
     .needs = "",
     .deadlock_free = true,
     .pairs = Pairs::kAll,
     .lmc = true,
     .route = route_dfsssp,
     .lanes = true,
     .levels = true,
     .balance = true},
    {.name = "lash",
     .summary = "one shortest path for each pair of switches, in virtual lanes without a cycle of "
                "dependencies",
     .needs = "",
     .deadlock_free = true,
     .pairs = Pairs::kAll,
     .lmc = false,
     .order = false,
     .route = route_lash,
     .lanes = true,
     .draws = true,
     .levels = true},
    {.name = "nue",
     .summary =
         "short, spread paths without a cycle of dependencies, in any number of lanes, even one",
     .needs = "",
     .deadlock_free = true,
     .pairs = Pairs::kAll,
     .lmc = true,
     .route = route_nue,
     .lanes = true,
     .levels = true,
     .balance = true},
    {.name = "ftree",
     .summary =
         "up a tree, then down chains that few destinations share; needs no root or node files",
     .needs = "a fabric like a tree",
     .deadlock_free = true,
     .pairs = Pairs::kLegal,
     .lmc = true,
     .route = route_ftree,
     .for_trees = true,
     .levels = true,
     .balance = true},
    {.name = "sftree",
     .summary = "ftree, plus a route over one leaf for every other pair, switches included",
     .needs = "",
     .deadlock_free = true,
     .pairs = Pairs::kAll,
     .lmc = true,
     .route = route_sftree,
     .for_trees = true,
     .manager = true,
     .levels = true,
     .balance = true},
    {.name = "even",
     .summary = "sftree, and destinations spread until no channel has more than it must",
     .needs = "",
     .deadlock_free = true,
     .pairs = Pairs::kAll,
     .lmc = true,
     .route = route_even,
     .aims = true,
     .for_trees = true,
     .manager = true,
     .levels = true,
     .balance = true},
    {.name = "dmodk",
     .summary = "closed form for whole trees: no shift has a conflict on a complete RLFT",
     .needs = "a whole tree",
     .deadlock_free = true,
     .pairs = Pairs::kTerminalsAndLegal,
     .lmc = false,
     .order = false,
     .route = route_dmodk,
     .for_trees = true,
     .levels = true},
    {.name = "ar_updn",
     .summary = "updn with every port of least hops as a group that switches choose from",
     .needs = "",
     .deadlock_free = true,
     .pairs = Pairs::kAll,
     .lmc = true,
     .route = route_ar_updn,
     .adaptive = true,
     .manager = true,
     .levels = true,
     .balance = true},
    {.name = "ar_ftree",
     .summary = "ftree with every port of least hops as a group that switches choose from",
     .needs = "a fabric like a tree",
     .deadlock_free = true,
     .pairs = Pairs::kLegal,
     .lmc = true,
     .route = route_ar_ftree,
     .adaptive = true,
     .for_trees = true,
     .levels = true,
     .balance = true},
    {.name = "ar_even",
     .summary = "ar_updn with groups cut so that all-to-all is evener where cables are missing",
     .needs = "",
     .deadlock_free = true,
     .pairs = Pairs::kAll,
     .lmc = true,
     .route = route_ar_even,
     .adaptive = true,
     .manager = true,
     .levels = true,
     .balance = true},
    {.name = "bfot",
     .summary = "links in ordered layers: a route never goes back to a lower layer",
     .needs = "",
     .deadlock_free = true,
     .pairs = Pairs::kAll,
     .lmc = false,
     .route = route_bfot,
     .balance = true},
    {.name = "bfot+",
     .summary = "the same, with links between well-connected switches in the lowest layers",
     .needs = "",
     .deadlock_free = true,
     .pairs = Pairs::kAll,
     .lmc = false,
     .route = route_bfot_plus,
     .balance = true},
    {.name = "apot",
     .summary = "shortest paths over the same layers for each pair: source routes",
     .needs = "",
     .deadlock_free = true,
     .pairs = Pairs::kPerPair,
     .lmc = false,
     .order = false,
     .route = route_apot},
    {.name = "apot-matrix",
     .summary = "the same distances by the matrix form of [Chiu02]",
     .needs = "",
     .deadlock_free = true,
     .pairs = Pairs::kPerPair,
     .lmc = false,
     .order = false,
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
    throw InputError(fmt::format("an LMC is {} at most, not {}", kMaxLmc, options.lmc));
  }
  if (options.lmc > 0 && !engine.lmc) {
    throw InputError(
        fmt::format("engine {} gives a terminal one address: its LMC must be 0, not {}",
                    engine.name, options.lmc));
  }
  if (!options.order.empty() && !engine.order) {
    throw InputError(
        fmt::format("engine {} lays destinations in no order that could be given", engine.name));
  }
  if ((options.aim != Aim::kAllToAll || !options.demands.empty() || options.quick) &&
      !engine.aims) {
    throw InputError(fmt::format("engine {} can't be told what to be even for", engine.name));
  }
  if ((options.aim == Aim::kDemands) == options.demands.empty()) {
    throw InputError("demands go with the aim that they are for");
  }
  for (const PairDemand& demand : options.demands) {
    check_ids<Terminal>({{demand.source, demand.destination}}, fabric.num_terminals(), "terminal");
  }
  check_ids<Terminal>(options.order, fabric.num_terminals(), "terminal");
  if (options.manager) check_ids<Switch>({{*options.manager}}, fabric.num_switches(), "switch");
  Routing routing = engine.route(model, options);
  const ForwardingTables& tables = routing.tables;
  invariant(routing.source_routes.empty()
                ? tables.num_terminals() == fabric.num_terminals() &&
                      tables.num_switches() == fabric.num_switches() && tables.lmc() == options.lmc
                : tables.num_targets() == 0,
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

const Engine& find_engine(std::string_view name, std::span<const Engine> list) {
  std::string known;
  for (const Engine& engine : list) {
    if (engine.name == name) return engine;
    known += ' ';
    known += engine.name;
  }
  throw InputError("there is no engine \"" + std::string(name) + "\"; the engines are:" + known);
}

}  // namespace fatwood
