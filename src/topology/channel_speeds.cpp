// SPDX-License-Identifier: BSD-3-Clause
#include "topology/channel_speeds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "topology/change/fabric_change.hpp"

namespace fatwood {

namespace {

constexpr double kMega = 1000;  // of a gigabit

std::int64_t megabits(Rate rate) { return std::llround(kMega * gigabits(rate)); }

// A rate of the usual speed. REQUIRES that some rate is known.
Rate rate_of_adapters(const Fabric& fabric, const ChannelSpeeds& speeds) {
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || fabric.is_switch(fabric.owner(c))) continue;
    if (gigabits(fabric.rate(c)) == speeds.usual_gigabits()) return fabric.rate(c);
  }
  return kDefaultRate;
}

}  // namespace

ChannelSpeeds::ChannelSpeeds(const Fabric& fabric) : speed_(fabric.num_channels(), 0) {
  std::map<std::int64_t, std::size_t> adapters;  // by rate
  std::int64_t unit = 0;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c)) continue;
    speed_[c] = megabits(fabric.rate(c));
    unit = std::gcd(unit, speed_[c]);
    if (speed_[c] > 0 && !fabric.is_switch(fabric.owner(c))) ++adapters[speed_[c]];
  }
  std::size_t most = 0;
  std::int64_t usual = 0;
  for (const auto& [rate, count] : adapters) {  // slower ones first
    if (count < most) continue;
    most = count;
    usual = rate;
  }
  if (usual == 0) {
    std::ranges::fill(speed_, 1);
    return;
  }
  usual_gigabits_ = static_cast<double>(usual) / kMega;
  usual_ = usual / unit;
  common_ = usual_;
  for (std::int64_t& speed : speed_) {
    speed = speed == 0 ? usual_ : speed / unit;
    if (speed != usual_) uniform_ = false;
    common_ = std::lcm(common_, speed);
  }
}

bool is_ethernet(const Fabric& fabric) {
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (fabric.connected(c) && is_ethernet(fabric.rate(c))) return true;
  }
  return false;
}

Fabric with_equal_speeds(const Fabric& fabric) {
  const ChannelSpeeds speeds(fabric);
  if (speeds.uniform()) return fabric;
  const Rate rate = rate_of_adapters(fabric, speeds);
  FabricChange change(fabric);
  std::ranges::fill(change.rate, rate);
  return changed(fabric, change);
}

}  // namespace fatwood
