// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The load of each channel if adaptive switches spread traffic evenly over the ports of an entry.
// This is the exact mean for packets that choose by load or by hash.
//
// Method: for each class of destinations (destination_classes.hpp), the traffic enters at the
// switches of the sources and follows the order of ChoiceWalk. Each switch divides what arrives by
// its number of ports. Amounts are integers: a flow has L units, where L is a common multiple of
// all products of divisions, so nothing is rounded. If L does not fit 62 bits, a flow has 2^20
// units, and shares are rounded (LinkLoads::exact). An adapter with several ports or addresses
// sends equal shares.
// Cost: O(flows + ports of all entries of the classes used).

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/load/link_load.hpp"
#include "routing/adaptive/choice_walk.hpp"
#include "topology/flow_sources.hpp"

namespace fatwood {

inline constexpr std::int64_t kMostUnits = std::int64_t{1} << 62;

// PromiseError, with the pair, if some choice loses its packets. std::overflow_error if the amounts
// of the traffic do not fit 62 bits.
LinkLoads even_split_loads(const Model& model, const Routing& routing, const Traffic& traffic,
                           int threads = 0);

// The same for one destination at a time.
class EvenSplit {
 public:
  // Both must outlive it.
  EvenSplit(const Model& model, const Routing& routing);

  const ChoiceWalk& follow(Destination destination);
  // A common multiple of all products of port numbers on paths from the switches with 1 in `units`
  // (all others have 0); 0 if none fits 62 bits.
  std::int64_t divisions(std::vector<std::int64_t> units) const;
  // Given the amounts that enter at each switch, calls visit(channel, amount) for the load of each
  // channel between switches. Exact for multiples of divisions(). REQUIRES that these switches
  // arrive.
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

// All-to-all: those of these destinations that belong to counted adapters on a switch.
std::vector<Destination> counted_destinations(const Model& model, const ForwardingTables& tables,
                                              std::span<const Destination> destinations);
// The input of each switch for such destinations of one class, in the units of the sources. Those
// of a kind get the same: calls visit(kind, number of destinations, input for each).
template <class Visit>
std::vector<std::int64_t> all_to_all_input(const FlowSources& sources,
                                           const ForwardingTables& tables,
                                           std::span<const Destination> destinations,
                                           const ChoiceWalk& walk, const Visit& visit) {
  std::vector<std::int64_t> amount(tables.num_switches());
  std::vector<std::int64_t> number(sources.num_kinds());
  for (const Destination to : destinations) ++number[sources.kind(tables.terminal(to))];
  for (const Destination destination : destinations) {
    const Terminal to = tables.terminal(destination);
    const std::uint32_t kind = sources.kind(to);
    const std::int64_t n = std::exchange(number[kind], 0);
    if (n == 0) continue;
    std::int64_t each = 0;
    for (const std::uint32_t s : walk.order()) {
      const auto sent = static_cast<std::int64_t>(sources.on(to)[static_cast<Switch>(s)]);
      amount[s] += n * sent;
      each += sent;
    }
    if (walk.home_arrives()) {
      const auto own = static_cast<std::int64_t>(sources.from_itself(to));
      amount[index(walk.home())] -= n * own;
      each -= own;
    }
    visit(kind, static_cast<std::uint64_t>(n), each);
  }
  return amount;
}
inline std::vector<std::int64_t> all_to_all_input(const FlowSources& sources,
                                                  const ForwardingTables& tables,
                                                  std::span<const Destination> destinations,
                                                  const ChoiceWalk& walk) {
  return all_to_all_input(sources, tables, destinations, walk,
                          [](std::uint32_t, std::uint64_t, std::int64_t) {});
}

inline constexpr std::int64_t kRoundedUnits = std::int64_t{1} << 20;
// A common multiple of of(item, split) for all items, in parallel; 0 if none fits 62 bits.
std::int64_t find_divisions(std::size_t items, int threads, const EvenSplit& split,
                            const std::function<std::int64_t(std::size_t, EvenSplit&)>& of);

// A port of the source and an address of the destination. A flow is shared equally by all of them.
struct PortPath {
  Terminal from;
  Destination to;
};
// The port paths of a flow that cables connect.
std::vector<PortPath> port_paths(const Model& model, const Routing& routing, const Flow& flow);

}  // namespace fatwood
