// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Routes from all switches to one destination, in one lane that is to stay free of cycles of
// dependencies.
//
// Problem: a tree of routes with as few hops as the lane allows, light links first, that adds no
// wait which would close a cycle. Each switch has one link, the same for all packets it forwards,
// so what a switch may take depends on what the next one took.
// Method: outwards from the destination, one hop more at a time. A switch takes the lightest link
// to a switch that is one hop nearer, if that link may wait for the next one's (Layer::add);
// refused, it tries the next lightest, then links to switches one hop farther, and so on. This is
// Dijkstra's algorithm on the graph of waits; its queue becomes an order by hops since these come
// first. Links of switches that come in time are known beforehand (NearerLinks); only those that
// are late look at all of theirs.
// If a switch finds no link at all (an impasse), its path over the escape tree is fixed, whose
// waits are in the lane, and the rest is laid again around it. In the end everything may go over
// the escape tree: there is always an answer.
// Result: the link of each switch. The lane has its waits until Layer::undo().
// Cost: O(links one hop nearer) where nothing is refused.
// Paper: [Domke16]. There waits are taken when a link is looked at rather than when it is chosen,
// an impasse is solved by choices of neighbours taken back, and where that does not help all of the
// destination's routes go over the escape tree.

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "routing/shortest/escape_tree.hpp"
#include "routing/shortest/nearer_links.hpp"

namespace fatwood {

class LaneTree {
 public:
  LaneTree(const LinkGraph& links, const EscapeTree& escape);

  // The destination of the routes, the links that lead nearer to it, and the weight of each link.
  struct Task {
    std::uint32_t destination;
    std::span<const std::uint16_t> least;  // hops to it, by switch
    const NearerLinks& nearer;
    const Table<Link, std::uint64_t>& weights;
  };
  // REQUIRES a lane that has the escape tree's waits, and none that are not kept.
  void grow(const Task& task, Layer& lane);

  // Of the tree grown last: by switch, kNone at the destination and in other parts of the
  // fabric.
  std::span<const Link> next() const { return next_; }
  // Switches by hops, the destination first.
  std::span<const std::uint32_t> order() const { return order_; }
  // Hops beyond the least, of all sources on each switch, or of each switch once.
  std::uint64_t detours(const Task& task, std::span<const std::uint64_t> sources) const;
  std::uint64_t detours(const Task& task) const;
  // Impasses of all trees so far.
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
  std::uint32_t farthest_ = 0;        // hops of the farthest that is settled
  std::uint64_t impasses_ = 0;
};

}  // namespace fatwood
