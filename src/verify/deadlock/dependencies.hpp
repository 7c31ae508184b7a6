// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The channel dependency graph of one lane: channel a depends on channel b when some packet, on its
// way, holds a and wants b ([Dally87]; [Chiu02], Theorem 1).
//
// Packets are those that occur: from every terminal and every switch (its port 0) to every
// destination, along the tables, as far as they lead (a packet that gets lost holds channels too).
// Channels out of an adapter wait for others, but none waits for them, and channels into an
// adapter or into a switch's own port wait for nothing: neither is ever in a cycle, and the graph
// leaves them out.
//
// Adaptive tables: a packet may take any port of each entry (Routing::ports), so this is the union
// of what all choices make packets wait for; a graph without a cycle is proof for every choice
// (Dally and Seitz carried over; sufficient, not necessary, for ports chosen again while waiting).
// A packet that came by a port of a group does not go back by it, unless there is no other.
//
// Encoding: for each switch port, the set of that switch's ports by which packets that arrive
// there go on, as bits; one word a port on switches of up to 63 ports (ft(48,3): 1.1 MB).
// If routes change lanes on their way (changing_lanes.hpp), there is one graph of all lanes: a
// vertex and a bit for each lane of each port.
// Cost: O(destinations * switches), in parallel over destinations; with lanes O(that * lanes).
// Adaptive: O(ports of all entries of one destination of each class), destination_classes.hpp.

#include <bit>
#include <cstdint>
#include <vector>

#include "routing/adaptive/port_mask.hpp"
#include "verify/deadlock/senders.hpp"

namespace fatwood {

class DependencyGraph {
 public:
  // lanes: that routes change between; 1 for the graph of a single lane.
  explicit DependencyGraph(const Fabric& fabric, std::uint32_t lanes = 1);

  // Channels of switches have vertices [0, size()), in order of channels and lanes; a vertex that
  // leads to no switch has no edges.
  std::uint32_t size() const { return slots_; }
  Channel channel(std::uint32_t vertex) const {
    return static_cast<Channel>(base_ + vertex / lanes_);
  }
  std::uint32_t lane(std::uint32_t vertex) const { return vertex % lanes_; }
  std::uint32_t vertex(Channel c, std::uint32_t lane = 0) const {
    return (index(c) - base_) * lanes_ + lane;
  }

  // Packets that arrive at this port slot (numbered like vertices) go on by this port; with lanes,
  // number port * lanes + lane.
  void add(std::uint32_t arrival, std::uint32_t out_port) {
    std::uint64_t& word = words_[std::size_t{arrival} * stride_ + out_port / 64];
    const std::uint64_t bit = std::uint64_t{1} << (out_port % 64);
    if ((word & bit) == 0) word |= bit;  // most are there already: keep the line clean
  }
  // By any of these ports. REQUIRES one lane.
  void add(std::uint32_t arrival, const PortMask& out_ports) {
    std::uint64_t* words = words_.data() + std::size_t{arrival} * stride_;
    for (std::uint32_t w = 0; w < stride_; ++w) {
      if ((out_ports[w] & ~words[w]) != 0) words[w] |= out_ports[w];
    }
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
  std::vector<std::uint32_t> arrival_;   // of a vertex: the slot at the other end
  std::vector<std::uint32_t> first_of_;  // of a slot: slot 0 of its switch
  std::vector<std::uint64_t> words_;     // [slot][word]
};

// One graph a lane. REQUIRES a routing of this fabric's size (check_size).
std::vector<DependencyGraph> find_dependencies(const Fabric& fabric, const Routing& routing,
                                               Sources sources = Sources::kAll, int threads = 0);

}  // namespace fatwood
