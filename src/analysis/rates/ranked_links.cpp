// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rates/ranked_links.hpp"

#include <algorithm>

namespace fatwood {

BottleneckRates summarise(const Model& model, const RankedLinks& ranked,
                          std::span<const std::uint64_t> pairs, std::uint64_t adapters,
                          LinkLoads flows) {
  BottleneckRates result;
  result.adapters = adapters;
  for (const std::uint64_t count : pairs) result.pairs += count;
  const auto rate = [&](RankedLinks::Rank rank) {
    const Channel c = ranked.link(rank);
    return Fraction(static_cast<std::int64_t>(adapters - 1)) *
           Fraction(ranked.speeds().speed(c), ranked.speeds().usual()) / flows.load(c);
  };
  // The rate that `percent` of the pairs do not exceed.
  const auto percentile = [&](std::uint64_t percent) -> Fraction {
    const std::uint64_t least = std::max<std::uint64_t>((result.pairs * percent + 99) / 100, 1);
    std::uint64_t below = 0;
    for (RankedLinks::Rank r = 0; r < pairs.size(); ++r) {
      below += pairs[r];
      if (below >= least) return rate(r);
    }
    return 0;
  };
  result.worst = percentile(0);
  result.p1 = percentile(1);
  result.p10 = percentile(10);
  result.median = percentile(50);
  for (RankedLinks::Rank r = 0; r < pairs.size(); ++r) {
    if (ranked.at_port(r)) result.port = rate(r);
    if (pairs[r] == 0) continue;
    if (ranked.at_port(r)) {
      result.at_ports += pairs[r];
    } else {
      result.links.push_back({ranked.link(r), pairs[r], rate(r)});
    }
  }
  result.loads = weighed(model, std::move(flows));
  return result;
}

LinkLoads loads_of(const ChannelUse& use) {
  LinkLoads flows{static_cast<std::int64_t>(use.units_in_one),
                  Table<Channel, std::int64_t>(use.flows.size(), 0)};
  for (const Channel c : ids<Channel>(flows.units.size())) {
    flows.units[c] = static_cast<std::int64_t>(use.flows[c]);
  }
  return flows;
}

}  // namespace fatwood
