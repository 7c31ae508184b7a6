// SPDX-License-Identifier: BSD-3-Clause
// Findings about rails, as data (rails.hpp).

#include <map>
#include <set>

#include "topology/hosts/rail_parts.hpp"

namespace fatwood {
namespace {

class UnitFindings {
 public:
  UnitFindings(const Fabric& fabric, const Hosts& hosts, const Rails& rails, ScalableUnit unit)
      : fabric_(fabric),
        hosts_(hosts),
        rails_(rails),
        unit_(unit),
        made_(rails.units[unit]),
        usual_(usual_keys(fabric, hosts, rails, unit)) {}

  std::vector<RailFinding> run() {
    for (const Rail rail : ids<Rail>(made_.leaf.size())) {
      if (made_.leaf[rail] == kNone<Switch>) add({RailFault::kLeafMissing, unit_, rail});
    }
    for (const Host m : made_.members) missing(m, crossed(m));
    off_ports();
    return std::move(found_);
  }

 private:
  void add(RailFinding finding) {
    finding.unit = unit_;
    found_.push_back(finding);
  }

  // The rail whose usual device this is; kNone when none or several have it.
  Rail rail_of_device(const RailKey& key) const {
    Rail found = kNone<Rail>;
    if (!key.device.known()) return found;
    for (const Rail rail : ids<Rail>(usual_.size())) {
      if (usual_[rail] != key) continue;
      if (found != kNone<Rail>) return kNone<Rail>;
      found = rail;
    }
    return found;
  }

  // Adapters on another leaf than the one for their device; returns the rails they belong to.
  std::set<Rail> crossed(Host m) {
    std::set<Rail> rails;
    for (const Terminal t : terminals_of(fabric_, hosts_, m)) {
      const Rail rail = rail_of_device(rail_key(fabric_, t));
      if (rail == kNone<Rail> || fabric_.leaf(t) == made_.leaf[rail]) continue;
      rails.insert(rail);
      add({.kind = RailFault::kCrossed,
           .rail = rail,
           .host = m,
           .found = fabric_.leaf(t),
           .expected = made_.leaf[rail],
           .terminal = t});
    }
    return rails;
  }

  void missing(Host m, const std::set<Rail>& elsewhere) {
    std::set<Rail> has = elsewhere;
    for (const Terminal t : unit_terminals(fabric_, hosts_, rails_, unit_, m)) {
      has.insert(rails_.rail(fabric_, t));
    }
    for (const Rail rail : ids<Rail>(made_.leaf.size())) {
      if (made_.leaf[rail] == kNone<Switch> || has.contains(rail)) continue;
      add({.kind = RailFault::kAdapterMissing,
           .rail = rail,
           .host = m,
           .expected = made_.leaf[rail]});
    }
  }

  struct LeafPort {
    Host host = kNone<Host>;
    Terminal terminal = kNone<Terminal>;
    Port port = kNoLeafPort;   // it has
    Port usual = kNoLeafPort;  // it should have
  };

  // Members on another port of a leaf than of the others: pairs exchanged, and the rest.
  void off_ports() {
    std::map<Rail, std::vector<LeafPort>> off;
    for (const Host m : made_.members) {
      const Port usual = rails_.leaf_port[m];
      if (usual == kNoLeafPort) continue;
      for (const Terminal t : unit_terminals(fabric_, hosts_, rails_, unit_, m)) {
        const Port port = fabric_.leaf_port(t);
        if (port != usual) off[rails_.rail(fabric_, t)].push_back({m, t, port, usual});
      }
    }
    for (const auto& [rail, leaf_ports] : off) report_off_ports(rail, leaf_ports);
  }

  void report_off_ports(Rail rail, const std::vector<LeafPort>& leaf_ports) {
    for (const LeafPort& leaf_port : leaf_ports) {
      const LeafPort* partner = nullptr;
      for (const LeafPort& other : leaf_ports) {
        if (other.port == leaf_port.usual && other.usual == leaf_port.port) partner = &other;
      }
      if (partner != nullptr && partner->host < leaf_port.host) continue;  // reported from its side
      RailFinding finding{.kind = partner ? RailFault::kExchanged : RailFault::kOffPort,
                          .rail = rail,
                          .host = leaf_port.host,
                          .found = made_.leaf[rail],
                          .terminal = leaf_port.terminal,
                          .usual_port = leaf_port.usual};
      if (partner != nullptr) {
        finding.other = partner->host;
        finding.other_terminal = partner->terminal;
      }
      add(finding);
    }
  }

  const Fabric& fabric_;
  const Hosts& hosts_;
  const Rails& rails_;
  ScalableUnit unit_;
  const RailUnit& made_;
  Table<Rail, RailKey> usual_;
  std::vector<RailFinding> found_;
};

}  // namespace

std::vector<RailFinding> rail_findings(const Fabric& fabric, const Hosts& hosts,
                                       const Rails& rails) {
  std::vector<RailFinding> all;
  for (const ScalableUnit unit : ids<ScalableUnit>(rails.units.size())) {
    const std::vector<RailFinding> of_unit = UnitFindings(fabric, hosts, rails, unit).run();
    all.insert(all.end(), of_unit.begin(), of_unit.end());
  }
  return all;
}

}  // namespace fatwood
