// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The choices of adaptive tables for packets to one destination: the graph of all ports that each
// switch may take, whatever it chooses from.
//
// A switch *arrives* when every choice on every hop ends at the destination: it has a port, and all
// its ports lead to switches that arrive. It arrives *sometimes* when some choices do, *never* when
// none does. A packet that came by a port of a group does not go back by it, unless the entry has
// no other port.
//
// Method: a depth-first search over switches. Where all arrive, as they should, that is all; else a
// second search over (switch, port of arrival) of the other switches looks again, exactly, and
// finds the circles (Tarjan's components). Encoding: order() has the switches that arrive by the
// first search, each after all that it may send to. Cost: O(ports of all entries of the
// destination); at worst that times the ports of a switch.

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

  // Replaces what the walk holds by the destination's. REQUIRES a routing of this fabric's size.
  void follow(Destination destination);

  Switch home() const { return home_; }  // kNone: the destination hangs on no switch
  Fate fate(std::uint32_t s) const { return fate_[s]; }
  bool all_arrive() const { return order_.size() == fate_.size(); }
  std::span<const std::uint32_t> order() const { return order_; }
  // Hops of the longest and the shortest choice of a switch that arrives.
  std::uint32_t most(std::uint32_t s) const { return most_[s]; }
  std::uint32_t fewest(std::uint32_t s) const { return fewest_[s]; }

  std::span<const Port> ports(std::uint32_t s) const { return ports_[s]; }
  Hop hop(std::uint32_t s, Port port) const { return map_.at(s, port); }
  // Whether this port hands the packet to its destination.
  bool delivers(std::uint32_t s, Port port) const { return s == index(home_) && port == delivers_; }

  // Circles that some choice stays in for ever: a shortest one of each component, its switches.
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
  struct Node {                // of the second search: (switch, port of arrival)
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
  std::vector<std::uint32_t> slot_;   // of (switch, port 0), and the end
  std::vector<std::uint32_t> owner_;  // switch of a slot
  std::vector<Node> node_;            // by slot
  std::vector<std::vector<Switch>> loops_;
};

}  // namespace fatwood
