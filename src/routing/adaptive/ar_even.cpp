// SPDX-License-Identifier: BSD-3-Clause
// ar_even: ar_updn with groups cut so that adaptive all-to-all is evener where cables are missing.
//
// Problem: a switch spreads evenly over a group, but behind its ports there are not as many cables
// any more; what lies behind the poorer ones is too full. (What NVIDIA calls asymmetric trees.)
// Method: a search in rounds from ar_updn's groups. The load of each channel when every host that
// counts sends 1 to every other, split evenly; a price that rises steeply with the load; for each
// (switch, destination) the mean price of the way by each port. In one entry of eight, another
// eighth each round, the dearest port is cut from its group, or a port that was cut is put back if
// it is cheaper than the mean. The groups with the least most loaded channel of all rounds are
// taken: never worse than ar_updn, and every group a part of ar_updn's, so that its proofs hold.
// Result: tables and port sets on one lane. Loads are whole numbers of 2^-20 of a flow, so that the
// order of adding does not matter. Cost: O(rounds * switches * cables), of 60 rounds or fewer on
// large fabrics.

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/parallel.hpp"
#include "routing/adaptive/least_hop_groups.hpp"
#include "routing/engine_list.hpp"
#include "routing/graph/turn_order.hpp"
#include "routing/shortest/balance.hpp"
#include "routing/shortest/up_down.hpp"

namespace fatwood {

namespace {

constexpr std::int64_t kUnits = std::int64_t{1} << 20;  // in a flow
constexpr unsigned kMostRounds = 60;
constexpr unsigned kParts = 8;     // of the entries, one of which is looked at in a round
constexpr double kSteepness = 12;  // of the price
constexpr double kMargin = 1.05;   // a port is cut when it is so much dearer than the mean
constexpr double kWork = 4e9;      // entries' ports looked at, in all rounds

struct Change {
  std::uint32_t s;
  PortMask mask;
};

class EvenSearch {
 public:
  EvenSearch(const Model& model, const PortGraph& graph, const std::vector<std::uint16_t>& distance,
             const ForwardingTables& tables, int threads)
      : fabric_(model.fabric()),
        map_(model.hop_map()),
        switches_(graph.switches),
        distance_(distance),
        tables_(tables),
        threads_(threads),
        on_(graph.switches),
        full_(least_hop_table(graph, distance, threads)) {
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      const Switch leaf = fabric_.leaf(t);
      if (leaf != kNone<Switch> && model.counted()[t] != 0) ++on_[index(leaf)];
    }
  }

  GroupTable run() {
    GroupTable now = full_;
    GroupTable best = now;
    std::vector<std::int64_t> loads = loads_of(now);
    std::int64_t least = *std::ranges::max_element(loads);
    for (unsigned round = 0; least > 0 && round < rounds(); ++round) {
      if (!improve(now, loads, round)) continue;
      loads = loads_of(now);
      const std::int64_t most = *std::ranges::max_element(loads);
      if (most >= least) continue;
      least = most;
      best = now;
    }
    return without_unused(best);
  }

 private:
  // Sets that only other rounds had are left out.
  GroupTable without_unused(const GroupTable& table) const {
    GroupTable used{std::vector<std::vector<PortMask>>(switches_, {PortMask{}}),
                    std::vector<std::uint16_t>(table.number.size())};
    for (std::size_t d = 0; d < switches_; ++d) {
      for (std::size_t s = 0; s < switches_; ++s) {
        const std::uint16_t number = table.number[d * switches_ + s];
        if (number == 0) continue;
        used.number[d * switches_ + s] = used.number_of(s, table.sets[s][number]);
      }
    }
    return used;
  }

  unsigned rounds() const {
    const double work =
        static_cast<double>(switches_) * static_cast<double>(fabric_.num_channels());
    return static_cast<unsigned>(std::clamp(kWork / work, 4.0, double{kMostRounds}));
  }

  // Calls visit(port) for the ports of an entry.
  template <class Visit>
  void each_port(const GroupTable& table, std::size_t d, std::size_t s, const Visit& visit) const {
    const std::uint16_t number = table.number[d * switches_ + s];
    if (number == 0) {
      const Port own =
          tables_.at(tables_.destination(static_cast<Switch>(d)), static_cast<Switch>(s));
      if (own != kNoRoute && own != kOwnPort) visit(own);
      return;
    }
    fatwood::each_port(table.sets[s][number], visit);
  }
  std::size_t channel(std::size_t s, Port port) const {
    return index(fabric_.channel(fabric_.node(static_cast<Switch>(s)), port));
  }

  // Switches that reach d, nearest first.
  std::vector<std::uint32_t> order(std::size_t d) const {
    std::vector<std::uint32_t> order;
    const std::uint16_t* row = distance_.data() + d * switches_;
    const auto left = [&](std::uint32_t s) { return row[s] & ~kUpward; };
    for (std::uint32_t s = 0; s < switches_; ++s) {
      if (s != d && left(s) != kFar) order.push_back(s);
    }
    std::ranges::stable_sort(order, {}, left);
    return order;
  }

  // What comes to each switch for d; calls visit(channel, amount) for what goes on.
  template <class Visit>
  std::vector<std::int64_t> spread(const GroupTable& table, std::size_t d,
                                   const std::vector<std::uint32_t>& order,
                                   const Visit& visit) const {
    std::vector<std::int64_t> amount(switches_);
    for (const std::uint32_t s : order) amount[s] = on_[s] * on_[d] * kUnits;
    for (std::size_t i = order.size(); i-- > 0;) {
      const std::uint32_t s = order[i];
      if (amount[s] == 0) continue;
      std::int64_t ports = 0;
      each_port(table, d, s, [&](Port) { ++ports; });
      each_port(table, d, s, [&](Port port) {
        const std::int64_t share = amount[s] / ports;
        visit(channel(s, port), share);
        amount[map_.at(s, port).next()] += share;
      });
    }
    return amount;
  }

  std::vector<std::int64_t> loads_of(const GroupTable& table) const {
    std::vector<std::vector<std::int64_t>> part(static_cast<std::size_t>(thread_count(threads_)),
                                                std::vector<std::int64_t>(fabric_.num_channels()));
    parallel_for(switches_, threads_, [&](std::size_t d, int thread) {
      if (on_[d] == 0) return;
      std::vector<std::int64_t>& loads = part[static_cast<std::size_t>(thread)];
      spread(table, d, order(d), [&](std::size_t c, std::int64_t share) { loads[c] += share; });
    });
    for (std::size_t w = 1; w < part.size(); ++w) {
      for (std::size_t c = 0; c < part[0].size(); ++c) part[0][c] += part[w][c];
    }
    return std::move(part.front());
  }

  // Cuts and puts back ports; false when nothing changed.
  bool improve(GroupTable& table, const std::vector<std::int64_t>& loads, unsigned round) const {
    const auto most = static_cast<double>(*std::ranges::max_element(loads));
    std::vector<double> price(loads.size());
    for (std::size_t c = 0; c < loads.size(); ++c) {
      price[c] = std::pow(static_cast<double>(loads[c]) / most, kSteepness);
    }
    std::vector<std::vector<Change>> changes(switches_);
    parallel_for(switches_, threads_, [&](std::size_t d, int) {
      if (on_[d] > 0) changes[d] = changes_for(table, d, price, round);
    });
    bool any = false;
    for (std::size_t d = 0; d < switches_; ++d) {
      for (const Change& change : changes[d]) {
        table.number[d * switches_ + change.s] = table.number_of(change.s, change.mask);
        any = true;
      }
    }
    return any;
  }

  std::vector<Change> changes_for(const GroupTable& table, std::size_t d,
                                  const std::vector<double>& price, unsigned round) const {
    std::vector<Change> changes;
    std::vector<double> value(switches_);  // mean price of the way to d
    for (const std::uint32_t s : order(d)) {
      const auto cost = [&](Port port) {
        return price[channel(s, port)] + value[map_.at(s, port).next()];
      };
      double sum = 0;
      int ports = 0;
      each_port(table, d, s, [&](Port port) {
        sum += cost(port);
        ++ports;
      });
      if (ports == 0) continue;
      value[s] = sum / ports;
      const std::uint16_t whole = full_.number[d * switches_ + s];
      if (whole == 0 || (d * 31 + s * 17 + round) % kParts != 0) continue;
      const PortMask now = table.sets[s][table.number[d * switches_ + s]];
      if (const auto mask = changed(now, full_.sets[s][whole], value[s], cost)) {
        changes.push_back({s, *mask});
      }
    }
    return changes;
  }

  // The dearest port gone, or the cheapest that was cut put back.
  template <class Cost>
  static std::optional<PortMask> changed(const PortMask& now, const PortMask& whole, double mean,
                                         const Cost& cost) {
    std::optional<Port> dearest;
    std::optional<Port> cheapest;
    fatwood::each_port(whole, [&](Port port) {
      if (has(now, port)) {
        if (!dearest || cost(port) > cost(*dearest)) dearest = port;
      } else if (!cheapest || cost(port) < cost(*cheapest)) {
        cheapest = port;
      }
    });
    PortMask mask = now;
    if (cheapest && cost(*cheapest) * kMargin < mean) {
      put(mask, *cheapest);
      return mask;
    }
    if (count_ports(now) < 2 || cost(*dearest) < mean * kMargin) return std::nullopt;
    drop(mask, *dearest);
    return mask;
  }

  const Fabric& fabric_;
  const HopMap& map_;
  std::size_t switches_;
  const std::vector<std::uint16_t>& distance_;
  const ForwardingTables& tables_;
  int threads_;
  std::vector<std::int64_t> on_;  // hosts that count, by switch
  GroupTable full_;               // ar_updn's
};

// A default port that was cut gives way to another of the group, by turns.
void keep_defaults_in_groups(const Fabric& fabric, const GroupTable& table,
                             ForwardingTables& tables) {
  const std::size_t switches = fabric.num_switches();
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const Switch home = home_of(fabric, tables, destination);
    if (home == kNone<Switch>) continue;
    for (std::size_t s = 0; s < switches; ++s) {
      const std::uint16_t number = table.number[index(home) * switches + s];
      Port& own = tables.row(destination)[s];
      if (number == 0 || has(table.sets[s][number], own)) continue;
      const PortMask& mask = table.sets[s][number];
      auto skip = static_cast<int>(index(destination)) % count_ports(mask);
      each_port(mask, [&](Port port) {
        if (skip-- == 0) own = port;
      });
    }
  }
}

}  // namespace

Routing route_ar_even(const Model& model, const RouteOptions& options) {
  const Position position = updn_order(model, options);
  const PortGraph graph = order_groups(model.port_graph(), position);
  const std::vector<std::uint16_t> distance = legal_distances(graph, position, options.threads);
  Routing routing;
  routing.engine = "ar_even";
  routing.tables = balance(model, graph, distance, options);
  if (graph.switches == 0) return routing;
  const GroupTable table =
      EvenSearch(model, graph, distance, routing.tables, options.threads).run();
  keep_defaults_in_groups(model.fabric(), table, routing.tables);
  routing.sets = sets_of(model.fabric(), table, routing.tables, routing.engine, options);
  return routing;
}

}  // namespace fatwood
