// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The monitoring figures of a fabric and its routes, for /api/v1/state and /metrics.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/bytes.hpp"
#include "report/json.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"
#include "topology/run_data.hpp"

namespace fatwood::serve {

struct HotLink {
  std::string from, to;  // "leaf-1[33]"
  double load = 0;       // in all-to-all: flows per link of the usual speed
};

struct FactRates {  // Gb/s of pairs
  double worst = 0, p1 = 0, p10 = 0, median = 0;
  double port = 0;
};
struct FactJobs {  // job efficiency of compute hosts
  double mean = 0, worst = 0, ideal = 0;
};

struct Facts {
  std::string title, format, routing;
  std::vector<std::string> warnings;
  std::uint64_t fingerprint = 0;         // of the fabric
  std::uint64_t routes_fingerprint = 0;  // of the tables
  std::uint64_t switches = 0, hosts = 0, adapters = 0, links = 0;
  std::uint64_t missing_cables = 0, slow_cables = 0;
  std::uint64_t unreachable_pairs = 0;  // of end ports
  std::uint64_t loops = 0;
  bool deadlock_free = true;
  // Compared with the first tables of this fabric that were proved; 0 until there are some.
  std::uint64_t differing_entries = 0;
  // No value: unknown (adaptive tables, no speeds).
  std::optional<double> evenness_mean = {}, evenness_worst = {};
  std::optional<FactJobs> jobs = {};
  std::optional<FactRates> rates = {};
  std::vector<HotLink> hottest;

  bool safe() const { return unreachable_pairs == 0 && loops == 0 && deadlock_free; }
};

void fields(auto& bytes, Some<Facts> auto& facts) {
  bytes(facts.title, facts.format, facts.routing, facts.warnings, facts.fingerprint,
        facts.routes_fingerprint, facts.switches, facts.hosts, facts.adapters, facts.links,
        facts.missing_cables, facts.slow_cables, facts.unreachable_pairs, facts.loops,
        facts.deadlock_free, facts.differing_entries, facts.evenness_mean, facts.evenness_worst,
        facts.jobs, facts.rates, facts.hottest);
}
void fields(auto& bytes, Some<HotLink> auto& link) { bytes(link.from, link.to, link.load); }

// Verifies the routes and computes the rates. The caller sets title, format and warnings.
// `settings`: of adaptive routing, if the run has them; empty: not known.
Facts find_facts(const Model& model, const Routing& routing,
                 const Table<Switch, AdaptiveSettings>& settings);

Json facts_json(const Facts& facts);

}  // namespace fatwood::serve
