// SPDX-License-Identifier: BSD-3-Clause
#include "routing/adaptive/group_classes.hpp"

#include <algorithm>

namespace fatwood {

std::vector<GroupClass> group_classes(const Model& model, std::size_t least) {
  const Fabric& fabric = model.fabric();
  std::vector<std::vector<Terminal>> on(fabric.num_switches());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Switch leaf = fabric.leaf(t);
    if (leaf != kNone<Switch> && model.counted()[t] != 0) on[index(leaf)].push_back(t);
  }
  const auto leaves = static_cast<std::size_t>(
      std::ranges::count_if(on, [](const auto& terminals) { return !terminals.empty(); }));
  const std::size_t most = (least + leaves) / std::max<std::size_t>(leaves, 1);
  std::vector<GroupClass> classes;
  for (std::uint32_t s = 0; s < on.size(); ++s) {
    const std::size_t first = classes.size();
    const std::size_t parts = std::clamp<std::size_t>(on[s].size(), 1, most);
    classes.resize(first + parts, {s, {}});
    for (std::size_t i = 0; i < on[s].size(); ++i) {
      classes[first + i % parts].terminals.push_back(on[s][i]);
    }
  }
  return classes;
}

GroupTable by_class(const Fabric& fabric, const std::vector<GroupClass>& classes,
                    const GroupTable& full, const ForwardingTables& tables) {
  const std::size_t switches = fabric.num_switches();
  GroupTable table{full.sets, {}, std::vector<std::uint32_t>(tables.num_destinations())};
  std::vector<std::uint32_t> first_class(switches);
  for (auto k = static_cast<std::uint32_t>(classes.size()); k-- > 0;) {
    first_class[classes[k].home] = k;
  }
  for (const Destination d : ids<Destination>(tables.num_destinations())) {
    const Switch home = home_of(fabric, tables, d);
    if (home != kNone<Switch>) table.class_of[index(d)] = first_class[index(home)];
  }
  for (std::uint32_t k = 0; k < classes.size(); ++k) {
    const std::uint16_t* const row = full.number.data() + std::size_t{classes[k].home} * switches;
    table.number.insert(table.number.end(), row, row + switches);
    for (const Terminal t : classes[k].terminals) {
      for (std::uint32_t offset = 0; offset < 1U << tables.lmc(); ++offset) {
        table.class_of[index(tables.destination(t, offset))] = k;
      }
    }
  }
  return table;
}

}  // namespace fatwood
