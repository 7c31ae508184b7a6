// SPDX-License-Identifier: BSD-3-Clause
#include "oracle/length_check.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "topology/channel_speeds.hpp"

namespace fatwood::oracle {

namespace {

constexpr std::uint64_t kNoPath = std::numeric_limits<std::uint64_t>::max();

// From one switch to all.
std::vector<std::uint64_t> distances_from(const Fabric& fabric, Switch source,
                                          const Table<Channel, std::uint32_t>& length) {
  std::vector<std::uint64_t> far(fabric.num_switches(), kNoPath);
  far[index(source)] = 0;
  for (bool shorter = true; shorter;) {
    shorter = false;
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (far[index(s)] == kNoPath) continue;
      for (const auto& [c, to, port] : fabric.links(s)) {
        std::uint64_t& there = far[index(to)];
        if (far[index(s)] + length[c] >= there) continue;
        there = far[index(s)] + length[c];
        shorter = true;
      }
    }
  }
  return far;
}

}  // namespace

bool proves_bound(const Model& model, const Traffic& traffic,
                  const Table<Channel, std::uint32_t>& length, Fraction bound) {
  const Fabric& fabric = model.fabric();
  const ChannelSpeeds& speeds = model.speeds();
  const Adapters& adapters = model.adapters();
  std::map<Switch, std::vector<std::uint64_t>> far;
  for (const Terminal t : adapters.all_terminals()) {
    const Switch leaf = fabric.leaf(t);
    if (leaf == kNone<Switch> || far.contains(leaf)) continue;
    far[leaf] = distances_from(fabric, leaf, length);
  }
  // From any port of a host to any of the other, or over no switch.
  const auto distance = [&](Adapter source, Adapter destination) {
    std::uint64_t least = kNoPath;
    std::uint64_t ends = kNoPath;
    for (const Terminal a : adapters.terminals(source)) {
      for (const Terminal b : adapters.terminals(destination)) {
        const std::uint64_t own = std::uint64_t{length[fabric.terminal_channel(a)]} +
                                  length[fabric.peer(fabric.terminal_channel(b))];
        ends = std::min(ends, own);
        const Switch from = fabric.leaf(a);
        const Switch to = fabric.leaf(b);
        if (from == kNone<Switch> || to == kNone<Switch> || far.at(from)[index(to)] == kNoPath) {
          continue;
        }
        least = std::min(least, own + far.at(from)[index(to)]);
      }
    }
    return least == kNoPath ? ends : least;
  };
  __int128 travelled = 0;
  for (const Flow& flow : traffic.flows) {
    travelled += static_cast<__int128>(flow.units) *
                 static_cast<std::int64_t>(distance(flow.source, flow.destination));
  }
  __int128 room = 0;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    room += static_cast<__int128>(length[c]) * speeds.speed(c);
  }
  // travelled / units_in_one * usual / room >= bound, in whole numbers as far as they fit; beyond
  // that in long doubles.
  const long double left = static_cast<long double>(travelled) *
                           static_cast<long double>(speeds.usual()) *
                           static_cast<long double>(bound.den());
  const long double right = static_cast<long double>(room) *
                            static_cast<long double>(traffic.units_in_one) *
                            static_cast<long double>(bound.num());
  constexpr long double kExact = 1e36L;
  if (left < kExact && right < kExact) {
    return travelled * speeds.usual() * bound.den() >= room * traffic.units_in_one * bound.num();
  }
  return left >= right * (1 + 1e-15L);
}

}  // namespace fatwood::oracle
