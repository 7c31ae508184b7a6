// SPDX-License-Identifier: BSD-3-Clause
#include "routing/adaptive/as_numbers.hpp"

#include <vector>

#include "topology/levels/levels.hpp"

namespace fatwood {

namespace {

constexpr std::uint32_t kFirstPrivate = 4200000000U;

}  // namespace

Table<Switch, std::uint32_t> as_numbers(const Model& model) {
  const Fabric& fabric = model.fabric();
  const Levels& levels = model.levels();
  Table<Switch, std::uint32_t> number(fabric.num_switches(), 0);
  std::uint32_t next = kFirstPrivate;
  std::vector<Switch> open;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (number[s] != 0) continue;
    number[s] = next++;
    const Level most = levels.level[s];
    if (!levels.is_tree() || most == 1) continue;
    std::vector<bool> seen(fabric.num_switches(), false);
    seen[index(s)] = true;
    open.assign(1, s);
    while (!open.empty()) {
      const Switch at = open.back();
      open.pop_back();
      if (levels.level[at] == most) number[at] = number[s];
      for (const SwitchLink& link : fabric.links(at)) {
        if (levels.level[link.to] > most || seen[index(link.to)]) continue;
        seen[index(link.to)] = true;
        open.push_back(link.to);
      }
    }
  }
  return number;
}

}  // namespace fatwood
