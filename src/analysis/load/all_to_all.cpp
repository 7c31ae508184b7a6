// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/load/all_to_all.hpp"

namespace fatwood {

MostLoaded::MostLoaded(const Model& model, std::uint64_t units_in_one)
    : speeds_(model.speeds()), units_in_one_(static_cast<std::int64_t>(units_in_one)) {
  const Fabric& fabric = model.fabric();
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || !fabric.is_switch(fabric.owner(c))) continue;
    const Channel there = fabric.peer(c);
    const bool counts =
        fabric.is_switch(fabric.neighbour(c)) || model.adapters().sends(fabric.terminal_at(there));
    if (counts && gigabits(fabric.rate(c)) <= 0) rates_known_ = false;
  }
}

Fraction MostLoaded::load(Channel c, std::int64_t flows) const {
  return Fraction(flows, units_in_one_) * Fraction(speeds_.usual(), speeds_.speed(c));
}

AllToAllLoad MostLoaded::result(Channel c, std::int64_t flows, std::int64_t peers) const {
  AllToAllLoad result{.mload = load(c, flows), .most_loaded = c};
  if (rates_known_ && flows > 0) {
    const Fraction rate = Fraction(peers, units_in_one_) / result.mload;
    result.gigabits = speeds_.usual_gigabits() * rate.value();
  }
  return result;
}

AllToAllLoad all_to_all_load(const Model& model, const ChannelUse& use) {
  return all_to_all_load(model, use.flows, use.units_in_one);
}

AllToAllLoad all_to_all_load(const Model& model, const Routing& routing, int threads) {
  return all_to_all_load(model, find_channel_use(model, routing, threads));
}

}  // namespace fatwood
