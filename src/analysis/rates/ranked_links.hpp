// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Links in order of the rate that they give to each of their flows. Only for bottleneck.hpp.

#include <algorithm>
#include <span>
#include <vector>

#include "analysis/load/channel_use.hpp"
#include "analysis/rates/bottleneck.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

// Channels that carry flows, slowest first.
class RankedLinks {
 public:
  using Rank = std::uint32_t;
  static constexpr Rank kNone = 0xffffffffU;  // after all others

  // `flows`: by channel, in any unit.
  template <class Flows>
  RankedLinks(const Model& model, const Table<Channel, Flows>& flows)
      : speeds_(model.speeds()), rank_(model.fabric().num_channels(), kNone) {
    const Fabric& fabric = model.fabric();
    for (const Channel c : ids<Channel>(fabric.num_channels())) {
      if (flows[c] != 0) order_.push_back(c);
    }
    const auto is_port = [&](Channel c) { return !fabric.between_switches(c); };
    const auto product = [&](Channel speed_of, Channel flows_of) {
      return static_cast<__int128>(speeds_.speed(speed_of)) *
             static_cast<__int128>(flows[flows_of]);
    };
    std::ranges::sort(order_, [&](Channel a, Channel b) {
      const __int128 left = product(a, b);
      const __int128 right = product(b, a);
      if (left != right) return left < right;
      return is_port(a) != is_port(b) ? is_port(a) : a < b;
    });
    for (const Channel c : order_) {
      const bool same = !first_.empty() && is_port(c) && is_port(first_.back()) &&
                        product(c, first_.back()) == product(first_.back(), c);
      if (!same) {
        first_.push_back(c);
        at_port_.push_back(is_port(c));
      }
      rank_[c] = static_cast<Rank>(first_.size() - 1);
    }
  }

  // Channels that carry flows.
  std::span<const Channel> order() const { return order_; }
  std::size_t size() const { return first_.size(); }
  Rank rank(Channel c) const { return rank_[c]; }
  Channel link(Rank rank) const { return first_[rank]; }  // the first with this rank
  bool at_port(Rank rank) const { return at_port_[rank] != 0; }
  const ChannelSpeeds& speeds() const { return speeds_; }

 private:
  const ChannelSpeeds& speeds_;
  std::vector<Channel> order_;
  Table<Channel, Rank> rank_;
  std::vector<Channel> first_;  // by rank
  std::vector<std::uint8_t> at_port_;
};

// The rate per adapter of pairs that a link limits.
class PairRate {
 public:
  // These must outlive it.
  PairRate(const Model& model, const RankedLinks& ranked, const LinkLoads& flows);

  Fraction peers() const { return peers_; }  // of the adapter with the most peers
  Fraction port() const { return port_; }    // all ports of the fastest adapter
  Fraction operator()(RankedLinks::Rank rank) const {
    const Channel c = ranked_.link(rank);
    return std::min(port_, peers_ * Fraction(ranked_.speeds().speed(c), ranked_.speeds().usual()) /
                               flows_.load(c));
  }

 private:
  const RankedLinks& ranked_;
  const LinkLoads& flows_;
  Fraction peers_ = 0, port_ = 0;
};

// The number of pairs whose rate does not exceed a percentile, by nearest rank.
inline std::uint64_t least_pairs(std::uint64_t pairs, std::uint64_t percent) {
  return std::max<std::uint64_t>((pairs * percent + 99) / 100, 1);
}

// `pairs`: by rank, the number of pairs whose lowest rank it is.
BottleneckRates summarise(const Model& model, const RankedLinks& ranked,
                          std::span<const std::uint64_t> pairs, std::uint64_t adapters,
                          LinkLoads flows);

LinkLoads loads_of(const ChannelUse& use);

// So many adapters of a switch whose ports have one rank.
struct AdapterGroup {
  Switch leaf;
  RankedLinks::Rank rank;
  std::uint64_t adapters;
};
// In order of switches. REQUIRES adapters with one port each.
std::vector<AdapterGroup> adapter_groups(const Model& model, const RankedLinks& ranked,
                                         std::span<const Adapter> adapters);

// For adaptive tables and for source routes, with their loads (find_channel_use). REQUIRES that all
// adapters of the model take part.
BottleneckRates rates_of_choices(const Model& model, const Routing& routing, const ChannelUse& use,
                                 int threads);
BottleneckRates rates_of_source_routes(const Model& model, const Routing& routing,
                                       const ChannelUse& use);

}  // namespace fatwood
