// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Follows all choices of adaptive tables for packets to one destination: the graph of all ports
// that the switches may use.
//
// A switch *arrives* if every choice on every hop leads to the destination: it has a port, and all
// its ports lead to switches that arrive. It arrives *sometimes* if some choices do, *never* if
// none does. A packet does not leave by the port that it came by, unless the entry has no other, or
// the routing says that packets may return (Routing::may_return).
//
// Method: a depth-first search over switches. Usually all switches arrive, and the search ends
// here. Otherwise a second, exact search over (switch, port of arrival) examines the other switches
// and finds loops (Tarjan's strongly connected components).
// Result: order() lists the switches that arrive by the first search, each after all switches that
// it may send to.
// Cost: O(ports of all entries of the destination); at worst that times the ports of a switch.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/tables/routing.hpp"
#include "topology/graph/hop_map.hpp"

namespace fatwood {

enum class Fate : std::uint8_t { kArrives, kSometimes, kNever };

class ChoiceWalk {
 public:
  // All must outlive the walk.
  ChoiceWalk(const Fabric& fabric, const HopMap& map, const Routing& routing);

  // Examines another destination. REQUIRES a routing of this fabric's size.
  void follow(Destination destination);

  Switch home() const { return home_; }  // kNone: the destination has no switch
  Fate fate(std::uint32_t s) const { return fate_[s]; }
  bool home_arrives() const {
    return home_ != kNone<Switch> && fate_[index(home_)] == Fate::kArrives;
  }
  bool all_arrive() const { return order_.size() == fate_.size(); }
  std::span<const std::uint32_t> order() const { return order_; }
  // Hops of the longest and the shortest choice of a switch that arrives.
  std::uint32_t most(std::uint32_t s) const { return most_[s]; }
  std::uint32_t fewest(std::uint32_t s) const { return fewest_[s]; }

  std::span<const Port> ports(std::uint32_t s) const { return ports_[s]; }
  Hop hop(std::uint32_t s, Port port) const { return map_.at(s, port); }
  // Whether this port hands the packet to its destination.
  bool delivers(std::uint32_t s, Port port) const { return s == index(home_) && port == delivers_; }

  // Loops in which some choice stays forever: the switches of a shortest one per component.
  std::span<const std::vector<Switch>> loops() const { return loops_; }

 private:
  void search();
  void search_from(std::uint32_t start);
  class Exact;  // the second search

  struct Frame {
    std::uint32_t at;
    std::uint32_t next_port;
    bool good;
    std::uint32_t most, fewest;
  };
  enum State : std::uint8_t { kUnknown, kOnPath, kGood, kBad };
  struct Node {                // (switch, port of arrival) in the second search
    std::uint32_t number = 0;  // in order of discovery, from 1
    std::uint32_t low = 0;
    bool on_stack = false;
    Fate fate = Fate::kNever;
    std::uint32_t most = 0, fewest = 0;
  };

  const Fabric& fabric_;
  const HopMap& map_;
  const Routing& routing_;
  Switch home_ = kNone<Switch>;
  Port delivers_ = kOwnPort;
  std::vector<std::span<const Port>> ports_;
  std::vector<State> state_;
  std::vector<Fate> fate_;
  std::vector<std::uint32_t> most_, fewest_, order_;
  std::vector<Frame> path_;
  // For the second search.
  std::vector<std::uint32_t> slot_;   // by switch: slot of its port 0; and the end
  std::vector<std::uint32_t> owner_;  // by slot: the switch
  std::vector<Node> node_;            // by slot
  std::vector<std::vector<Switch>> loops_;
};

}  // namespace fatwood
