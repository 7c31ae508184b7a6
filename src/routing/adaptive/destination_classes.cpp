// SPDX-License-Identifier: BSD-3-Clause
#include "routing/adaptive/destination_classes.hpp"

#include <algorithm>

#include "core/parallel.hpp"

namespace fatwood {

namespace {

// Whether two destinations on one switch are treated alike, and delivered by static entries.
bool are_alike(const Fabric& fabric, const Routing& routing, Destination a, Destination b,
               Switch home) {
  const PortSets& sets = routing.sets;
  if (sets.empty() || sets.row(a) != sets.row(b) || sets.kind(home, a) != 0) return false;
  const Lanes& lanes = routing.lanes;
  if (!lanes.lane.empty() && lanes.row_of[index(a)] != lanes.row_of[index(b)]) return false;
  const ForwardingTables& tables = routing.tables;
  const auto delivers = [&](Destination destination) {
    return tables.at(destination, home) == own_port(fabric, tables, destination);
  };
  if (!delivers(a) || !delivers(b)) return false;
  for (const Switch s : ids<Switch>(routing.unknown.empty() ? 0 : tables.num_switches())) {
    if (routing.unknown.at(a, s) != routing.unknown.at(b, s)) return false;
  }
  const std::span<const Port> x = tables.row(a);
  const std::span<const Port> y = tables.row(b);
  for (const Switch s : ids<Switch>(x.size())) {
    if (x[index(s)] == y[index(s)] || s == home) continue;
    if (sets.kind_in(sets.row(a), s) == 0) return false;
  }
  return true;
}

}  // namespace

DestinationClasses destination_classes(const Fabric& fabric, const Routing& routing, int threads) {
  std::vector<std::vector<Destination>> at(fabric.num_switches() + 1);  // the last: on no switch
  for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
    const Switch home = home_of(fabric, routing.tables, destination);
    at[home == kNone<Switch> ? at.size() - 1 : index(home)].push_back(destination);
  }
  std::vector<std::vector<std::vector<Destination>>> classes(at.size());
  parallel_for(
      at.size(), threads,
      [&](std::size_t s, int) {
        for (const Destination destination : at[s]) {
          const auto mine =
              std::ranges::find_if(classes[s], [&](const std::vector<Destination>& one) {
                return s + 1 < at.size() &&
                       are_alike(fabric, routing, one.front(), destination, static_cast<Switch>(s));
              });
          if (mine != classes[s].end()) {
            mine->push_back(destination);
          } else {
            classes[s].push_back({destination});
          }
        }
      },
      16);
  DestinationClasses result;
  for (const auto& of_switch : classes) {
    for (const std::vector<Destination>& one : of_switch) {
      result.destinations.insert(result.destinations.end(), one.begin(), one.end());
      result.first.push_back(static_cast<std::uint32_t>(result.destinations.size()));
    }
  }
  return result;
}

}  // namespace fatwood
