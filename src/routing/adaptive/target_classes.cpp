// SPDX-License-Identifier: BSD-3-Clause
#include "routing/adaptive/target_classes.hpp"

#include <algorithm>

#include "core/parallel.hpp"

namespace fatwood {

namespace {

class Alike {
 public:
  Alike(const Fabric& fabric, const Routing& routing) : fabric_(fabric), routing_(routing) {}

  bool operator()(Target a, Target b, Switch home) const {
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
  bool delivers(Target target, Switch home) const {
    const ForwardingTables& tables = routing_.tables;
    if (routing_.sets.kind(home, target) != 0) return false;
    return tables.at(target, home) == own_port(fabric_, tables, target);
  }

  const Fabric& fabric_;
  const Routing& routing_;
};

}  // namespace

TargetClasses target_classes(const Fabric& fabric, const Routing& routing, int threads) {
  std::vector<std::vector<Target>> at(fabric.num_switches() + 1);  // the last: on no switch
  for (const Target target : ids<Target>(routing.tables.num_targets())) {
    const Switch home = home_of(fabric, routing.tables, target);
    at[home == kNone<Switch> ? at.size() - 1 : index(home)].push_back(target);
  }
  const Alike alike(fabric, routing);
  std::vector<std::vector<std::vector<Target>>> classes(at.size());
  parallel_for(
      at.size(), threads,
      [&](std::size_t s, int) {
        for (const Target target : at[s]) {
          const auto mine = std::ranges::find_if(classes[s], [&](const std::vector<Target>& one) {
            return s + 1 < at.size() && alike(one.front(), target, static_cast<Switch>(s));
          });
          if (mine != classes[s].end()) {
            mine->push_back(target);
          } else {
            classes[s].push_back({target});
          }
        }
      },
      16);
  TargetClasses result;
  for (const auto& of_switch : classes) {
    for (const std::vector<Target>& one : of_switch) {
      result.targets.insert(result.targets.end(), one.begin(), one.end());
      result.first.push_back(static_cast<std::uint32_t>(result.targets.size()));
    }
  }
  return result;
}

}  // namespace fatwood
