// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The channel dependency graph of one lane: channel a depends on channel b if some packet can hold
// a and wait for b ([Dally87]; [Chiu02], Theorem 1).
//
// Packets: from every terminal and, unless asked otherwise, every switch (its port 0) to every
// destination, along the tables, as far as they lead. A packet that is lost on its path holds
// channels too. Vertices: channels between switches. No channel depends on a channel out of an
// adapter, and a channel into an adapter or a switch's own port depends on nothing. So neither is
// in a cycle, and the graph leaves them out.
//
// Adaptive tables: a packet may take any port of an entry (Routing::ports), so the graph is the
// union over all choices. If it has no cycle, no choice can deadlock. The converse does not hold if
// a waiting packet may choose again (some_choice.hpp). A packet does not leave by the port that it
// came by, unless the group has no other.
//
// Encoding: for each switch port, a bit set of the ports by which packets that arrive there leave;
// one word per port on switches of up to 63 ports (ft(48,3): 1.1 MB).
// If packets change lanes (changing_lanes.hpp), one graph covers all lanes: each port has a vertex
// and a bit per lane.
// Cost: O(destinations * switches * lanes), in parallel over destinations. On one lane, where every
// switch sends: row_dependencies.hpp.
// Adaptive: O(ports of all entries of one destination per class), destination_classes.hpp.

#include <bit>
#include <cstdint>
#include <vector>

#include "routing/adaptive/port_mask.hpp"
#include "routing/repair/dependency_counts.hpp"
#include "verify/deadlock/senders.hpp"

namespace fatwood {

class DependencyGraph {
 public:
  // lanes: number of lanes that packets change between; 1 for the graph of a single lane.
  explicit DependencyGraph(const Fabric& fabric, std::uint32_t lanes = 1);

  // Vertices [0, size()) are the channels of switches, in order of channel, then lane. A vertex
  // whose channel leads to no switch has no edges.
  std::uint32_t size() const { return slots_; }
  Channel channel(std::uint32_t vertex) const {
    return static_cast<Channel>(base_ + vertex / lanes_);
  }
  std::uint32_t lane(std::uint32_t vertex) const { return vertex % lanes_; }
  std::uint32_t vertex(Channel c, std::uint32_t lane = 0) const {
    return (index(c) - base_) * lanes_ + lane;
  }

  // Packets that arrive at this port slot (numbered like vertices) leave by this port. With several
  // lanes, out_port is port * lanes + lane.
  void add(std::uint32_t arrival, std::uint32_t out_port) {
    std::uint64_t& word = words_[std::size_t{arrival} * stride_ + out_port / 64];
    const std::uint64_t bit = std::uint64_t{1} << (out_port % 64);
    if ((word & bit) == 0) word |= bit;  // most bits are set already: avoid the write
  }
  // The same for several ports. REQUIRES one lane.
  void add(std::uint32_t arrival, const PortMask& out_ports) {
    std::uint64_t* words = words_.data() + std::size_t{arrival} * stride_;
    for (std::uint32_t w = 0; w < stride_; ++w) {
      if ((out_ports[w] & ~words[w]) != 0) words[w] |= out_ports[w];
    }
  }
  // Whether packets that arrive at this port slot leave by this port.
  bool leaves_by(std::uint32_t arrival, std::uint32_t out_port) const {
    return (words_[std::size_t{arrival} * stride_ + out_port / 64] >> (out_port % 64) & 1) != 0;
  }
  void merge(const DependencyGraph& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }

  bool depends(std::uint32_t from, std::uint32_t on) const;
  std::uint64_t edges() const;

  // Calls visit(successor) for each channel that `vertex` depends on, in order of ports.
  template <class Visit>
  void for_each_successor(std::uint32_t vertex, const Visit& visit) const {
    const std::uint32_t arrival = arrival_[vertex];
    if (arrival == kNowhere) return;
    const std::uint64_t* words = words_.data() + std::size_t{arrival} * stride_;
    for (std::uint32_t w = 0; w < stride_; ++w) {
      for (std::uint64_t word = words[w]; word != 0; word &= word - 1) {
        visit(first_of_[arrival] + w * 64 + static_cast<std::uint32_t>(std::countr_zero(word)));
      }
    }
  }

  friend bool operator==(const DependencyGraph&, const DependencyGraph&) = default;

 private:
  static constexpr std::uint32_t kNowhere = 0xffffffffU;
  std::uint32_t base_ = 0;  // first channel of a switch
  std::uint32_t lanes_ = 1;
  std::uint32_t slots_ = 0;  // switch ports, port 0 included, times lanes
  std::uint32_t stride_ = 1;
  std::vector<std::uint32_t> arrival_;   // by vertex: the slot at the other end
  std::vector<std::uint32_t> first_of_;  // by slot: slot 0 of its switch
  std::vector<std::uint64_t> words_;     // [slot][word]
};

// The graph of tables on one VL, from the dependencies that their rows have.
DependencyGraph graph_of(const Fabric& fabric, const DependencyCounts& counts);

// One graph per lane. REQUIRES a routing of this fabric's size (check_size).
std::vector<DependencyGraph> find_dependencies(const Fabric& fabric, const Routing& routing,
                                               Sources sources = Sources::kAll, int threads = 0);

}  // namespace fatwood
