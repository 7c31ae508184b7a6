// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rates/ranked_links.hpp"

#include <algorithm>
#include <map>

namespace fatwood {

PairRate::PairRate(const Model& model, const RankedLinks& ranked, const LinkLoads& flows)
    : ranked_(ranked), flows_(flows) {
  for (const Adapter adapter : ids<Adapter>(model.adapters().size())) {
    std::int64_t out = 0;
    std::int64_t in = 0;
    std::int64_t speed = 0;
    for (const Terminal t : model.adapters().terminals(adapter)) {
      const Channel c = model.fabric().terminal_channel(t);
      out += flows.units[c];
      in += flows.units[model.fabric().peer(c)];
      if (flows.units[c] > 0) speed += ranked.speeds().speed(c);
    }
    peers_ = std::max(peers_, Fraction(std::max(out, in), flows.units_in_one));
    port_ = std::max(port_, Fraction(speed, ranked.speeds().usual()));
  }
}

BottleneckRates summarise(const Model& model, const RankedLinks& ranked,
                          std::span<const std::uint64_t> pairs, std::uint64_t adapters,
                          LinkLoads flows) {
  BottleneckRates result;
  result.adapters = adapters;
  for (const std::uint64_t count : pairs) result.pairs += count;
  const PairRate rate(model, ranked, flows);
  result.peers = rate.peers();
  result.port = rate.port();
  // The rate that `percent` of the pairs do not exceed.
  const auto percentile = [&](std::uint64_t percent) -> Fraction {
    const std::uint64_t least = least_pairs(result.pairs, percent);
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

std::vector<AdapterGroup> adapter_groups(const Model& model, const RankedLinks& ranked,
                                         std::span<const Adapter> adapters) {
  std::map<std::pair<Switch, RankedLinks::Rank>, std::uint64_t> count;
  for (const Adapter adapter : adapters) {
    const Terminal t = model.adapters().terminals(adapter).front();
    const Switch leaf = model.fabric().leaf(t);
    if (leaf != kNone<Switch>) ++count[{leaf, ranked.rank(model.fabric().terminal_channel(t))}];
  }
  std::vector<AdapterGroup> groups;
  for (const auto& [place, number] : count) groups.push_back({place.first, place.second, number});
  return groups;
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
