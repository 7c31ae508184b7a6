// SPDX-License-Identifier: BSD-3-Clause
#include "topology/hosts/rails.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "topology/hosts/rail_parts.hpp"

namespace fatwood {
namespace {

using LeafPort = std::pair<ScalableUnit, Port>;  // a port number of the leaves of a unit

// Finds the host of each loose adapter on a leaf with a rail.
class LoosePlacer {
 public:
  LoosePlacer(const Fabric& fabric, const Hosts& hosts, const Rails& rails)
      : fabric_(fabric), hosts_(hosts), rails_(rails) {
    for (const ScalableUnit unit : ids<ScalableUnit>(rails.units.size())) {
      for (const Host m : rails.units[unit].members) add_named(unit, m);
      for (const Host m : rails.units[unit].guests) add_named(unit, m);
    }
  }

  Hosts run() {
    std::vector<HostParts> parts;
    std::map<Host, std::vector<Node>> joined;
    for (const Host m : ids<Host>(hosts_.size())) {
      if (!movable(m)) continue;
      const Node node = hosts_.adapters(m).front();
      const auto [leaf_port, host] = place(node);
      if (host != kNone<Host>) {
        joined[host].push_back(node);
      } else {
        by_leaf_port_[leaf_port].push_back(node);
      }
    }
    for (const Host m : ids<Host>(hosts_.size())) {
      if (movable(m)) continue;
      const auto adapters = hosts_.adapters(m);
      HostParts part{
          std::string(hosts_.name(m)), hosts_.named_by(m), {adapters.begin(), adapters.end()}};
      part.adapters.insert(part.adapters.end(), joined[m].begin(), joined[m].end());
      parts.push_back(std::move(part));
    }
    for (const auto& [leaf_port, adapters] : by_leaf_port_)
      parts.push_back(at_leaf_port(leaf_port, adapters));
    return Hosts(fabric_, std::move(parts));
  }

 private:
  struct Named {
    Host host = kNone<Host>;
    std::map<Rail, Port> ports;  // where it is
  };

  void add_named(ScalableUnit unit, Host m) {
    if (hosts_.named_by(m) == NamedBy::kNothing) return;
    const Port usual = usual_port(fabric_, hosts_, rails_, unit, m);
    if (usual == kNoLeafPort) return;
    Named& named = named_[{unit, usual}];
    if (named.host != kNone<Host>) return;  // two on one port: the first keeps it
    named.host = m;
    for (const Terminal t : unit_terminals(fabric_, hosts_, rails_, unit, m)) {
      named.ports[rails_.rail(fabric_, t)] = fabric_.leaf_port(t);
    }
  }

  Terminal only_terminal(Host m) const {
    const std::vector<Terminal> terminals = terminals_of(fabric_, hosts_, m);
    return terminals.size() == 1 ? terminals.front() : kNone<Terminal>;
  }

  bool movable(Host m) const {
    if (hosts_.named_by(m) != NamedBy::kNothing || hosts_.adapters(m).size() > 1) return false;
    const Terminal t = only_terminal(m);
    return t != kNone<Terminal> && rails_.rail(fabric_, t) != kNone<Rail>;
  }

  std::pair<LeafPort, Host> place(Node node) const {
    const Terminal t = only_terminal(hosts_.of(node));
    const ScalableUnit unit = rails_.unit_of[fabric_.leaf(t)];
    const Rail rail = rails_.rail(fabric_, t);
    LeafPort leaf_port{unit, fabric_.leaf_port(t)};
    const auto at = named_.find(leaf_port);
    if (at == named_.end()) return {leaf_port, kNone<Host>};
    const auto has = at->second.ports.find(rail);
    if (has == at->second.ports.end()) return {leaf_port, at->second.host};
    // The named host of this port is on another one here: they were exchanged.
    leaf_port.second = has->second;
    const auto other = named_.find(leaf_port);
    const bool lacks = other != named_.end() && !other->second.ports.contains(rail);
    return {leaf_port, lacks ? other->second.host : kNone<Host>};
  }

  // Its own text when all adapters have the same.
  HostParts at_leaf_port(const LeafPort& leaf_port, const std::vector<Node>& adapters) const {
    std::string_view text = described_adapter(fabric_.description(adapters.front())).host;
    for (const Node node : adapters) {
      if (described_adapter(fabric_.description(node)).host != text) text = {};
    }
    if (!text.empty()) return {std::string(text), NamedBy::kDescription, adapters};
    return {fmt::format("unit{}-port{}", index(leaf_port.first) + 1, index(leaf_port.second)),
            NamedBy::kPosition, adapters};
  }

  const Fabric& fabric_;
  const Hosts& hosts_;
  const Rails& rails_;
  std::map<LeafPort, Named> named_;
  std::map<LeafPort, std::vector<Node>> by_leaf_port_;
};

}  // namespace

std::vector<Terminal> unit_terminals(const Fabric& fabric, const Hosts& hosts, const Rails& rails,
                                     ScalableUnit unit, Host m) {
  std::vector<Terminal> terminals = terminals_of(fabric, hosts, m);
  std::erase_if(terminals, [&](Terminal t) {
    return fabric.leaf(t) == kNone<Switch> || rails.unit_of[fabric.leaf(t)] != unit;
  });
  return terminals;
}

Port usual_port(const Fabric& fabric, const Hosts& hosts, const Rails& rails, ScalableUnit unit,
                Host m) {
  const std::vector<Terminal> terminals = unit_terminals(fabric, hosts, rails, unit, m);
  std::map<Port, std::size_t> votes;
  for (const Terminal t : terminals) ++votes[fabric.leaf_port(t)];
  for (const auto& [port, times] : votes) {
    if (2 * times > terminals.size()) return port;
  }
  return kNoLeafPort;
}

Rails find_rails(const Fabric& fabric, const Hosts& hosts) {
  Rails rails = with_meetings(fabric, find_units(fabric, hosts));
  rails.findings = rail_findings(fabric, hosts, rails);
  return rails;
}

Hosts place_loose(const Fabric& fabric, const Hosts& hosts, const Rails& rails) {
  return LoosePlacer(fabric, hosts, rails).run();
}

HostMap map_hosts(const Fabric& fabric) {
  Hosts hosts = named_hosts(fabric);
  Rails rails = find_rails(fabric, hosts);
  if (rails.any()) {
    hosts = place_loose(fabric, hosts, rails);
    rails = find_rails(fabric, hosts);
  }
  return {std::move(hosts), std::move(rails)};
}

}  // namespace fatwood
