// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One row of the forwarding tables as a tree: the switches whose packets reach the destination, and
// the switches whose packets are dropped or loop forever.
//
// Method: each switch's next hop is looked up once; from each switch not yet known the path is
// followed to one that is, and its switches are evaluated on the way back. Encoding: hops(s) is the
// number of switch-to-switch hops to the switch that delivers, or kLost or kLooping. reached()
// lists the switches that reach the destination, each after the switch it forwards to (their order
// is otherwise not fixed): walked backwards it sums up sub-trees. loops() likewise. Cost:
// O(switches) per row.

#include <cstdint>
#include <span>
#include <vector>

#include "core/error.hpp"
#include "routing/tables/routing.hpp"
#include "topology/graph/hop_map.hpp"

namespace fatwood {

class DestinationTree {
 public:
  static constexpr std::uint32_t kLost = 0xffffffffU;     // ends somewhere else
  static constexpr std::uint32_t kLooping = 0xfffffffeU;  // never ends
  static constexpr std::uint32_t kFurthest = 0xfffffff0U;

  // Both must outlive the tree.
  DestinationTree(const Fabric& fabric, const HopMap& map);

  // Replaces what the tree holds by the destination's. REQUIRES tables of this fabric's size.
  void follow(const ForwardingTables& tables, Destination destination);

  // The switch that has the destination, and the entry by which it must deliver; kNone for a
  // terminal that is attached to no switch.
  Switch destination() const { return destination_; }
  Hop hop(std::uint32_t switch_number) const { return hop_[switch_number]; }
  std::uint32_t hops(std::uint32_t switch_number) const { return hops_[switch_number]; }
  bool reaches(std::uint32_t switch_number) const { return hops_[switch_number] < kFurthest; }
  std::span<const std::uint32_t> reached() const { return {order_.data(), num_reached_}; }
  // One switch of each loop.
  std::span<const std::uint32_t> loops() const { return loops_; }

 private:
  // Appends to `reached`, of which it returns the end.
  std::uint32_t* evaluate_from(std::uint32_t start, std::uint32_t* reached);

  const Fabric& fabric_;
  const HopMap& map_;
  Switch destination_ = kNone<Switch>;
  std::vector<Hop> hop_;
  std::vector<std::uint32_t> hops_;
  std::vector<std::uint32_t> order_;  // of switches: those that reach the destination come first
  std::vector<std::uint32_t> guess_;  // the order of the tree before
  std::size_t num_reached_ = 0;       // of order_
  std::vector<std::uint32_t> loops_;
  std::vector<std::uint32_t> path_;
};

// InputError saying both sizes unless the tables (or source routes) are of this fabric's.
void check_size(const Fabric& fabric, const Routing& routing);
// InputError unless both give each terminal as many addresses.
void require_same_lmc(const ForwardingTables& old, const ForwardingTables& now,
                      const Location& where = {});

}  // namespace fatwood
