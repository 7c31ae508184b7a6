// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/bounds/evenness.hpp"

#include <algorithm>

namespace fatwood {

std::size_t Evenness::above(double limit) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(loads, [&](const CutLoad& cut) { return cut.evenness() > limit; }));
}

Evenness find_evenness(const Model& model, const LinkLoads& loads,
                       const Table<Terminal, std::uint8_t>& takes_part, Splitting splitting,
                       std::uint32_t addresses) {
  Evenness result;
  result.cuts = tree_cuts(model.fabric(), model.levels());
  double flows = 0;
  double sum = 0;
  for (const CutShare& share : all_to_all_shares(model, result.cuts, takes_part, addresses)) {
    CutLoad cut{share, kNone<Channel>, 0, share.fair};
    if (splitting == Splitting::kBundles) cut.least = share.tables;
    std::int64_t most = -1;
    for (const Channel up : result.cuts[share.cut].links) {
      const Channel c = share.crossing == CutDirection::kOut ? up : model.fabric().peer(up);
      if (loads.units[c] <= most) continue;
      most = loads.units[c];
      cut.link = c;
    }
    cut.load = loads.load(cut.link);
    flows += share.flows;
    sum += share.flows * cut.evenness();
    result.loads.push_back(cut);
    if (cut.evenness() > result.loads[result.worst].evenness()) {
      result.worst = result.loads.size() - 1;
    }
  }
  if (flows > 0) result.mean = sum / flows;
  return result;
}

}  // namespace fatwood
