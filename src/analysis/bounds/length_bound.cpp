// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/bounds/length_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "analysis/bounds/cuts.hpp"
#include "analysis/bounds/oload.hpp"
#include "analysis/load/switch_distances.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMostWork = 40'000'000;  // destinations * channels of all rounds
constexpr std::size_t kMostRounds = 200;
constexpr double kStep = 0.15;
constexpr double kScale = 1U << 20U;  // the longest channel

using Lengths = Table<Channel, std::uint32_t>;

Fraction quotient(__int128 travelled, __int128 capacity, std::int64_t units_in_one) {
  if (capacity == 0) return 0;
  capacity *= units_in_one;
  __int128 a = travelled;
  __int128 b = capacity;
  while (b != 0) a = std::exchange(b, a % b);
  if (a != 0) {
    travelled /= a;
    capacity /= a;
  }
  constexpr __int128 kMost = std::numeric_limits<std::int64_t>::max();
  // A bound may be rounded down.
  while (travelled > kMost || capacity > kMost) {
    travelled /= 2;
    capacity = (capacity + 1) / 2;
  }
  return {static_cast<std::int64_t>(travelled), static_cast<std::int64_t>(capacity)};
}

// The smallest multiple of the lengths that is an integer, if there is a small one: prices of a
// linear program are simple fractions. Otherwise the longest length becomes kScale.
Lengths whole_numbers(const Table<Channel, double>& length) {
  constexpr unsigned kMostTimes = 720;
  constexpr double kAlmost = 1e-6;
  double longest = 0;
  for (const double one : length) longest = std::max(longest, one);
  Lengths whole(length.size(), 0);
  if (longest == 0) return whole;
  const auto is_whole = [](double value) { return std::abs(value - std::round(value)) < kAlmost; };
  double scale = kScale / longest;
  for (unsigned times = 1; times <= kMostTimes; ++times) {
    const double one = times / longest;
    if (!std::ranges::all_of(length, [&](double far) { return is_whole(far * one); })) continue;
    scale = one;
    break;
  }
  for (const Channel c : ids<Channel>(length.size())) {
    whole[c] = static_cast<std::uint32_t>(std::lround(length[c] * scale));
  }
  return whole;
}

// Rounds of shortest paths, after which loaded channels get longer. Returns the lengths of the best
// round.
Lengths weights(const Model& model, const LeafDemand& demand) {
  const Fabric& fabric = model.fabric();
  const ChannelSpeeds& speeds = model.speeds();
  std::vector<Channel> channels;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (fabric.between_switches(c)) channels.push_back(c);
  }
  Lengths best(fabric.num_channels(), 0);
  if (channels.empty() || demand.between.empty()) return best;
  const std::size_t rounds =
      std::min(kMostRounds, kMostWork / (demand.between.size() * channels.size() + 1));
  const auto capacity = [&](Channel c) {
    return static_cast<double>(speeds.speed(c)) / static_cast<double>(speeds.usual());
  };
  Table<Channel, double> length(fabric.num_channels(), 0);
  Table<Channel, double> load(fabric.num_channels(), 0);
  for (const Channel c : channels) length[c] = 1 / capacity(c);
  SwitchDistances<double> distances(fabric);
  std::vector<double> amount(fabric.num_switches());
  double most = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (const Channel c : channels) load[c] = 0;
    double travelled = 0;
    for (const auto& [to, sources] : demand.between) {
      distances.find(demand.places[to], length);
      std::ranges::fill(amount, 0);
      for (const auto& [from, units] : sources) {
        const Switch nearest = distances.nearest(demand.places[from]);
        amount[index(nearest)] += static_cast<double>(units);
        travelled += static_cast<double>(units) * distances.far(nearest);
      }
      const std::vector<std::uint32_t>& order = distances.nearest_first();
      for (std::size_t i = order.size(); i-- > 1;) {
        const Channel c = distances.first(order[i]);
        if (c == kNone<Channel>) continue;
        load[c] += amount[order[i]];
        amount[index(fabric.next_switch(c))] += amount[order[i]];
      }
    }
    double room = 0;
    double max_load = 0;
    for (const Channel c : channels) {
      room += length[c] * capacity(c);
      max_load = std::max(max_load, load[c] / capacity(c));
    }
    if (!(travelled / room <= most)) {
      most = travelled / room;
      best = whole_numbers(length);
    }
    for (const Channel c : channels) length[c] *= 1 + kStep * load[c] / capacity(c) / max_load;
  }
  return best;
}

}  // namespace

Fraction bound_of_lengths(const Model& model, const Traffic& traffic, const Lengths& length) {
  const Fabric& fabric = model.fabric();
  const Adapters& adapters = model.adapters();
  const ChannelSpeeds& speeds = model.speeds();
  const LeafDemand demand = leaf_demand(model, traffic);
  Table<Channel, std::uint64_t> wide(fabric.num_channels(), 0);
  __int128 room = 0;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    wide[c] = length[c];
    room += static_cast<__int128>(length[c]) * speeds.speed(c);
  }
  __int128 travelled = 0;
  for (const Adapter adapter : ids<Adapter>(adapters.size())) {  // the shortest of its ports
    std::uint32_t out = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t in = out;
    for (const Terminal t : adapters.terminals(adapter)) {
      out = std::min(out, length[fabric.terminal_channel(t)]);
      in = std::min(in, length[fabric.peer(fabric.terminal_channel(t))]);
    }
    travelled += static_cast<__int128>(demand.out[index(adapter)]) * out;
    travelled += static_cast<__int128>(demand.in[index(adapter)]) * in;
  }
  SwitchDistances<std::uint64_t> distances(fabric);
  for (const auto& [to, sources] : demand.between) {
    distances.find(demand.places[to], wide);
    for (const auto& [from, units] : sources) {
      const std::uint64_t far = distances.far(distances.nearest(demand.places[from]));
      if (far == std::numeric_limits<std::uint64_t>::max()) continue;  // no path at all
      travelled += static_cast<__int128>(units) * static_cast<std::int64_t>(far);
    }
  }
  return quotient(travelled * speeds.usual(), room, traffic.units_in_one);
}

LengthBound length_bound(const Model& model, const Traffic& traffic) {
  const LeafDemand demand = leaf_demand(model, traffic);
  LengthBound bound{best_cut(model, demand).length, 0};
  bound.value = bound_of_lengths(model, traffic, bound.length);
  // The program may stop at the bound of the cut; then it cannot improve it.
  const std::optional<LpOload> optimum = lp_oload(model, traffic, bound.value);
  Lengths other = optimum ? whole_numbers(optimum->length) : weights(model, demand);
  const Fraction value = bound_of_lengths(model, traffic, other);
  if (value > bound.value) bound = {std::move(other), value};
  return bound;
}

}  // namespace fatwood
