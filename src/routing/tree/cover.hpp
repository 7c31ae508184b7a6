// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Who does not reach a target's covers in the fewest hops: what a plan has to mend.
//
// A switch with counted terminals is covered when one of the target's covers (plan.hpp) is on
// a shortest route from it. Peaks that are alike for all such switches are asked once for each
// destination; where one meets all, nothing else is looked at.
// Cost: O(switches / 32) a destination where the first peak meets all; else O(switches).

#include <cstdint>
#include <span>
#include <vector>

#include "routing/tree/view.hpp"

namespace fatwood {

class TreeCover {
 public:
  // `weight`: by switch, its counted terminals.
  TreeCover(const TreeClimb& climb, std::span<const std::uint32_t> weight);

  // Starts a new target at a switch: none of its covers is known.
  void begin(std::uint32_t destination);
  void add(std::uint32_t top) { tops_.push_back(top); }

  // Looks at the fabric from the destination; the list shrinks as covers are added with cover().
  const std::vector<std::uint32_t>& find_uncovered();
  void cover(std::uint32_t top);

  // As the destination sees the tree; `hops` only after find_uncovered().
  TreeView view;

 private:
  struct Met {
    std::uint32_t destination = kNobody;
    std::uint8_t depth = 0;
    bool all = false;
  };

  void find_likes();
  void find_needs();
  bool meets_all(std::uint32_t peak);
  void mark_below(std::uint32_t top);

  const TreeClimb& climb_;
  std::uint32_t destination_ = kNobody;
  std::vector<std::uint32_t> tops_;    // covers of the target
  std::vector<std::uint8_t> counted_;  // 0xff for a switch with counted terminals, else 0
  std::vector<std::uint32_t> like_;    // by class of peaks
  std::vector<Met> met_;               // by like
  std::vector<std::uint8_t> need_;     // hops of a switch with counted terminals; 0: none needed
  std::uint32_t needed_at_ = kNobody;  // the destination that need_ is of
  std::vector<std::uint8_t> nobody_;   // a row of hops that covers no switch
  std::vector<std::uint32_t> marked_;  // by switch: the target below whose cover it is
  std::uint32_t now_ = 0;              // number of the target
  std::vector<std::uint32_t> uncovered_;
};

}  // namespace fatwood
