// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/check.hpp"

#include <array>

#include "routing/tables/path_source.hpp"
#include "tasks/recommend.hpp"

namespace fatwood {

std::string_view to_string(Health health) {
  constexpr std::array<std::string_view, 3> kNames = {"ok", "warn", "bad"};
  return kNames[static_cast<std::size_t>(health)];
}

bool CheckResult::safe_where_connected() const {
  const Reachability& found = verdict.reachability;
  return verdict.deadlock.free() && found.lost().total() == 0 && found.unknown.total() == 0 &&
         found.loops == 0;
}

Health CheckResult::speed_health() const {
  if (!speed || speed->rates.pairs == 0) return Health::kOk;
  const std::optional<double> possible = speed->of_possible();
  if (!possible) return speed->rates.worst * 2 < speed->rates.port ? Health::kWarn : Health::kOk;
  const double share = *possible;
  return share < 0.5 ? Health::kBad : share < 0.9 ? Health::kWarn : Health::kOk;
}

CheckResult check(const Model& model, const Routing& routing, const CheckOptions& options) {
  CheckResult result;
  result.routing = routing.engine;
  result.verdict =
      verify(model, routing, {.threads = options.threads, .settings = options.settings});
  if (model.adapters().size() > 1) {
    const auto paths = path_source(model, routing);
    const Measured measured(model, *paths, default_participants(model));
    result.speed = measure_pairs(measured, options.threads);
    // Where entries are unknown, nobody knows what a job gets.
    if (result.verdict.reachability.unknown.total() == 0) {
      result.jobs = measure_jobs(measured, routing, options.order, options.threads);
    }
  }
  const Reachability& found = result.verdict.reachability;
  if (found.lost().terminal_terminal > 0 && model.adapters().size() > 1) {
    const BottleneckRates all = bottleneck_rates(model, routing, options.threads);
    result.hosts_lost = lost_between_hosts(found, all.unreachable);
  }
  result.lmc = routing.tables.lmc();
  result.adaptive = !routing.sets.empty();
  result.can_lose = model.levels().is_tree() && routing.source_routes.empty();
  result.engine = default_engine(model);
  result.ethernet = is_ethernet(model.fabric());
  return result;
}

}  // namespace fatwood
