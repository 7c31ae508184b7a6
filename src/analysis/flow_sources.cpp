// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/flow_sources.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace fatwood {

FlowSources::FlowSources(const Model& model) : model_(model) {
  const Hosts& hosts = model.hosts();
  std::set<std::uint64_t> counts;
  for (const Host host : ids<Host>(hosts.size())) counts.insert(hosts.ports(host));
  for (const std::uint64_t p : counts) {
    for (const std::uint64_t q : counts) units_ = std::lcm(units_, p == q ? p : p * q);
  }
  for (const std::uint64_t q : counts) {
    for (std::uint64_t j = 0; j < q; ++j) on_.emplace(Place(j, q), sent({j, q}));
  }
}

FlowSources::Place FlowSources::place(Terminal t) const {
  const std::span<const Terminal> ports = model_.hosts().terminals(model_.hosts().host(t));
  return {static_cast<std::uint64_t>(std::ranges::find(ports, t) - ports.begin()), ports.size()};
}

std::uint64_t FlowSources::weight(Place from, Place to) const {
  if (from.second != to.second) return units_ / (from.second * to.second);
  return from.first == to.first ? units_ / from.second : 0;
}

Table<Switch, std::uint64_t> FlowSources::sent(Place to) const {
  Table<Switch, std::uint64_t> on(model_.fabric().num_switches(), 0);
  for (const Terminal t : model_.hosts().all_terminals()) {
    const Switch leaf = model_.fabric().leaf(t);
    if (leaf != kNone<Switch>) on[leaf] += weight(place(t), to);
  }
  return on;
}

}  // namespace fatwood
