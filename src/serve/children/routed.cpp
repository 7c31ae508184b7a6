// SPDX-License-Identifier: BSD-3-Clause
#include "serve/children/routed.hpp"

#include <filesystem>
#include <sstream>

#include "app/open_routing.hpp"
#include "core/error.hpp"
#include "core/version.hpp"
#include "report/fabric/quality_report.hpp"
#include "report/page/page.hpp"
#include "routing/engine.hpp"
#include "routing/repair/forced.hpp"
#include "tasks/verify.hpp"
#include "topology/hosts/rails.hpp"
#include "topology/hosts/roles.hpp"

namespace fatwood::serve {

void route_again(Routed& routed, const std::string& routing,
                 const std::function<void()>& files_read) {
  const Model& model = *routed.model;
  OpenRouting routes = open_routing(routed.fabric, {.name = routing, .files_read = files_read},
                                    {.unnamed = Unnamed::kDefault});
  Facts facts = find_facts(model, routes.routing, routed.fabric.run.adaptive);
  facts.title = routed.facts.title;
  facts.format = routed.facts.format;
  facts.routing =
      routes.by_engine ? routes.name : std::filesystem::path(routes.name).filename().string();
  facts.warnings = routed.fabric.warnings;
  if (!routes.note.empty()) facts.warnings.push_back(routes.note);
  facts.warnings.insert(facts.warnings.end(), routes.warnings.begin(), routes.warnings.end());
  std::optional<Participants> who;
  std::optional<LossFigures> before;
  std::vector<std::uint8_t> settled;
  std::optional<KnownTables> known;
  std::optional<TableFlows> flows;
  if (routes.routing.tables.num_destinations() > 0) {
    who = default_participants(model);
    before = figures_before(model, routes.routing, *who, 0, MeasureJobs::kYes);
    if (routes.routing.sets.empty()) settled = settled_rows(model, routes.routing.tables);
    if (routes.routing.sets.empty() && model.levels().is_tree()) {
      const PlacedTables tables{model, routes.routing.tables};
      known.emplace(tables);
      flows.emplace(tables);
      (void)known->looks(tables);
    }
  }
  routed.by_engine = routes.by_engine;
  routed.routing = std::move(routes.routing);
  routed.lids = std::move(routes.lids);
  routed.facts = std::move(facts);
  routed.who = std::move(who);
  routed.before = before;
  routed.settled = std::move(settled);
  routed.known = std::move(known);
  routed.flows = std::move(flows);
}

Routed read_routed(const std::string& fabric, const std::string& routing,
                   const std::function<void()>& files_read) {
  Routed routed;
  routed.fabric = open_fabric(FabricRequest{.name = fabric});
  routed.model = routed.fabric.model;
  routed.facts.title = std::filesystem::path(fabric).filename().string();
  routed.facts.format = routed.fabric.format;
  route_again(routed, routing, files_read);
  return routed;
}

std::string page_of(const Routed& routed, const std::string& name, const std::string& command,
                    PageForm form) {
  if (form == PageForm::kFile && !has_page()) {
    throw InputError("this fatwood was built without the page (npm)");
  }
  const Model& model = *routed.model;
  PageContent content;
  content.title = routed.facts.title;
  content.command = command;
  content.version = std::string(version());
  content.show = show_report(model, routed.facts.format, routed.fabric.warnings);
  content.who = default_participants(model);
  content.run = &routed.fabric.run;
  const EngineEvaluator evaluator(model, content.who, CountShifts::kNo, 0);
  content.engines.push_back(evaluator.tables(name, routed.routing));
  content.check.emplace(report_check(
      model, content.show, check(model, routed.routing, {.settings = &routed.fabric.run.adaptive}),
      content.title, {.word = name, .files = !is_engine(name), .lanes = ""},
      quality_findings(model, routed.fabric.run, routed.routing, {}, 0)));
  return form == PageForm::kFile ? page_html(model, content) : page_data(model, content);
}

std::string map_of(const Routed& routed, const std::string& name) {
  const Model& model = *routed.model;
  return map_json(model, {.title = routed.facts.title,
                          .version = std::string(version()),
                          .show = show_report(model, routed.facts.format, routed.fabric.warnings),
                          .who = default_participants(model),
                          .name = name,
                          .routing = routed.routing});
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
