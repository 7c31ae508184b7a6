// SPDX-License-Identifier: BSD-3-Clause
#include "topology/flow_sources.hpp"

#include <map>
#include <numeric>

namespace fatwood {

FlowSources::FlowSources(const Model& model) : kind_(model.fabric().num_terminals(), 0) {
  const Fabric& fabric = model.fabric();
  const Hosts& hosts = model.hosts();
  std::map<std::uint64_t, std::uint32_t> first;  // by number of ports: the kind of the first port
  for (const Host host : ids<Host>(hosts.size())) first.emplace(hosts.ports(host), 0);
  for (auto& [ports, kind] : first) {
    kind = num_kinds();
    for (std::uint64_t which = 0; which < ports; ++which) kinds_.push_back({which, ports});
    for (const auto& [others, unused] : first) {
      units_ = std::lcm(units_, ports == others ? ports : ports * others);
    }
  }
  for (const Host host : ids<Host>(hosts.size())) {
    std::uint32_t kind = first.at(hosts.ports(host));
    for (const Terminal t : hosts.terminals(host)) kind_[t] = kind++;
  }
  on_.assign(kinds_.size(), Table<Switch, std::uint64_t>(fabric.num_switches(), 0));
  for (const Terminal t : hosts.all_terminals()) {
    const Switch leaf = fabric.leaf(t);
    if (leaf == kNone<Switch>) continue;
    for (std::uint32_t to = 0; to < num_kinds(); ++to) on_[to][leaf] += units(kind(t), to);
  }
}

std::uint64_t FlowSources::units(std::uint32_t from, std::uint32_t to) const {
  const Kind& a = kinds_[from];
  const Kind& b = kinds_[to];
  if (a.ports != b.ports) return units_ / (a.ports * b.ports);
  return a.which == b.which ? units_ / a.ports : 0;
}

}  // namespace fatwood
