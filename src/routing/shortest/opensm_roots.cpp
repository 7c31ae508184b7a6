// SPDX-License-Identifier: BSD-3-Clause
#include "routing/shortest/opensm_roots.hpp"

#include <algorithm>
#include <map>

#include "routing/shortest/turn_search.hpp"

namespace fatwood {

std::vector<Switch> opensm_roots(const Model& model, int threads) {
  if (!model.hints().roots.empty()) return model.hints().roots;
  const PortGraph& graph = model.port_graph();
  const std::size_t n = graph.size();
  const Table<Switch, std::uint32_t> end_ports = terminals_on(model.fabric());
  const std::vector<std::uint16_t> hops = hop_counts(graph, threads);
  std::vector<Switch> roots;
  std::vector<std::uint32_t> count;
  for (const Switch s : ids<Switch>(n)) {
    count.clear();
    std::uint32_t total = 0;
    for (const Switch leaf : ids<Switch>(n)) {
      const std::uint16_t far = hops[index(s) * n + index(leaf)];
      if (far == kFar) continue;
      if (far >= count.size()) count.resize(far + std::size_t{1});
      count[far] += end_ports[leaf];
      total += end_ports[leaf];
    }
    const auto above = [&](double share) {
      return std::ranges::count_if(count, [&](std::uint32_t c) { return c > total * share; });
    };
    if (above(0.9) == 1 && above(0.05) == 1) roots.push_back(s);
  }
  return roots;
}

Switch switch_without_root(const Model& model, std::span<const Switch> roots) {
  const Table<Switch, std::uint32_t> rank = hops_from(model.port_graph(), roots);
  const Table<Switch, std::uint32_t> end_ports = terminals_on(model.fabric());
  for (const Switch s : ids<Switch>(rank.size())) {
    if (end_ports[s] > 0 && rank[s] == kNone<std::uint32_t>) return s;
  }
  return kNone<Switch>;
}

}  // namespace fatwood
