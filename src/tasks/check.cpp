// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/check.hpp"

#include <array>

#include "routing/tables/path_source.hpp"

namespace fatwood {

std::string_view to_string(Health health) {
  constexpr std::array<std::string_view, 3> kNames = {"ok", "warn", "bad"};
  return kNames[static_cast<std::size_t>(health)];
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
  if (model.adapters().size() > 1) {
    const auto paths = path_source(model, routing);
    result.speed =
        measure_pairs(Measured(model, *paths, default_participants(model)), options.threads);
  }
  result.engine = suggested_engine(model);
  return result;
}

std::string_view suggested_engine(const Model& model) {
  return model.levels().is_tree() ? "even" : "nue";
}

}  // namespace fatwood
