// SPDX-License-Identifier: BSD-3-Clause
#include "routing/adaptive/destination_classes.hpp"

#include <algorithm>

#include "core/parallel.hpp"

namespace fatwood {

namespace {

class Alike {
 public:
  Alike(const Fabric& fabric, const Routing& routing) : fabric_(fabric), routing_(routing) {}

  bool operator()(Destination a, Destination b, Switch home) const {
    const PortSets& sets = routing_.sets;
    if (sets.empty() || sets.row(a) != sets.row(b)) return false;
    const Lanes& lanes = routing_.lanes;
    if (!lanes.lane.empty() && lanes.row_of[index(a)] != lanes.row_of[index(b)]) return false;
    if (!delivers(a, home) || !delivers(b, home)) return false;
    const std::span<const Port> x = routing_.tables.row(a);
    const std::span<const Port> y = routing_.tables.row(b);
    const std::uint32_t row = sets.row(a);
    for (std::size_t s = 0; s < x.size(); ++s) {
      if (x[s] == y[s] || s == index(home)) continue;
      if (sets.kind_in(row, static_cast<Switch>(s)) == 0) return false;
    }
    return true;
  }

 private:
  // By a static entry, as it should be.
  bool delivers(Destination destination, Switch home) const {
    const ForwardingTables& tables = routing_.tables;
    if (routing_.sets.kind(home, destination) != 0) return false;
    return tables.at(destination, home) == own_port(fabric_, tables, destination);
  }

  const Fabric& fabric_;
  const Routing& routing_;
};

}  // namespace

DestinationClasses destination_classes(const Fabric& fabric, const Routing& routing, int threads) {
  std::vector<std::vector<Destination>> at(fabric.num_switches() + 1);  // the last: on no switch
  for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
    const Switch home = home_of(fabric, routing.tables, destination);
    at[home == kNone<Switch> ? at.size() - 1 : index(home)].push_back(destination);
  }
  const Alike alike(fabric, routing);
  std::vector<std::vector<std::vector<Destination>>> classes(at.size());
  parallel_for(
      at.size(), threads,
      [&](std::size_t s, int) {
        for (const Destination destination : at[s]) {
          const auto mine =
              std::ranges::find_if(classes[s], [&](const std::vector<Destination>& one) {
                return s + 1 < at.size() && alike(one.front(), destination, static_cast<Switch>(s));
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
