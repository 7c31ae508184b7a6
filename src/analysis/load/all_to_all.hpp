// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Two figures of all-to-all traffic between all adapters, for compare, repair and whatif:
//
//   mload  the load of the most loaded channel, in both directions, adapter links included. A flow
//          weighs more on a channel that is slower than the usual adapter (ChannelSpeeds).
//          `fatwood load --traffic alltoall` prints the same number.
//   Gb/s   the rate of the worst pair, times the number of peers: what an adapter gets in a
//          synchronous all-to-all. With P peers, L(c) flows on channel c and capacity u(c), it is
//          the minimum of P u(c) / L(c), or P / mload times the usual rate. P is the most flows
//          that any adapter sends or receives: all other adapters, or fewer if no adapter has a
//          route to all others. So the rate is at most what the ports of an adapter carry.
//
// Flows that do not arrive are not counted. Exact: loads are compared as fractions in 128 bits.
// Cost: O(channels) if flows are known, otherwise that of find_channel_use.

#include <algorithm>
#include <cstdint>

#include "analysis/load/channel_use.hpp"
#include "core/fraction.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

struct AllToAllLoad {
  Fraction mload = 0;
  Channel most_loaded = kNone<Channel>;  // the first of several; kNone: nothing is sent
  double gigabits = 0;                   // 0: nothing is sent, or a rate is unknown
};

// Compares loads of channels and computes the figures of the largest.
class MostLoaded {
 public:
  // The model must outlive it.
  MostLoaded(const Model& model, std::uint64_t units_in_one);

  // Whether `flows_a` units on channel a are more load than `flows_b` on b; on a tie, by number.
  bool before(Channel a, std::int64_t flows_a, Channel b, std::int64_t flows_b) const {
    const __int128 load_a = static_cast<__int128>(flows_a) * speeds_.speed(b);
    const __int128 load_b = static_cast<__int128>(flows_b) * speeds_.speed(a);
    return load_a != load_b ? load_a > load_b : a < b;
  }
  // The load of `flows` units on a channel.
  Fraction load(Channel c, std::int64_t flows) const;
  // The figures if this channel is the most loaded one; `peers`: see most_peers().
  AllToAllLoad result(Channel c, std::int64_t flows, std::int64_t peers) const;

 private:
  const ChannelSpeeds& speeds_;
  std::int64_t units_in_one_;
  bool rates_known_ = true;  // of cables between switches and of adapters
};

// The most that any adapter sends or receives, in units. flow(c): units on the link c of an end
// port, in either direction.
template <class Flow>
std::int64_t most_peers(const Model& model, const Flow& flow) {
  std::int64_t most = 0;
  for (const Adapter adapter : ids<Adapter>(model.adapters().size())) {
    std::int64_t out = 0, in = 0;
    for (const Terminal t : model.adapters().terminals(adapter)) {
      const Channel c = model.fabric().terminal_channel(t);
      out += flow(c);
      in += flow(model.fabric().peer(c));
    }
    most = std::max({most, out, in});
  }
  return most;
}

// `flows` by channel, links of adapters included.
template <class Flows>
AllToAllLoad all_to_all_load(const Model& model, const Flows& flows, std::uint64_t units_in_one) {
  const MostLoaded most(model, units_in_one);
  Channel best = kNone<Channel>;
  for (const Channel c : ids<Channel>(flows.size())) {
    if (flows[c] <= 0) continue;
    const auto mine = static_cast<std::int64_t>(flows[c]);
    if (best == kNone<Channel> ||
        most.before(c, mine, best, static_cast<std::int64_t>(flows[best]))) {
      best = c;
    }
  }
  if (best == kNone<Channel>) return {};
  const auto flow = [&](Channel c) { return static_cast<std::int64_t>(flows[c]); };
  return most.result(best, flow(best), most_peers(model, flow));
}

AllToAllLoad all_to_all_load(const Model& model, const ChannelUse& use);
AllToAllLoad all_to_all_load(const Model& model, const Routing& routing, int threads = 0);

}  // namespace fatwood
