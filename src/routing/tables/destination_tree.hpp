// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One row of the forwarding tables as a tree: which switches reach the destination, and from which
// switches packets are dropped or loop.
//
// Method: look up the next hop of each switch once. From each switch not evaluated yet, follow the
// path to an evaluated one, and evaluate the switches of the path on the way back.
// Result: hops(s) is the number of hops from s to the switch that delivers, or kLost or kLooping.
// reached() lists the switches that reach the destination, each after its next hop. So a backward
// walk of reached() can sum up sub-trees.
// Cost: O(switches) per row. follow_from() visits only the switches on the paths from given
// switches: with the leaves of a tree of three levels, few others.

#include <cstdint>
#include <span>
#include <vector>

#include "core/error.hpp"
#include "routing/tables/routing.hpp"
#include "topology/graph/hop_map.hpp"

namespace fatwood {

class DestinationTree {
 public:
  static constexpr std::uint32_t kLost = 0xffffffffU;     // packets end elsewhere
  static constexpr std::uint32_t kLooping = 0xfffffffeU;  // packets loop
  static constexpr std::uint32_t kFurthest = 0xfffffff0U;

  // Both must outlive the tree.
  DestinationTree(const Fabric& fabric, const HopMap& map);

  // Computes the tree of another destination. REQUIRES tables of this fabric's size.
  void follow(const ForwardingTables& tables, Destination destination);
  // The same for the paths from these switches. Others may be left out of reached() and loops().
  void follow_from(const ForwardingTables& tables, Destination destination,
                   std::span<const std::uint32_t> starts);

  // The switch of the destination; kNone for a terminal without a switch.
  Switch destination() const { return destination_; }
  Hop hop(std::uint32_t switch_number) const { return hop_[switch_number]; }
  std::uint32_t hops(std::uint32_t switch_number) const { return hops_[switch_number]; }
  bool reaches(std::uint32_t switch_number) const { return hops_[switch_number] < kFurthest; }
  std::span<const std::uint32_t> reached() const { return {order_.data(), num_reached_}; }
  // One switch of each loop.
  std::span<const std::uint32_t> loops() const { return loops_; }

 private:
  // Starts with the destination's own switch, if it delivers. Appends to `reached` and returns its
  // new end.
  std::uint32_t* begin(const ForwardingTables& tables, Destination destination,
                       std::uint32_t* reached);
  std::uint32_t* evaluate_from(std::uint32_t start, std::uint32_t* reached);

  const Fabric& fabric_;
  const HopMap& map_;
  Switch destination_ = kNone<Switch>;
  std::vector<Hop> hop_;
  std::vector<std::uint32_t> hops_;
  std::vector<std::uint32_t> order_;  // switches; those that reach the destination come first
  std::vector<std::uint32_t> guess_;  // the order of the last tree
  std::size_t num_reached_ = 0;       // length of that part of order_
  std::vector<std::uint32_t> loops_;
  std::vector<std::uint32_t> path_;
};

// Whether a source route between two switches exists, is connected and ends at the destination.
bool source_route_arrives(const Fabric& fabric, const SourceRoutes& routes, Switch source,
                          Switch destination);

// InputError, with both sizes, unless the tables (or source routes) have this fabric's size.
void check_size(const Fabric& fabric, const Routing& routing);
// InputError unless both have the same number of addresses per terminal.
void require_same_lmc(const ForwardingTables& old, const ForwardingTables& after,
                      const Location& where = {});

}  // namespace fatwood
