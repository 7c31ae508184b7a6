// SPDX-License-Identifier: BSD-3-Clause
#include "topology/hosts/host_map_findings.hpp"

#include <algorithm>
#include <set>

#include "topology/hosts/device_name.hpp"

namespace fatwood {
namespace {

FindingKind kind_of(RailFault fault) {
  switch (fault) {
    case RailFault::kLeafMissing:
      return FindingKind::kRailLeafMissing;
    case RailFault::kAdapterMissing:
      return FindingKind::kRailMissing;
    case RailFault::kCrossed:
      return FindingKind::kRailCrossed;
    case RailFault::kExchanged:
      return FindingKind::kPortsExchanged;
    case RailFault::kOffPort:
      return FindingKind::kOffPort;
  }
  return {};
}

class HostMapFindings {
 public:
  HostMapFindings(const Fabric& fabric, const HostMap& map)
      : fabric_(fabric), hosts_(map.hosts), rails_(map.rails) {}

  std::vector<Finding> run() {
    const std::map<RailOrder, std::vector<Host>> numbered = hosts_numbered_otherwise();
    std::set<Host> renumbered;
    for (const auto& [order, hosts] : numbered) renumbered.insert(hosts.begin(), hosts.end());
    for (const RailFinding& finding : rails_.findings) {
      if (finding.kind == RailFault::kCrossed && renumbered.contains(finding.host)) continue;
      of_rail(finding);
    }
    for (const auto& [order, hosts] : numbered) {
      found_.push_back(
          {FindingKind::kRailNumbering, {}, adapters(hosts), OtherNumbering{order, hosts}});
    }
    guests();
    unnamed();
    if (rails_.any()) names();  // otherwise same-name reports single adapters
    return std::move(found_);
  }

 private:
  // The rail by the name of each crossed adapter, and the rail that its cable leads to.
  using RailOrder = std::map<Rail, Rail>;

  std::map<RailOrder, std::vector<Host>> hosts_numbered_otherwise() const {
    std::map<Host, RailOrder> orders;
    std::map<Host, std::size_t> cables;  // crossed ones
    for (const RailFinding& o : rails_.findings) {
      if (o.kind != RailFault::kCrossed) continue;
      ++cables[o.host];
      if (rails_.unit_of[o.found] != o.unit) continue;
      orders[o.host].emplace(o.rail, rails_.rail_of[o.found]);
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

  Channel leaf_port(Terminal t) const { return fabric_.peer(fabric_.terminal_channel(t)); }
  Terminal first_terminal(Host m) const {
    const std::vector<Terminal> terminals = terminals_of(fabric_, hosts_, m);
    return terminals.empty() ? kNone<Terminal> : terminals.front();
  }
  std::vector<Node> adapters(const std::vector<Host>& hosts) const {
    std::vector<Node> nodes;
    for (const Host m : hosts) {
      for (const Node node : hosts_.adapters(m)) nodes.push_back(node);
    }
    return nodes;
  }

  void of_rail(const RailFinding& o) {
    Finding finding{kind_of(o.kind), {}, {}, o};
    switch (o.kind) {
      case RailFault::kLeafMissing:
        for (const Switch leaf : rails_.units[o.unit].leaf) {
          if (leaf != kNone<Switch>) finding.nodes.push_back(fabric_.node(leaf));
        }
        break;
      case RailFault::kAdapterMissing: {
        const Port port = rails_.leaf_port[o.host];
        const Node leaf = fabric_.node(o.expected);
        finding.nodes.push_back(leaf);
        if (port != kNoLeafPort && index(port) <= fabric_.ports(leaf)) {
          finding.ports.push_back(fabric_.channel(leaf, port));
        }
        for (const Node node : hosts_.adapters(o.host)) finding.nodes.push_back(node);
        break;
      }
      case RailFault::kCrossed:
        finding.ports = {leaf_port(o.terminal)};
        finding.nodes = {fabric_.adapter_node(o.terminal), fabric_.node(o.found)};
        if (o.expected != kNone<Switch>) finding.nodes.push_back(fabric_.node(o.expected));
        break;
      case RailFault::kExchanged:
        finding.ports = {leaf_port(o.terminal), leaf_port(o.other_terminal)};
        finding.nodes = {fabric_.adapter_node(o.terminal), fabric_.adapter_node(o.other_terminal),
                         fabric_.node(o.found)};
        break;
      case RailFault::kOffPort:
        finding.ports = {leaf_port(o.terminal)};
        finding.nodes = {fabric_.adapter_node(o.terminal)};
        break;
    }
    found_.push_back(std::move(finding));
  }

  void guests() {
    for (const ScalableUnit unit : ids<ScalableUnit>(rails_.units.size())) {
      std::vector<Host> guests = rails_.units[unit].guests;
      std::erase_if(guests, [&](Host m) {  // those are reported as crossed
        return rails_.member_of[m] != kNone<ScalableUnit>;
      });
      if (guests.empty()) continue;
      found_.push_back({FindingKind::kRailGuest, {}, adapters(guests), HostsOfUnit{unit, guests}});
    }
  }

  void unnamed() {
    HostsOfUnit facts;
    for (const Host m : ids<Host>(hosts_.size())) {
      if (hosts_.named_by(m) == NamedBy::kPosition) facts.hosts.push_back(m);
    }
    if (facts.hosts.empty()) return;
    found_.push_back({FindingKind::kUnnamedHost, {}, adapters(facts.hosts), facts});
  }

  void names() {
    for (const Host m : ids<Host>(hosts_.size())) {
      const Terminal t = first_terminal(m);
      if (t == kNone<Terminal> || !described_adapter(hosts_.name(m)).stock) continue;
      found_.push_back({FindingKind::kStockName,
                        {leaf_port(t)},
                        {hosts_.adapters(m).front()},
                        NameOfHosts{std::string(hosts_.name(m)), 1, {leaf_port(t)}}});
    }
    for (const std::string& shared : hosts_.shared_names()) {
      const auto hosts = hosts_.called(shared);
      NameOfHosts facts{shared, hosts.size(), {}};
      std::vector<Node> nodes;
      for (const Host m : hosts) {
        const Terminal t = first_terminal(m);
        if (t == kNone<Terminal>) continue;
        nodes.push_back(fabric_.adapter_node(t));
        facts.leaf_ports.push_back(leaf_port(t));
      }
      found_.push_back({FindingKind::kSharedName, {}, nodes, facts});
    }
  }

  const Fabric& fabric_;
  const Hosts& hosts_;
  const Rails& rails_;
  std::vector<Finding> found_;
};

}  // namespace

std::vector<Finding> host_map_findings(const Fabric& fabric, const HostMap& hosts) {
  return HostMapFindings(fabric, hosts).run();
}

}  // namespace fatwood
