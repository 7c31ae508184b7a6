// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The cost of losing cables or a switch if the tables are adaptive. The figures are those of
// fault_cost.hpp, without permutations.
//
// A switch stops using a port without a link by itself. Only two kinds of entries must be written:
// groups with a port to a switch that no longer reaches the destination, and entries whose default
// port is lost. Groups only shrink (kept_choices.hpp), so every mixture of old and new entries is a
// part of the old choices: if these cannot deadlock, any order of writing is safe.
//
// Method: for each class of destinations (destination_classes.hpp), the flow that arrives at each
// switch is known.
// 1. Away from the destination, starting at the lost cables: find the entries that lose ports. If
//    an entry has no port left, the groups that lead to its switch lose that port, and so on.
// 2. Back towards the destination: each switch divides its flow again among the ports that are left
//    (even_split.hpp), and the difference is added to the next switches.
// Flows are rounded to 2^-20 of a flow. Cost: the ports of the switches that change, for each class
// and fault, in parallel over faults; memory: 12 bytes for each class and switch.

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/faults/fault_cost.hpp"
#include "routing/adaptive/destination_classes.hpp"

namespace fatwood {

// All-to-all over adaptive tables, by class of destinations.
struct StandingChoices {
  // The model and the routing must outlive it. REQUIRES adaptive tables.
  StandingChoices(const Model& on, const Routing& tables, int threads);

  static constexpr std::uint32_t kNowhere = 0xffffffffU;
  std::size_t at(std::size_t c, Switch s) const {
    return c * model.fabric().num_switches() + index(s);
  }
  std::span<const Port> ports(std::size_t c, Switch s) const {
    return routing.ports(s, classes.of(c).front());
  }
  Switch home(std::size_t c) const {
    return home_of(model.fabric(), routing.tables, classes.of(c).front());
  }
  // Whether this port hands packets to the first destination of the class.
  bool delivers(std::size_t c, Switch s, Port port) const {
    return s == home(c) && port == own_port(model.fabric(), routing.tables, classes.of(c).front());
  }

  const Model& model;
  const Routing& routing;
  FlowSources sources;
  DestinationClasses classes;
  std::int64_t units;  // units that a unit of the sources is divided into
  std::vector<std::vector<Destination>> of_hosts;  // by class: addresses of hosts that count
  std::vector<std::int64_t> arriving;              // [class][switch]: flow
  std::vector<std::uint32_t> place;                // [class][switch]: in the order of ChoiceWalk
  Table<Channel, std::int64_t> flows;              // host links included
  MostLoaded most;
  std::vector<Channel> order;  // the most loaded first
  std::int64_t peers = 0;      // most_peers()
};

class ChoiceCosts {
 public:
  // All arguments must outlive this. REQUIRES adaptive tables. `old_is_free`: whether these are
  // free of deadlock.
  ChoiceCosts(const Model& model, const Routing& routing, const Lids& lids, bool old_is_free,
              int threads = 0);

  FaultCost now() const;
  std::vector<FaultCost> of(std::span<const Fault> faults, const Progress& progress = {},
                            const WorkShare& share = {}) const;

 private:
  const Lids& lids_;
  Safety safety_;  // of writing groups that only shrink
  int threads_;
  StandingChoices standing_;
  LostPairs lost_;
};

}  // namespace fatwood
