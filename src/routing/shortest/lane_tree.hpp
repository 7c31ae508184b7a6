// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Routes from all switches to one destination, in a lane that must stay free of cycles of
// dependencies.
//
// Problem: find a tree of routes with as few hops as the lane allows, preferring links of low
// weight, without a dependency that closes a cycle. A switch has one link for all packets that it
// forwards, so its choice depends on the choice of the next switch.
// Method: Dijkstra's algorithm on the dependency graph, hops before weights. So it works outwards
// from the destination, hop by hop.
// 1. A switch takes the lightest link to a switch one hop nearer that the lane accepts
//    (Layer::add). If the lane accepts none, it tries links to switches at the same distance, then
//    farther ones. Links one hop nearer are computed beforehand (NearerLinks); only a switch that
//    finds none of them acceptable examines all its links.
// 2. If a switch finds no link (an impasse), it takes its path over the escape tree, whose
//    dependencies are already in the lane. The other switches are routed again around that path. At
//    worst, and after some such attempts, all routes use the escape tree, so there is always a
//    result.
// Result: the link of each switch. The lane has the dependencies of the tree until Layer::undo().
// Cost: O(links one hop nearer) if nothing is refused.
// Paper: [Domke16]. There, dependencies are added when a link is examined, not when it is chosen.
// An impasse is solved by revising choices of neighbours; if that fails, all routes of the
// destination use the escape tree.

#include <compare>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "routing/shortest/escape_tree.hpp"
#include "routing/shortest/nearer_links.hpp"

namespace fatwood {

class LaneTree {
 public:
  LaneTree(const LinkGraph& links, const EscapeTree& escape);

  // The destination, the links that lead nearer to it, and the weight of each link.
  struct Task {
    std::uint32_t destination;
    std::span<const std::uint16_t> least;  // hops to it, by switch
    const NearerLinks& nearer;
    const Table<Link, std::uint64_t>& weights;
  };
  // REQUIRES that the lane has the dependencies of the escape tree, and that all others in it are
  // committed (Layer::commit).
  void grow(const Task& task, Layer& lane);

  // The links of the last tree, by switch; kNone at the destination and in other components.
  std::span<const Link> next() const { return next_; }
  // Switches by hops, the destination first.
  std::span<const std::uint32_t> order() const { return order_; }
  // Extra hops compared with shortest paths, summed over the sources of all switches, and over the
  // switches.
  using Detours = std::pair<std::uint64_t, std::uint64_t>;
  Detours detours(const Task& task, std::span<const std::uint64_t> sources) const;
  // Number of impasses of all trees so far.
  std::uint64_t impasses() const { return impasses_; }

 private:
  static constexpr std::uint32_t kUnsettled = 0xffffffffU;

  struct Choice {
    std::uint64_t weight;
    Link link;
    auto operator<=>(const Choice&) const = default;
  };

  void begin(const Task& task);
  bool lay(const Task& task, Layer& lane);
  template <class Links>
  bool take(const Task& task, Layer& lane, std::uint32_t s, std::uint32_t hops, const Links& links);
  bool take_nearer(const Task& task, Layer& lane, const NearerLinks::Entry& entry,
                   std::uint32_t hops);
  void settle(const Task& task, std::uint32_t s, Link link);
  void fix_escape_paths(const Task& task);

  const LinkGraph& links_;
  const EscapeTree& escape_;
  std::vector<Link> next_;           // by switch
  std::vector<std::uint32_t> hops_;  // by switch
  std::vector<std::uint64_t> sum_;   // by switch: weight of its path
  std::vector<std::uint32_t> order_, late_;
  std::vector<std::uint32_t> fixed_;  // switches on escape paths, nearest first
  std::vector<char> is_fixed_;        // by switch
  std::vector<Link> escape_next_;     // by switch, once there is an impasse
  std::vector<Choice> choices_;       // of one switch
  std::uint32_t farthest_ = 0;        // hops of the farthest settled switch
  std::uint64_t impasses_ = 0;
};

}  // namespace fatwood
