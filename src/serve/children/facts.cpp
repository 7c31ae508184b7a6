// SPDX-License-Identifier: BSD-3-Clause
#include "serve/children/facts.hpp"

#include <fmt/format.h>

#include "routing/tables/fingerprint.hpp"
#include "routing/tables/path_source.hpp"
#include "tasks/measured.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/hosts/rails.hpp"
#include "verify/verify.hpp"

namespace fatwood::serve {

namespace {

constexpr std::size_t kHottest = 10;

void count_findings(const Model& model, Facts& facts) {
  for (const Finding& finding : model.recognition().findings) {
    if (finding.kind == FindingKind::kSlowCable) facts.slow_cables += finding.ports.size();
  }
  for (const CableGap& missing : model.recognition().missing) {
    facts.missing_cables += missing.usual - missing.there;
  }
}

void find_hottest(const Fabric& fabric, const LinkLoads& loads, Facts& facts) {
  for (const ChannelLoad& link : most_loaded(loads, fabric.num_channels())) {
    if (facts.hottest.size() == kHottest) return;
    const Channel there = fabric.peer(link.channel);
    if (!fabric.is_switch(fabric.owner(link.channel)) || !fabric.is_switch(fabric.owner(there))) {
      continue;
    }
    facts.hottest.push_back(
        {port_name(fabric, link.channel), port_name(fabric, there), link.load.value()});
  }
}

void find_rates(const Model& model, const Routing& routing, Facts& facts) {
  if (!routing.sets.empty()) return;  // adaptive: no list of paths
  const auto paths = path_source(model, routing);
  const PairFigures pairs = measure_pairs(Measured(model, *paths, default_participants(model)), 0);
  facts.evenness_mean = pairs.evenness.mean;
  if (!pairs.evenness.loads.empty()) {
    facts.evenness_worst = pairs.evenness.loads[pairs.evenness.worst].evenness();
  }
  const double usual = model.speeds().usual_gigabits();
  if (usual > 0) {
    facts.rates = {pairs.rates.worst.value() * usual, pairs.rates.p1.value() * usual,
                   pairs.rates.p10.value() * usual, pairs.rates.median.value() * usual, usual};
  }
  find_hottest(model.fabric(), pairs.rates.loads, facts);
}

void find_jobs(const Model& model, const Routing& routing, Facts& facts) {
  if (model.adapters().size() < 2) return;
  const Measured measured(model, default_participants(model));
  const std::optional<JobEfficiency> jobs = measure_jobs(measured, routing, {}, 0);
  if (!jobs) return;
  facts.jobs = {jobs->at_once().mean, jobs->at_once().worst, jobs->at_once().ideal_mean};
}

Json known(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

}  // namespace

Facts find_facts(const Model& model, const Routing& routing,
                 const Table<Switch, AdaptiveSettings>& settings) {
  const Fabric& fabric = model.fabric();
  Facts facts;
  facts.fingerprint = fingerprint(fabric);
  facts.routes_fingerprint = fingerprint(fabric, routing);
  facts.switches = fabric.num_switches();
  facts.adapters = model.adapters().size();
  facts.hosts = model.hosts().hosts.size();
  facts.links = fabric.num_cables();
  count_findings(model, facts);
  const Verdict verdict =
      verify(model, routing, {.sources = Sources::kHosts, .settings = &settings});
  facts.unreachable_pairs = verdict.reachability.unreachable.terminal_terminal;
  facts.loops = verdict.reachability.loops;
  facts.deadlock_free = verdict.deadlock.free();
  find_rates(model, routing, facts);
  find_jobs(model, routing, facts);
  return facts;
}

Json facts_json(const Facts& facts) {
  Json json{{"title", facts.title},
            {"format", facts.format},
            {"routing", facts.routing},
            {"fingerprint", fmt::format("{:#018x}", facts.fingerprint)},
            {"routes_fingerprint", fmt::format("{:#018x}", facts.routes_fingerprint)},
            {"switches", facts.switches},
            {"hosts", facts.hosts},
            {"adapters", facts.adapters},
            {"links", facts.links},
            {"missing_cables", facts.missing_cables},
            {"slow_cables", facts.slow_cables},
            {"safe", facts.safe()},
            {"unreachable_pairs", facts.unreachable_pairs},
            {"loops", facts.loops},
            {"deadlock_free", facts.deadlock_free},
            {"differing_entries", facts.differing_entries}};
  json["warnings"] = facts.warnings;
  json["evenness_mean"] = known(facts.evenness_mean);
  json["evenness_worst"] = known(facts.evenness_worst);
  json["jobs"] = facts.jobs ? Json{{"mean", facts.jobs->mean},
                                   {"worst", facts.jobs->worst},
                                   {"ideal_mean", facts.jobs->ideal}}
                            : Json();
  const auto rate = [&](double FactRates::* which) {
    return facts.rates ? Json((*facts.rates).*which) : Json();
  };
  json["worst_gbps"] = rate(&FactRates::worst);
  json["p1_gbps"] = rate(&FactRates::p1);
  json["p10_gbps"] = rate(&FactRates::p10);
  json["median_gbps"] = rate(&FactRates::median);
  json["port_gbps"] = rate(&FactRates::port);
  json["hottest"] = Json::list(facts.hottest, [&](const HotLink& link) -> Json {
    return {{"from", link.from}, {"to", link.to}, {"load", link.load}};
  });
  return json;
}

}  // namespace fatwood::serve
