// SPDX-License-Identifier: BSD-3-Clause
#include "support/rail_fabric.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topology/builder.hpp"

namespace fatwood::test {

std::string leaf_name(unsigned unit, unsigned rail) {
  return fmt::format("leaf{}-{}", unit + 1, rail + 1);
}

Fabric rail_fabric(const RailPlan& plan) {
  using Handle = FabricBuilder::Handle;
  FabricBuilder builder;
  std::map<std::pair<unsigned, unsigned>, Handle> leaves;
  for (unsigned u = 0; u < plan.units; ++u) {
    for (unsigned r = 0; r < plan.rails; ++r) {
      if (std::count(plan.no_leaf.begin(), plan.no_leaf.end(), std::pair{u, r}) > 0) continue;
      leaves.emplace(std::pair{u, r}, builder.add_switch(leaf_name(u, r), 64));
    }
  }
  std::vector<Handle> spines;
  const unsigned spines_in_all = plan.spines * (plan.spines_of_one_rail ? plan.rails : 1);
  for (unsigned i = 0; i < spines_in_all; ++i) {
    spines.push_back(builder.add_switch(fmt::format("spine{}", i + 1), 64));
  }
  for (const auto& [place, leaf] : leaves) {
    for (unsigned i = 0; i < plan.spines; ++i) {
      const unsigned spine = plan.spines_of_one_rail ? place.second * plan.spines + i : i;
      builder.connect(leaf, static_cast<Port>(33 + i), spines[spine],
                      static_cast<Port>(1 + place.first * plan.rails +
                                        (plan.spines_of_one_rail ? 0 : place.second)));
    }
  }
  if (plan.spines_of_one_rail) {
    for (unsigned i = 0; i < plan.spines; ++i) {
      const Handle core = builder.add_switch(fmt::format("core{}", i + 1), 64);
      for (unsigned r = 0; r < plan.rails; ++r) {
        builder.connect(core, static_cast<Port>(1 + r), spines[r * plan.spines + i], Port{64});
      }
    }
  }
  std::map<RailPlan::Place, RailPlan::Place> swapped_with;
  for (const auto& [a, b] : plan.swapped) swapped_with[a] = b, swapped_with[b] = a;
  Handle storage{};
  if (plan.storage_leaf) {
    storage = builder.add_switch("storage", 64);
    builder.connect(storage, Port{64}, spines[0], Port{63});
  }
  for (unsigned u = 0; u < plan.units; ++u) {
    for (unsigned h = 0; h < plan.hosts; ++h) {
      for (unsigned r = 0; r < plan.rails; ++r) {
        const RailPlan::Place place{u, h, r};
        if (std::count(plan.absent.begin(), plan.absent.end(), place) > 0) continue;
        const auto other = swapped_with.find(place);
        const RailPlan::Place at = other == swapped_with.end() ? place : other->second;
        const auto leaf = leaves.find({at.unit, at.rail});
        if (leaf == leaves.end()) continue;
        const Handle adapter = builder.add_adapter(fmt::format("H-{}-{}-{}", u, h, r), 1);
        const auto text = plan.descriptions.find(place);
        builder.set_description(adapter,
                                text != plan.descriptions.end()
                                    ? text->second
                                    : fmt::format("host{}-{:02} mlx5_{}", u + 1, h + 1, r));
        builder.connect(adapter, Port{1}, leaf->second, static_cast<Port>(1 + at.host));
      }
      if (!plan.storage_leaf) continue;
      const Handle adapter = builder.add_adapter(fmt::format("H-{}-{}-s", u, h), 1);
      builder.set_description(adapter, fmt::format("host{}-{:02} mlx5_20", u + 1, h + 1));
      builder.connect(adapter, Port{1}, storage, static_cast<Port>(1 + u * plan.hosts + h));
    }
  }
  return builder.build();
}

}  // namespace fatwood::test
