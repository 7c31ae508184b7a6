// SPDX-License-Identifier: BSD-3-Clause
#include "serve/children/routed.hpp"

#include <filesystem>
#include <sstream>

#include "core/error.hpp"
#include "core/version.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/tables/routing_files.hpp"
#include "report/page/page.hpp"
#include "routing/engine.hpp"
#include "routing/repair/forced.hpp"
#include "routing/resolve.hpp"
#include "tasks/verify.hpp"
#include "topology/hosts/rails.hpp"
#include "topology/hosts/roles.hpp"

namespace fatwood::serve {

namespace {

bool is_file_of_tables(const std::string& routing) {
  return !is_engine(routing) && find_algebraic(routing) == nullptr &&
         std::filesystem::exists(routing);
}

struct NewRoutes {
  Routing routing;
  Lids lids;
  std::vector<std::string> warnings;
};

NewRoutes routes_of(const Model& model, const std::string& routing) {
  if (is_file_of_tables(routing)) {
    LoadedRouting tables = load_routing_files(routing, model.fabric());
    return {std::move(tables.routing), std::move(tables.lids), std::move(tables.warnings)};
  }
  const std::string name = routing.empty() ? kDefaultEngine : routing;
  NewRoutes routes{resolve_routing(model, name, {}, Prefer::kTables).routing, {}, {}};
  routes.lids = assign_lids(model.fabric(), routes.routing.tables.lmc());
  return routes;
}

}  // namespace

void route_again(Routed& routed, const std::string& routing) {
  const Model& model = *routed.model;
  NewRoutes routes = routes_of(model, routing);
  Facts facts = find_facts(model, routes.routing);
  facts.title = routed.facts.title;
  facts.format = routed.facts.format;
  facts.routing =
      routing.empty() ? kDefaultEngine : std::filesystem::path(routing).filename().string();
  facts.warnings = routed.warnings;
  facts.warnings.insert(facts.warnings.end(), routes.warnings.begin(), routes.warnings.end());
  std::optional<Participants> who;
  std::optional<LossFigures> before;
  std::vector<std::uint8_t> settled;
  std::optional<KnownTables> known;
  std::optional<TableFlows> flows;
  if (routes.routing.tables.num_destinations() > 0) {
    who = default_participants(model);
    before = figures_before(model, routes.routing, *who);
    if (routes.routing.sets.empty()) settled = settled_rows(model, routes.routing.tables);
    if (routes.routing.sets.empty() && model.levels().is_tree()) {
      const PlacedTables tables{model, routes.routing.tables};
      known.emplace(tables);
      flows.emplace(tables);
      (void)known->looks(tables);
    }
  }
  routed.routing = std::move(routes.routing);
  routed.lids = std::move(routes.lids);
  routed.facts = std::move(facts);
  routed.who = std::move(who);
  routed.before = before;
  routed.settled = std::move(settled);
  routed.known = std::move(known);
  routed.flows = std::move(flows);
}

Routed read_routed(const std::string& fabric, const std::string& routing) {
  LoadedFabric loaded = load_fabric(fabric);
  Routed routed;
  routed.warnings = std::move(loaded.warnings);
  routed.run = std::move(loaded.run);
  routed.model = std::make_unique<Model>(std::move(loaded.fabric));
  routed.facts.title = std::filesystem::path(fabric).filename().string();
  routed.facts.format = std::move(loaded.format);
  route_again(routed, routing);
  return routed;
}

std::string page_of(const Routed& routed, const std::string& name, const std::string& command) {
  if (!has_page()) throw InputError("this fatwood was built without the page (npm)");
  const Model& model = *routed.model;
  PageContent content;
  content.title = routed.facts.title;
  content.command = command;
  content.version = std::string(version());
  content.show = show_report(model, routed.facts.format, routed.warnings);
  content.who = default_participants(model);
  content.counters = routed.run.counters;
  const EngineEvaluator evaluator(model, content.who, CountShifts::kNo, 0);
  content.engines.push_back(evaluator.tables(name, routed.routing));
  return page_html(model, content);
}

std::string proof_of(const Routed& routed) {
  const Proof proof = prove(*routed.model, routed.routing, {});
  if (!proof.deadlock_free()) {
    throw PromiseError(
        "there is no proof: the routes can deadlock (/api/v1/verbs/verify says how)");
  }
  std::ostringstream out;
  write_certificate(out, routed.model->fabric(), routed.routing, proof);
  return std::move(out).str();
}

}  // namespace fatwood::serve
