// SPDX-License-Identifier: BSD-3-Clause
#include "report/fabric/rails_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <variant>

#include "topology/hosts/device_name.hpp"
#include "topology/hosts/host_map_findings.hpp"

namespace fatwood {
namespace {

// "14 to 20", "20".
std::string from_to(std::size_t least, std::size_t most) {
  return least == most ? std::to_string(most) : fmt::format("{} to {}", least, most);
}

std::string switches_text(const SwitchesBetween& between) {
  if (between.least == SwitchesBetween::kDisconnected) return "nowhere: they are disconnected";
  if (between.most == SwitchesBetween::kDisconnected) {
    return fmt::format("over {} switches or not at all", between.least);
  }
  return fmt::format("over {} switches", from_to(between.least, between.most));
}

std::string units_line(const HostMap& hosts) {
  const Rails& rails = hosts.rails;
  std::size_t least = SIZE_MAX;
  std::size_t most = 0;
  std::size_t all = 0;
  for (const RailUnit& unit : rails.units) {
    least = std::min(least, unit.members.size());
    most = std::max(most, unit.members.size());
    all += unit.members.size();
  }
  std::string text = fmt::format("Rails: {}", rails.count());
  std::vector<std::string> devices;
  for (const std::string& device : rails.device) {
    if (!device.empty()) devices.push_back(device);
  }
  if (devices.size() == rails.count()) text += fmt::format(" ({})", listed(devices, 16));
  text += fmt::format(
      ", in {} of {}; {} in all", counted(rails.units.size(), "unit"),
      least == most ? counted(most, "host") : fmt::format("{} hosts", from_to(least, most)),
      counted(all, "host"));
  if (rails.pods > 1) text += fmt::format(", {}", counted(rails.pods, "pod"));
  return text + ".\n";
}

std::string meetings_line(const HostMap& hosts) {
  const Rails& rails = hosts.rails;
  std::string text;
  if (rails.between_rails.least > 0) {
    text += fmt::format("  Rails of one unit meet {}", switches_text(rails.between_rails));
  }
  if (rails.between_units.least > 0) {
    text += text.empty() ? "  U" : "; u";
    text += fmt::format("nits on one rail meet {}", switches_text(rails.between_units));
  }
  if (!text.empty()) text += ".\n";
  if (rails.spines_of_one_rail > 0) {
    text += rails.spines_of_one_rail == rails.spines
                ? fmt::format("  Each of the {} above the leaves serves one rail.\n",
                              counted(rails.spines, "switch"))
                : fmt::format("  {} of the {} above the leaves serve one rail each.\n",
                              rails.spines_of_one_rail, counted(rails.spines, "switch"));
  }
  if (rails.planes > 1) text += fmt::format("  {} disconnected planes.\n", rails.planes);
  return text;
}

std::vector<std::string> leaves_used_as(const Fabric& fabric, const HostMap& hosts, LeafUse use) {
  const Labels labels(fabric);
  std::vector<std::string> names;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (hosts.rails.use[s] == use) names.push_back(labels(s));
  }
  return names;
}

std::string side_leaves_line(const Fabric& fabric, const HostMap& hosts) {
  std::string text;
  for (const auto& [use, word] :
       {std::pair{LeafUse::kStorage, "storage"}, std::pair{LeafUse::kManagement, "management"}}) {
    const std::vector<std::string> names = leaves_used_as(fabric, hosts, use);
    if (names.empty()) continue;
    text += fmt::format("  Outside the rails: {} for {}: {}.\n", counted(names.size(), "leaf"),
                        word, listed(names, 6));
  }
  return text;
}

// For fabrics whose hosts have several adapters and yet no rails.
std::string no_rails_line(const HostMap& hosts) {
  std::map<std::size_t, std::size_t> with;
  for (const Host m : ids<Host>(hosts.hosts.size())) {
    ++with[hosts.hosts.adapters(m).size()];
  }
  if (with.empty() || with.rbegin()->first < 2) return "";
  std::vector<std::string> words;
  for (const auto& [adapters, number] : with) {
    words.push_back(
        fmt::format("{} with {}", counted(number, "host"), counted(adapters, "adapter")));
  }
  return fmt::format("No rails; {}.\n", listed(words));
}

class HostMapSentence {
 public:
  HostMapSentence(const Fabric& fabric, const HostMap& hosts, const Finding& finding)
      : fabric_(fabric), hosts_(hosts), labels_(fabric), finding_(finding) {}

  std::string operator()(const RailFinding& o) const {
    switch (o.kind) {
      case RailFault::kLeafMissing:
        return fmt::format("unit {} has no leaf for rail {}: {} without it", people(o.unit),
                           people(o.rail),
                           counted(hosts_.rails.units[o.unit].members.size(), "host"));
      case RailFault::kAdapterMissing:
        return adapter_missing(o);
      case RailFault::kCrossed:
        return crossed(o);
      case RailFault::kExchanged:
        return exchanged(o);
      case RailFault::kOffPort:
        return fmt::format("{} is on {}, and on port {} of the other leaves of its unit",
                           name(o.host), labels_.port(finding_.ports.front()), index(o.usual_port));
    }
    return {};
  }

  std::string operator()(const OtherNumbering& numbering) const {
    std::vector<std::string> rails;
    for (const auto& [by_name, by_cable] : numbering.rails) {
      rails.push_back(fmt::format("{} on rail {}", hosts_.rails.device[by_name], people(by_cable)));
    }
    return fmt::format(
        "{} number{} adapters differently from the other hosts of the unit ({}); each rail has its "
        "cable: move none",
        names(numbering.hosts), numbering.hosts.size() == 1 ? "s its" : " their", listed(rails));
  }

  std::string operator()(const HostsOfUnit& of) const {
    if (finding_.kind == FindingKind::kRailGuest) {
      return fmt::format("on leaves of unit {} and not cabled like its hosts: {}", people(of.unit),
                         names(of.hosts));
    }
    return fmt::format("{} without a name, called by unit and leaf port: {}",
                       counted(of.hosts.size(), "host"), names(of.hosts));
  }

  std::string operator()(const NameOfHosts& of) const {
    std::vector<std::string> places;
    for (const Channel c : of.leaf_ports) places.push_back(labels_.port(c));
    if (finding_.kind == FindingKind::kStockName) {
      return fmt::format("the host on {} is called \"{}\", which is not a name of its own",
                         places.front(), of.name);
    }
    return fmt::format("{} are called \"{}\": on {}", counted(of.hosts, "host"), of.name,
                       listed(places, 6));
  }

  // Other facts are of findings about the cabling: finding_sentence().
  template <class OfCabling>
  std::string operator()(const OfCabling&) const {
    return {};
  }

 private:
  std::string name(Host m) const { return unique_name(fabric_, hosts_.hosts, m); }
  std::string names(const std::vector<Host>& hosts) const {
    std::vector<std::string> list;
    for (const Host m : hosts) list.push_back(name(m));
    return listed(list);
  }
  static unsigned people(Rail rail) { return index(rail) + 1; }
  static unsigned people(ScalableUnit unit) { return index(unit) + 1; }

  std::string adapter_missing(const RailFinding& o) const {
    const std::string text = fmt::format("{} has no adapter in rail {}: none on {}", name(o.host),
                                         people(o.rail), labels_(o.expected));
    if (finding_.ports.empty()) return text;
    const Channel c = finding_.ports.front();
    return fmt::format("{}; port {}, its port on the other rails, {}", text, index(fabric_.port(c)),
                       fabric_.connected(c)
                           ? fmt::format("leads to {}", labels_(fabric_.neighbour(c)))
                           : "has no cable");
  }

  std::string crossed(const RailFinding& o) const {
    const Rail on = hosts_.rails.rail_of[o.found];
    const std::string where =
        on == kNone<Rail>
            ? "a leaf of no rail"
            : fmt::format("a leaf of rail {}{}", people(on),
                          hosts_.rails.unit_of[o.found] == o.unit
                              ? ""
                              : fmt::format(" of unit {}", people(hosts_.rails.unit_of[o.found])));
    const std::string device(
        described_adapter(fabric_.description(fabric_.adapter_node(o.terminal))).device_text);
    return fmt::format("{} {}: cable {} leads to {}; its rail {} is on {}", name(o.host), device,
                       labels_.cable(finding_.ports.front()), where, people(o.rail),
                       o.expected == kNone<Switch> ? "no leaf" : labels_(o.expected));
  }

  std::string exchanged(const RailFinding& o) const {
    return fmt::format(
        "{} and {} sit on each other's port of {} (rail {}): ports {} and {}; no effect on routes, "
        "but the names mislead people",
        name(o.host), name(o.other), labels_(o.found), people(o.rail),
        index(fabric_.port(finding_.ports[0])), index(fabric_.port(finding_.ports[1])));
  }

  const Fabric& fabric_;
  const HostMap& hosts_;
  Labels labels_;
  const Finding& finding_;
};

Json between_json(const SwitchesBetween& between) {
  if (between.least == 0) return nullptr;
  const auto number = [](std::uint32_t n) {
    return n == SwitchesBetween::kDisconnected ? Json(nullptr) : Json(n);
  };
  return {{"least", number(between.least)}, {"most", number(between.most)}};
}

Json host_array(const Fabric& fabric, const HostMap& map, const std::vector<Host>& hosts) {
  return Json::list(hosts, [&](const Host m) { return unique_name(fabric, map.hosts, m); });
}

}  // namespace

std::string rails_text(const Fabric& fabric, const HostMap& hosts) {
  if (!hosts.rails.any()) return no_rails_line(hosts);
  return units_line(hosts) + meetings_line(hosts) + side_leaves_line(fabric, hosts);
}

Json rails_json(const Fabric& fabric, const HostMap& hosts) {
  const Labels labels(fabric);
  const Rails& rails = hosts.rails;
  Json json;
  json["hosts"] = hosts.hosts.size();
  json["rails"] = Json::list(ids<Rail>(rails.count()), [&](const Rail rail) -> Json {
    return {{"rail", index(rail) + 1}, {"device", rails.device[rail]}};
  });
  json["units"] = Json::array();
  for (const ScalableUnit unit : ids<ScalableUnit>(rails.units.size())) {
    const RailUnit& made = rails.units[unit];
    Json leaves = Json::list(made.leaf, [&](const Switch leaf) {
      return leaf == kNone<Switch> ? Json(nullptr) : Json(labels(leaf));
    });
    json["units"].push_back({{"unit", index(unit) + 1},
                             {"pod", index(made.pod) + 1},
                             {"leaves", std::move(leaves)},
                             {"hosts", host_array(fabric, hosts, made.members)},
                             {"guests", host_array(fabric, hosts, made.guests)}});
  }
  json["pods"] = rails.pods;
  json["planes"] = rails.planes;
  json["switches_between_rails"] = between_json(rails.between_rails);
  json["switches_between_units"] = between_json(rails.between_units);
  json["spines"] = rails.spines;
  json["spines_of_one_rail"] = rails.spines_of_one_rail;
  json["storage_leaves"] = leaves_used_as(fabric, hosts, LeafUse::kStorage);
  json["management_leaves"] = leaves_used_as(fabric, hosts, LeafUse::kManagement);
  return json;
}

std::vector<ReportedFinding> reported_findings(const Fabric& fabric, const HostMap& hosts) {
  std::vector<ReportedFinding> reported;
  for (const Finding& finding : host_map_findings(fabric, hosts)) {
    reported.push_back({finding.kind,
                        std::visit(HostMapSentence(fabric, hosts, finding), finding.facts),
                        finding.ports, finding.nodes, 0, row_of(finding.kind).severity});
  }
  return reported;
}

}  // namespace fatwood
