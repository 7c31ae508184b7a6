// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The load that a traffic puts on each channel when adaptive switches spread what comes to them
// evenly over the ports of an entry: the mean of packets chosen by load or by hash, exactly.
//
// Method: what flows send to the destinations of a class (destination_classes.hpp) enters at the
// sources' switches and goes along ChoiceWalk's order, divided at each switch by its number of
// ports. Counted in whole units: 1/L of a flow's unit, where L is a common multiple of all products
// of divisions met, so that nothing is rounded. A host with several ports or addresses sends to all
// in equal shares. Cost: O(flows + ports of all entries of the classes met).

#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "analysis/load/link_load.hpp"
#include "routing/adaptive/choice_walk.hpp"

namespace fatwood {

inline constexpr std::int64_t kMostUnits = std::int64_t{1} << 62;

// PromiseError naming the pair when some choice loses its packets. std::overflow_error when the
// traffic's amounts do not fit 62 bits.
LinkLoads even_split_loads(const Model& model, const Routing& routing, const Traffic& traffic,
                           int threads = 0);

// The same, destination by destination.
class EvenSplit {
 public:
  // Both must outlive it.
  EvenSplit(const Model& model, const Routing& routing);

  const ChoiceWalk& follow(Destination destination);
  // A common multiple of all products of numbers of ports, from switches marked 1 on (the rest of
  // `units` is 0); 0 when none fits 62 bits.
  std::int64_t divisions(std::vector<std::int64_t> units) const;
  // Calls visit(channel, amount) for what the amounts that enter at each switch put on channels
  // between switches. Exact for multiples of divisions(). REQUIRES that these switches arrive.
  template <class Visit>
  void spread(std::vector<std::int64_t> amount, const Visit& visit) const {
    const std::span<const std::uint32_t> order = walk_.order();
    for (std::size_t i = order.size(); i-- > 0;) {
      const std::uint32_t s = order[i];
      if (amount[s] == 0) continue;
      const std::span<const Port> ports = walk_.ports(s);
      const auto [share, left] = std::div(amount[s], static_cast<std::int64_t>(ports.size()));
      for (std::size_t k = 0; k < ports.size(); ++k) {
        if (walk_.delivers(s, ports[k])) continue;
        const std::int64_t mine = share + (static_cast<std::int64_t>(k) < left ? 1 : 0);
        visit(fabric_.channel(fabric_.node(static_cast<Switch>(s)), ports[k]), mine);
        amount[walk_.hop(s, ports[k]).next()] += mine;
      }
    }
  }

 private:
  const Fabric& fabric_;
  ChoiceWalk walk_;
};

inline constexpr std::int64_t kRoundedUnits = std::int64_t{1} << 20;
// A common multiple that, times `total`, fits 62 bits; else 0.
std::int64_t common_division(std::span<const std::int64_t> divisions, std::int64_t total);

// A pair of ports that a flow uses, and the address there; a flow is shared by all of them equally.
struct PortPath {
  Terminal from;
  Destination to;
};
// Those that cables join.
std::vector<PortPath> port_paths(const Model& model, const Routing& routing, const Flow& flow);

}  // namespace fatwood
