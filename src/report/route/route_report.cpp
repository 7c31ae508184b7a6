// SPDX-License-Identifier: BSD-3-Clause
#include "report/route/route_report.hpp"

#include <fmt/format.h>

#include "report/fabric/finding_text.hpp"
#include "report/json.hpp"

namespace fatwood {

namespace {

std::uint64_t from_switches(const PairCounts& pairs) {
  return pairs.switch_terminal + pairs.switch_switch;
}

// Why a LID can't be kept; the reasons are those of Lids::refused.
std::string reason(const Address& address, unsigned lmc) {
  if (address.lid == kNoLid) return "has none";
  const std::uint32_t lid = index(address.lid);
  if (lid % (1U << lmc) != 0) {
    return fmt::format("has LID {}, which is not a multiple of {}", lid, 1U << lmc);
  }
  return fmt::format("has LID {}, which is taken or too high", lid);
}

}  // namespace

std::vector<std::string> address_warnings(const Fabric& fabric, const Labels& labels,
                                          const Lids& lids) {
  std::vector<std::string> warnings;
  if (lids.refused != kNone<Channel>) {
    const Node node = fabric.owner(lids.refused);
    const Address address = fabric.is_switch(node)
                                ? fabric.address(fabric.as_switch(node))
                                : fabric.address(fabric.terminal_at(lids.refused));
    warnings.push_back(fmt::format(
        "the fabric's own LIDs can't be used, so all ports get new ones: {} {}",
        labels.port(lids.refused), reason(address, fabric.is_switch(node) ? 0 : lids.lmc)));
  }
  for (const Finding& finding : address_findings(fabric)) {
    if (finding.kind == FindingKind::kSameGuid) {
      warnings.push_back(address_sentence(labels, finding) +
                         ": a subnet manager takes them for one port");
    }
  }
  return warnings;
}

std::string route_text(const RouteFigures& figures, double seconds, const RouteFiles& files) {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:<10} {}\n", name, value);
  };
  line("engine", figures.engine);
  line("targets", fmt::format("{} ({} terminals with {} address{} each, {} switches)",
                              figures.destinations, figures.terminals, 1U << figures.lmc,
                              figures.lmc == 0 ? "" : "es", figures.switches));
  line("routes", fmt::format("{} from a switch to a destination, {} missing",
                             from_switches(figures.reachability.pairs) -
                                 from_switches(figures.reachability.unreachable),
                             from_switches(figures.reachability.unreachable)));
  line("hops", fmt::format("{:.3f} between terminals on average, {} at most", figures.hops.mean(),
                           figures.hops.longest()));
  if (figures.longer > 0) {
    line("longer",
         fmt::format(
             "{} pairs of terminals take more hops than the shortest path; a route has {} more "
             "at most",
             figures.longer, figures.longer_by));
  }
  line("lanes", fmt::format("{}", figures.lanes));
  for (std::size_t lane = 0; figures.lanes > 1 && lane < figures.lane_routes.size(); ++lane) {
    line(fmt::format("  lane {}", lane), fmt::format("{} routes", figures.lane_routes[lane]));
  }
  line("time", fmt::format("{:.4f} s", seconds));
  for (const std::string& file : files.names) line("written", file);
  return text;
}

std::string route_json(const RouteFigures& figures, double seconds, const RouteFiles& files) {
  const std::uint64_t missing = from_switches(figures.reachability.unreachable);
  const std::optional<bool> own_lids = files.own_lids;
  Json json{
      {"engine", figures.engine},
      {"lmc", figures.lmc},
      {"terminals", figures.terminals},
      {"switches", figures.switches},
      {"targets", figures.destinations},
      {"routes", from_switches(figures.reachability.pairs) - missing},
      {"missing", missing},
      {"lanes", figures.lanes},
      {"lane_routes", figures.lane_routes},
      {"hops",
       {{"mean", figures.hops.mean()},
        {"longest", figures.hops.longest()},
        {"longer_pairs", figures.longer},
        {"longer_by", figures.longer_by}}},
      {"seconds", seconds},
      {"files", files.names},
      {"lids", own_lids ? Json(*own_lids ? "own" : "new") : Json()},
      {"warnings", files.warnings},
  };
  return document(std::move(json));
}

}  // namespace fatwood
