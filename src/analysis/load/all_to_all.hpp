// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The two figures that every verb gives for all-to-all traffic between all hosts:
//
//   mload  the load of the most loaded channel, host links included, in both directions. A flow
//          weighs as much more as the channel is slower than the usual adapter (ChannelSpeeds).
//          The same number as `fatwood load --traffic alltoall` prints.
//   Gb/s   the bottleneck rate of the worst pair: with N hosts, L(c) flows on channel c and its
//          capacity u(c), the minimum of (N - 1) u(c) / L(c), which is (N - 1) / mload times the
//          usual rate. What a host gets in a synchronous all-to-all.
//
// Flows that do not arrive count nowhere. Exact: loads are compared as fractions in 128 bits.
// Cost: O(channels) where flows are known, else that of find_channel_use.

#include <cstdint>

#include "analysis/load/channel_use.hpp"
#include "core/fraction.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

struct AllToAllLoad {
  Fraction mload = 0;
  Channel most_loaded = kNone<Channel>;  // the first of equals; kNone: nothing is sent
  double gigabits = 0;                   // 0: nothing is sent, or some rate is not known
};

// Compares loads of channels and turns the largest into the figures.
class MostLoaded {
 public:
  // The model must outlive it.
  MostLoaded(const Model& model, std::uint64_t units_in_one);

  // Whether `flows_a` units on channel a are more load than `flows_b` on b; equals by number.
  bool before(Channel a, std::int64_t flows_a, Channel b, std::int64_t flows_b) const {
    const __int128 load_a = static_cast<__int128>(flows_a) * speeds_.speed(b);
    const __int128 load_b = static_cast<__int128>(flows_b) * speeds_.speed(a);
    return load_a != load_b ? load_a > load_b : a < b;
  }
  // Of so many units on one channel.
  Fraction load(Channel c, std::int64_t flows) const;
  // The figures when this channel is the most loaded one and `hosts` take part.
  AllToAllLoad result(Channel c, std::int64_t flows, std::size_t hosts) const;

 private:
  const ChannelSpeeds& speeds_;
  std::int64_t units_in_one_;
  bool rates_known_ = true;  // of cables between switches and of hosts
};

// `flows` by channel, host links included.
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
  return most.result(best, static_cast<std::int64_t>(flows[best]), model.adapters().size());
}

AllToAllLoad all_to_all_load(const Model& model, const ChannelUse& use);
AllToAllLoad all_to_all_load(const Model& model, const Routing& routing, int threads = 0);

}  // namespace fatwood
