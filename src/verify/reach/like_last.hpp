// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reuses the result of the previous destination on the same switch if both have the same marks.
//
// A mark is what a result needs to know about the route of a switch: its hops, for example. The
// mark of a switch must follow from itself and from the mark of the next switch on its route:
// step(mark, next mark) is the mark that it has with that next switch. A mark includes the number
// of hops.
// Two destinations on one switch have the same marks if every entry that differs leads to a switch
// for which step gives the same mark: then all paths get nearer hop by hop, and end at the right
// switch.
// In trees, leaves of one pod have equal entries, marks and neighbours. Eight of them are checked
// at once (CommonHops).
// Cost: a comparison of two rows, and O(1) for each entry that differs.

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "routing/tables/destination_tree.hpp"
#include "routing/tables/row_differences.hpp"
#include "verify/reach/common_hops.hpp"

namespace fatwood {

// Destinations that one thread takes in a row: neighbours are alike.
inline constexpr std::size_t kDestinationsAtOnce = 64;

template <class Mark, class Result>
class LikeLastDestination {
 public:
  // All must outlive this.
  LikeLastDestination(const Fabric& fabric, const ForwardingTables& tables, const HopMap& map,
                      const CommonHops& common)
      : fabric_(fabric), tables_(tables), map_(map), common_(common) {}

  // Call it after a destination that all switches reach, with its result. mark_of(s): of a switch.
  template <class MarkOf>
  void remember(Destination destination, Result result, const MarkOf& mark_of) {
    if (tables_.is_switch(destination)) return;
    last_ = destination;
    home_ = home_of(fabric_, tables_, destination);
    result_ = std::move(result);
    marks_.resize(tables_.num_switches());
    for (std::uint32_t s = 0; s < marks_.size(); ++s) marks_[s] = mark_of(s);
    equal_.resize(marks_.size() / 8);
    for (std::size_t i = 0; i < equal_.size(); ++i) {
      const Mark* const first = marks_.data() + i * 8;
      equal_[i] = std::equal(first, first + 7, first + 1) ? 1 : 0;
    }
  }
  void forget() { last_ = kNone<Destination>; }
  // Whether all switches reach this destination with the marks of the remembered one.
  template <class Step>
  bool proves(Destination destination, const Step& step) {
    if (last_ == kNone<Destination> || tables_.is_switch(destination)) return false;
    const std::uint32_t home = index(home_);
    const std::span<const Port> row = tables_.row(destination);
    if (home_of(fabric_, tables_, destination) != home_ ||
        row[home] != own_port(fabric_, tables_, destination)) {
      return false;
    }
    const auto same = [&](std::uint32_t s) {
      if (s == home) return true;
      const Hop hop = map_.at(s, row[s]);
      return hop.to_switch() && step(marks_[s], marks_[hop.next()]) == marks_[s];
    };
    const auto eight_same = [&](std::uint32_t s, Port entry) {
      const std::uint32_t next = common_.next(s, entry);
      return next != CommonHops::kNobody && equal_[s / 8] != 0 &&
             step(marks_[s], marks_[next]) == marks_[s];
    };
    if (!each_difference(row, tables_.row(last_), same, eight_same)) return false;
    last_ = destination;
    return true;
  }
  const Result& result() const { return result_; }

 private:
  const Fabric& fabric_;
  const ForwardingTables& tables_;
  const HopMap& map_;
  const CommonHops& common_;
  Destination last_ = kNone<Destination>;
  Switch home_ = kNone<Switch>;
  Result result_{};
  std::vector<Mark> marks_;          // by switch
  std::vector<std::uint8_t> equal_;  // by eight switches: whether all have the same mark
};

}  // namespace fatwood
