// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reuses the result of the previous destination on the same switch if both have the same hop
// counts. For results that depend on the hop counts of a destination only.
//
// Two destinations on one switch have the same hop counts if every entry that differs leads to a
// switch one hop nearer: then all paths get nearer hop by hop, and end at the right switch.
// Cost: a comparison of two rows, and O(1) for each entry that differs.

#include <cstdint>
#include <span>
#include <utility>

#include "routing/tables/destination_tree.hpp"
#include "routing/tables/row_differences.hpp"

namespace fatwood {

template <class Result>
class LikeLastDestination {
 public:
  LikeLastDestination(const Fabric& fabric, const ForwardingTables& tables, const HopMap& map)
      : fabric_(fabric), tables_(tables), map_(map) {}

  // Call it after a destination that all switches reach, with its result.
  void remember(Destination destination, Result result) {
    if (tables_.is_switch(destination)) return;
    last_ = destination;
    result_ = std::move(result);
  }
  void forget() { last_ = kNone<Destination>; }
  // Whether all switches reach this destination with the same hop counts. `tree` is that of the
  // last destination that was followed.
  bool proves(const DestinationTree& tree, Destination destination) {
    if (last_ == kNone<Destination> || tables_.is_switch(destination)) return false;
    const std::uint32_t home = index(tree.destination());
    const std::span<const Port> row = tables_.row(destination);
    if (home_of(fabric_, tables_, destination) != tree.destination() ||
        row[home] != own_port(fabric_, tables_, destination)) {
      return false;
    }
    const bool alike = each_difference(row, tables_.row(last_), [&](std::uint32_t s) {
      if (s == home) return true;
      const Hop hop = map_.at(s, row[s]);
      return hop.to_switch() && tree.hops(hop.next()) + 1 == tree.hops(s);
    });
    if (alike) last_ = destination;
    return alike;
  }
  const Result& result() const { return result_; }

 private:
  const Fabric& fabric_;
  const ForwardingTables& tables_;
  const HopMap& map_;
  Destination last_ = kNone<Destination>;
  Result result_{};
};

}  // namespace fatwood
