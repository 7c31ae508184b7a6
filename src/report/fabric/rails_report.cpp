// SPDX-License-Identifier: BSD-3-Clause
#include "report/fabric/rails_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

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

class Sentences {
 public:
  Sentences(const Fabric& fabric, const HostMap& hosts)
      : fabric_(fabric), hosts_(hosts), labels_(fabric) {}

  std::vector<ReportedFinding> run() {
    numbered_ = hosts_numbered_otherwise();
    for (const RailFinding& finding : hosts_.rails.findings) {
      if (finding.kind == RailFault::kCrossed && is_numbered(finding.host)) continue;
      found_.push_back(reported(finding));
    }
    for (const auto& [order, hosts] : numbered_) found_.push_back(numbering(order, hosts));
    guests();
    unnamed();
    names();
    return std::move(found_);
  }

 private:
  std::string name(Host m) const { return unique_name(fabric_, hosts_.hosts, m); }
  static unsigned people(Rail rail) { return index(rail) + 1; }
  static unsigned people(ScalableUnit unit) { return index(unit) + 1; }
  Channel leaf_port(Terminal t) const { return fabric_.peer(fabric_.terminal_channel(t)); }
  std::string device(Terminal t) const {
    return std::string(described_adapter(fabric_.description(fabric_.adapter_node(t))).device_text);
  }

  ReportedFinding reported(const RailFinding& o) const {
    switch (o.kind) {
      case RailFault::kLeafMissing:
        return leaf_missing(o);
      case RailFault::kAdapterMissing:
        return adapter_missing(o);
      case RailFault::kCrossed:
        return crossed(o);
      case RailFault::kExchanged:
        return exchanged(o);
      case RailFault::kOffPort:
        return off_port(o);
    }
    return {};
  }

  ReportedFinding leaf_missing(const RailFinding& o) const {
    const RailUnit& unit = hosts_.rails.units[o.unit];
    ReportedFinding finding{
        "rail-leaf-missing",
        fmt::format("unit {} has no leaf for rail {}: {} without it", people(o.unit),
                    people(o.rail), counted(unit.members.size(), "host")),
        {},
        {}};
    for (const Switch leaf : unit.leaf) {
      if (leaf != kNone<Switch>) finding.nodes.push_back(fabric_.node(leaf));
    }
    return finding;
  }

  ReportedFinding adapter_missing(const RailFinding& o) const {
    const Port port = hosts_.rails.leaf_port[o.host];
    std::string text = fmt::format("{} has no adapter in rail {}: none on {}", name(o.host),
                                   people(o.rail), labels_(o.expected));
    ReportedFinding finding{"rail-missing", "", {}, {fabric_.node(o.expected)}};
    if (port != kNoLeafPort && index(port) <= fabric_.ports(fabric_.node(o.expected))) {
      const Channel c = fabric_.channel(fabric_.node(o.expected), port);
      text += fmt::format("; port {}, its port on the other rails, {}", index(port),
                          fabric_.connected(c)
                              ? fmt::format("leads to {}", labels_(fabric_.neighbour(c)))
                              : "has no cable");
      finding.ports.push_back(c);
    }
    finding.sentence = std::move(text);
    for (const Node node : hosts_.hosts.adapters(o.host)) finding.nodes.push_back(node);
    return finding;
  }

  ReportedFinding crossed(const RailFinding& o) const {
    const Rail on = hosts_.rails.rail_of[o.found];
    const std::string where =
        on == kNone<Rail>
            ? "a leaf of no rail"
            : fmt::format("a leaf of rail {}{}", people(on),
                          hosts_.rails.unit_of[o.found] == o.unit
                              ? ""
                              : fmt::format(" of unit {}", people(hosts_.rails.unit_of[o.found])));
    return {
        "rail-crossed",
        fmt::format("{} {}: cable {} leads to {}; its rail {} is on {}", name(o.host),
                    device(o.terminal), labels_.cable(leaf_port(o.terminal)), where, people(o.rail),
                    o.expected == kNone<Switch> ? "no leaf" : labels_(o.expected)),
        {leaf_port(o.terminal)},
        nodes_of(o)};
  }

  // The rail by the name of each crossed adapter, and the rail that its cable leads to.
  using RailOrder = std::map<Rail, Rail>;

  // Hosts whose crossed cables only change places among rails of their unit. If that concerns more
  // than two adapters, or several hosts alike, these hosts number their adapters differently: no
  // cable is wrong. Two exchanged cables of a single host are more likely what they look like.
  std::map<RailOrder, std::vector<Host>> hosts_numbered_otherwise() const {
    std::map<Host, RailOrder> orders;
    std::map<Host, std::size_t> cables;  // crossed ones
    for (const RailFinding& o : hosts_.rails.findings) {
      if (o.kind != RailFault::kCrossed) continue;
      ++cables[o.host];
      if (hosts_.rails.unit_of[o.found] != o.unit) continue;
      orders[o.host].emplace(o.rail, hosts_.rails.rail_of[o.found]);
    }
    std::map<RailOrder, std::vector<Host>> alike;
    for (const auto& [host, order] : orders) {
      std::map<Rail, std::size_t> left, taken;
      for (const auto& [from, to] : order) ++left[from], ++taken[to];
      if (left == taken && order.size() == cables[host]) alike[order].push_back(host);
    }
    std::erase_if(alike, [](const auto& a) { return a.first.size() == 2 && a.second.size() == 1; });
    return alike;
  }
  bool is_numbered(Host m) const {
    return std::ranges::any_of(
        numbered_, [&](const auto& one) { return std::ranges::count(one.second, m) > 0; });
  }
  ReportedFinding numbering(const RailOrder& order, const std::vector<Host>& hosts) const {
    ReportedFinding finding{"rail-numbering", "", {}, {}};
    std::vector<std::string> names, rails;
    for (const Host m : hosts) {
      names.push_back(name(m));
      for (const Node node : hosts_.hosts.adapters(m)) finding.nodes.push_back(node);
    }
    for (const auto& [by_name, by_cable] : order) {
      rails.push_back(fmt::format("{} on rail {}", hosts_.rails.device[by_name], people(by_cable)));
    }
    finding.sentence = fmt::format(
        "{} number{} adapters differently from the other hosts of the unit ({}); each rail has its "
        "cable: move none",
        listed(names), names.size() == 1 ? "s its" : " their", listed(rails));
    return finding;
  }

  std::vector<Node> nodes_of(const RailFinding& o) const {
    std::vector<Node> nodes{fabric_.adapter_node(o.terminal), fabric_.node(o.found)};
    if (o.expected != kNone<Switch>) nodes.push_back(fabric_.node(o.expected));
    return nodes;
  }

  ReportedFinding exchanged(const RailFinding& o) const {
    const Channel a = leaf_port(o.terminal);
    const Channel b = leaf_port(o.other_terminal);
    return {"ports-exchanged",
            fmt::format("{} and {} sit on each other's port of {} (rail {}): ports {} and {}; "
                        "routes don't mind, people do",
                        name(o.host), name(o.other), labels_(o.found), people(o.rail),
                        index(fabric_.port(a)), index(fabric_.port(b))),
            {a, b},
            {fabric_.adapter_node(o.terminal), fabric_.adapter_node(o.other_terminal),
             fabric_.node(o.found)}};
  }

  ReportedFinding off_port(const RailFinding& o) const {
    const Channel c = leaf_port(o.terminal);
    return {"off-port",
            fmt::format("{} is on {}, and on port {} of the other leaves of its unit", name(o.host),
                        labels_.port(c), index(o.usual_port)),
            {c},
            {fabric_.adapter_node(o.terminal)}};
  }

  void guests() {
    for (const ScalableUnit unit : ids<ScalableUnit>(hosts_.rails.units.size())) {
      ReportedFinding finding{"rail-guest", "", {}, {}};
      std::vector<std::string> names;
      for (const Host m : hosts_.rails.units[unit].guests) {
        if (hosts_.rails.member_of[m] != kNone<ScalableUnit>) continue;  // reported as crossed
        names.push_back(name(m));
        for (const Node node : hosts_.hosts.adapters(m)) finding.nodes.push_back(node);
      }
      if (names.empty()) continue;
      finding.sentence = fmt::format("on leaves of unit {} and not cabled like its hosts: {}",
                                     people(unit), listed(names));
      found_.push_back(std::move(finding));
    }
  }

  void unnamed() {
    ReportedFinding finding{"unnamed-host", "", {}, {}};
    std::vector<std::string> names;
    for (const Host m : ids<Host>(hosts_.hosts.size())) {
      if (hosts_.hosts.named_by(m) != NamedBy::kPosition) continue;
      names.push_back(name(m));
      for (const Node node : hosts_.hosts.adapters(m)) finding.nodes.push_back(node);
    }
    if (names.empty()) return;
    finding.sentence = fmt::format("{} without a name, called by unit and leaf port: {}",
                                   counted(names.size(), "host"), listed(names));
    found_.push_back(std::move(finding));
  }

  void names() {
    for (const Host m : ids<Host>(hosts_.hosts.size())) {
      if (!hosts_.rails.any() || !described_adapter(hosts_.hosts.name(m)).stock) continue;
      const Node first = hosts_.hosts.adapters(m).front();
      const Terminal t = first_terminal(m);
      if (t == kNone<Terminal>) continue;
      found_.push_back(
          {"stock-name",
           fmt::format("the host on {} is called \"{}\", which is not a name of its own",
                       labels_.port(leaf_port(t)), hosts_.hosts.name(m)),
           {leaf_port(t)},
           {first}});
    }
    if (!hosts_.rails.any()) return;  // same-name reports single adapters
    for (const std::string& shared : hosts_.hosts.shared_names()) {
      const auto hosts = hosts_.hosts.called(shared);
      ReportedFinding finding{"shared-name", "", {}, {}};
      std::vector<std::string> places;
      for (const Host m : hosts) {
        const Terminal t = first_terminal(m);
        if (t == kNone<Terminal>) continue;
        finding.nodes.push_back(fabric_.adapter_node(t));
        places.push_back(labels_.port(leaf_port(t)));
      }
      finding.sentence = fmt::format("{} are called \"{}\": on {}", counted(hosts.size(), "host"),
                                     shared, listed(places, 6));
      found_.push_back(std::move(finding));
    }
  }

  Terminal first_terminal(Host m) const {
    const std::vector<Terminal> terminals = terminals_of(fabric_, hosts_.hosts, m);
    return terminals.empty() ? kNone<Terminal> : terminals.front();
  }

  const Fabric& fabric_;
  std::map<RailOrder, std::vector<Host>> numbered_;
  const HostMap& hosts_;
  Labels labels_;
  std::vector<ReportedFinding> found_;
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

std::vector<ReportedFinding> rail_and_name_findings(const Fabric& fabric, const HostMap& hosts) {
  return Sentences(fabric, hosts).run();
}

}  // namespace fatwood
