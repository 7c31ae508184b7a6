#include "report/route_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace fatwood {

std::string route_text(const RouteReport& report) {
  const RouteStatistics& routes = report.statistics;
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:<10} {}\n", name, value);
  };
  line("engine", report.engine);
  line("targets", fmt::format("{} ({} terminals with {} address{} each, {} switches)",
                              report.targets, report.terminals, 1U << report.lmc,
                              report.lmc == 0 ? "" : "es", report.switches));
  line("routes",
       fmt::format("{} of a switch to a target, {} missing", routes.routes, routes.missing));
  line("hops", fmt::format("{:.3f} between terminals in the mean, {} at most", routes.mean_hops(),
                           routes.longest));
  line("lanes", fmt::format("{}", report.lanes));
  for (std::size_t lane = 0; report.lanes > 1 && lane < routes.lane_routes.size(); ++lane) {
    line(fmt::format("  lane {}", lane), fmt::format("{} routes", routes.lane_routes[lane]));
  }
  line("time", fmt::format("{:.4f} s", report.seconds));
  for (const std::string& file : report.files) line("written", file);
  return text;
}

std::string route_json(const RouteReport& report) {
  const RouteStatistics& routes = report.statistics;
  const nlohmann::ordered_json json{
      {"engine", report.engine},
      {"lmc", report.lmc},
      {"terminals", report.terminals},
      {"switches", report.switches},
      {"targets", report.targets},
      {"routes", routes.routes},
      {"missing", routes.missing},
      {"lanes", report.lanes},
      {"lane_routes", routes.lane_routes},
      {"hops", {{"mean", routes.mean_hops()}, {"longest", routes.longest}}},
      {"seconds", report.seconds},
      {"files", report.files},
  };
  return json.dump() + "\n";
}

}  // namespace fatwood
