// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/check.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "routing/tables/path_source.hpp"

namespace fatwood {

namespace {

SpeedCheck measured_speed(const Model& model, const Routing& routing, int threads) {
  SpeedCheck speed;
  const auto paths = path_source(model, routing);
  const Table<Terminal, std::uint8_t> takes_part = ports_of_all(model);
  speed.rates = bottleneck_rates(model, *paths, takes_part, threads);
  speed.evenness = find_evenness(model, speed.rates.loads, takes_part, Splitting::kBundles,
                                 std::max(paths->addresses(), 1U));
  speed.bottlenecks = bottlenecks(model, speed.rates, speed.evenness);
  return speed;
}

}  // namespace

std::string_view to_string(Health health) {
  constexpr std::array<std::string_view, 3> kNames = {"ok", "warn", "bad"};
  return kNames[static_cast<std::size_t>(health)];
}

double SpeedCheck::of_possible() const {
  if (bottlenecks.empty() || bottlenecks.front().rate > rates.worst) return 1;
  const Fraction& best = bottlenecks.front().best_possible;
  return best == 0 ? 1 : std::min(1.0, rates.worst.value() / best.value());
}

Health CheckResult::speed_health() const {
  if (!speed) return Health::kOk;
  const double share = speed->of_possible();
  return share < 0.5 ? Health::kBad : share < 0.9 ? Health::kWarn : Health::kOk;
}

CheckResult check(const Model& model, const Routing& routing, const CheckOptions& options) {
  CheckResult result;
  result.routing = routing.engine;
  result.verdict =
      verify(model, routing, {.threads = options.threads, .settings = options.settings});
  if (routing.sets.empty() && model.fabric().num_terminals() > 1) {
    result.speed = measured_speed(model, routing, options.threads);
  }
  result.engine = suggested_engine(model);
  return result;
}

std::string_view suggested_engine(const Model& model) {
  return model.levels().is_tree() ? "even" : "nue";
}

}  // namespace fatwood
