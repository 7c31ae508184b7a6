// SPDX-License-Identifier: BSD-3-Clause
#include "topology/flow_sources.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/common_multiple.hpp"
#include "core/sort_unique.hpp"

namespace fatwood {

namespace {

constexpr std::uint32_t kNoComponent = 0xffffffffU;
constexpr std::uint64_t kMostUnitsOfAll = 0x7fffffffU;  // that all adapters send to one port

// The component of each port of a host, in order. With one port per host only connected pairs have
// flows, so components make no difference and all are taken for one.
std::vector<std::uint32_t> components_of(const Model& model, Adapter adapter) {
  std::vector<std::uint32_t> components;
  for (const Terminal t : model.adapters().terminals(adapter)) {
    const Switch leaf = model.fabric().leaf(t);
    if (model.adapters().one_port_each()) {
      components.push_back(0);
    } else {
      components.push_back(leaf == kNone<Switch> ? kNoComponent
                                                 : model.components().component[leaf]);
    }
  }
  return components;
}

// Hosts that are alike, by the components of their ports.
std::map<std::vector<std::uint32_t>, std::uint32_t> groups_of(const Model& model) {
  std::map<std::vector<std::uint32_t>, std::uint32_t> groups;
  for (const Adapter adapter : ids<Adapter>(model.adapters().size())) {
    groups.emplace(components_of(model, adapter), 0);
  }
  std::uint32_t number = 0;
  for (auto& [components, group] : groups) group = number++;
  return groups;
}

// Calls visit(i, j) for each pair of ports over which two such hosts send.
template <class Visit>
void each_pair(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
               const Visit& visit) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (a.size() == b.size() && i != j) continue;
      if (a[i] == b[j] && a[i] != kNoComponent) visit(i, j);
    }
  }
}

std::int64_t number_of_pairs(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  std::int64_t pairs = 0;
  each_pair(a, b, [&](std::size_t, std::size_t) { ++pairs; });
  return pairs;
}

}  // namespace

std::vector<std::int64_t> pairs_of_ports(const Model& model) {
  const auto groups = groups_of(model);
  std::set<std::int64_t> numbers;
  for (const auto& [a, unused_a] : groups) {
    for (const auto& [b, unused_b] : groups) numbers.insert(number_of_pairs(a, b));
  }
  numbers.erase(0);
  return {numbers.begin(), numbers.end()};
}

std::vector<std::uint32_t> sending_switches(const Model& model) {
  std::vector<std::uint32_t> switches;
  for (const Terminal t : model.adapters().all_terminals()) {
    if (model.fabric().leaf(t) != kNone<Switch>) switches.push_back(index(model.fabric().leaf(t)));
  }
  sort_unique(switches);
  return switches;
}

FlowSources::FlowSources(const Model& model)
    : FlowSources(model, Table<Terminal, std::uint8_t>(model.fabric().num_terminals(), 1)) {}

FlowSources::FlowSources(const Model& model, const Table<Terminal, std::uint8_t>& takes_part)
    : kind_(model.fabric().num_terminals(), 0) {
  const Fabric& fabric = model.fabric();
  const Adapters& adapters = model.adapters();
  const std::uint64_t most = kMostUnitsOfAll / std::max<std::size_t>(adapters.size(), 1);
  std::int64_t units = 1;
  for (const std::int64_t pairs : pairs_of_ports(model)) {
    units = common_multiple(units, pairs, static_cast<std::int64_t>(most));
  }
  exact_ = units != 0;
  units_ = exact_ ? static_cast<std::uint64_t>(units) : most;
  const auto groups = groups_of(model);
  std::vector<const std::vector<std::uint32_t>*> components;
  std::vector<std::uint32_t> first;  // kind of each group
  for (const auto& [of_group, unused] : groups) {
    components.push_back(&of_group);
    first.push_back(kinds_);
    kinds_ += static_cast<std::uint32_t>(of_group.size());
  }
  units_by_kind_.resize(std::size_t{kinds_} * kinds_);
  const auto set_units = [&](std::size_t from, std::size_t to) {
    const auto& a = *components[from];
    const auto& b = *components[to];
    const auto pairs = static_cast<std::uint64_t>(number_of_pairs(a, b));
    each_pair(a, b, [&](std::size_t i, std::size_t j) {
      units_by_kind_[(first[from] + i) * kinds_ + first[to] + j] = (units_ + pairs / 2) / pairs;
    });
  };
  for (std::size_t from = 0; from < components.size(); ++from) {
    for (std::size_t to = 0; to < components.size(); ++to) set_units(from, to);
  }
  for (const Adapter adapter : ids<Adapter>(adapters.size())) {
    std::uint32_t kind = first[groups.at(components_of(model, adapter))];
    for (const Terminal t : adapters.terminals(adapter)) kind_[t] = kind++;
  }
  on_.assign(kinds_, Table<Switch, std::uint64_t>(fabric.num_switches(), 0));
  for (const Terminal t : adapters.all_terminals()) {
    const Switch leaf = fabric.leaf(t);
    if (takes_part[t] == 0 || leaf == kNone<Switch>) continue;
    for (std::uint32_t to = 0; to < num_kinds(); ++to) on_[to][leaf] += this->units(kind(t), to);
  }
}

std::uint64_t SentByPorts::sent(const Fabric& fabric, const FlowSources& sources, Terminal t,
                                std::uint64_t own) const {
  const std::uint32_t kind = sources.kind(t);
  std::uint64_t units = 0;
  for (std::uint32_t to = 0; to < kinds_; ++to) {
    units += reached_[index(fabric.leaf(t)) * kinds_ + to] * sources.units(kind, to);
  }
  return units - own * sources.units(kind, kind);
}

}  // namespace fatwood
