// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Forwarding tables in which single entries can be moved to equally long alternatives. The usage of
// every link is up to date after each move, and no move creates a cycle of dependencies.
//
// An alternative of (switch, destination) is another link to a neighbour one hop nearer. Moves
// change no lengths, so alternatives stay alternatives. The usage of a link is the number of flows
// over it; a flow is a pair (terminal, address of another terminal) ([Chiu02], section 6.2).
//
// Deadlock: each lane has, for each dependency, the number of destinations that cause it, and an
// order of links that all dependencies follow (routing/shortest/layers.hpp). A move adds the
// dependencies of the new path and removes those of the old one. A move that would close a cycle is
// refused; a refused dependency is tried again only after a thousand moves. All switches count as
// sources. Tables that have a cycle already (minhop) are not checked.
//
// With the ranks of an engine's own rule (link_rule.hpp), only the alternatives that the rule
// allows are used, as in [Chiu02]. They are fewer than those that close no cycle.
//
// Cost of a move: O(ports * switches that forward through the moved one to that destination).

#include <cstdint>
#include <span>
#include <vector>

#include "routing/improve/link_rule.hpp"
#include "routing/shortest/layers.hpp"
#include "routing/tables/routing.hpp"
#include "topology/graph/link_graph.hpp"

namespace fatwood {

class MovableRoutes {
 public:
  // InputError if there are only source routes, or more than 64 lanes. The fabric must outlive
  // this. With ranks, entries that the rule does not allow are moved to its first alternative.
  MovableRoutes(const Fabric& fabric, Routing routing, const LinkRanks& ranks = {});
  MovableRoutes(const MovableRoutes&) = delete;  // layers point to the links
  MovableRoutes& operator=(const MovableRoutes&) = delete;

  const Fabric& fabric() const { return *fabric_; }
  const Routing& routing() const { return routing_; }
  const LinkGraph& links() const { return links_; }
  bool guarded() const { return !layers_.empty(); }

  // Addresses of terminals: the destinations that carry flows, numbered from 0.
  std::uint32_t num_addresses() const { return addresses_; }
  std::uint32_t terminals_on(std::uint32_t s) const { return terminals_on_[Switch{s}]; }
  // Remaining hops; kNoHops if there is no route.
  static constexpr std::uint16_t kNoHops = 0xffff;
  std::uint16_t hops(std::uint32_t address, std::uint32_t s) const {
    return hops_[std::size_t{address} * links_.switches + s];
  }
  // The link by which s forwards. REQUIRES a route, and that s is not its last switch.
  Link next(std::uint32_t address, std::uint32_t s) const {
    return links_.link(s, routing_.tables.at(Destination{address}, Switch{s}));
  }
  // Links that s could use instead, in order.
  std::vector<Link> alternatives(std::uint32_t address, std::uint32_t s) const;
  // Flows to an address through a switch, including those that start there.
  std::uint64_t flow(std::uint32_t address, std::uint32_t s) const;

  const Table<Link, std::uint64_t>& usage() const { return usage_; }
  // The change of the sum of squares of all usages that a move would cause.
  __int128 change_of_squares(std::uint32_t address, std::uint32_t s, Link link) const;
  // Returns whether the move was made. REQUIRES an alternative.
  bool move(std::uint32_t address, std::uint32_t s, Link link);

  // Link a depends on link b, in the lanes of the mask.
  struct Dependency {
    Link a, b;
    std::uint64_t lanes;
  };
  // Adds all of them, or none if one would close a cycle. REQUIRES guarded().
  bool add_dependencies(std::span<const Dependency> dependencies);
  // Calls visit(link) for each link by which packets to the address come to s.
  template <class Visit>
  void for_each_arrival(std::uint32_t address, std::uint32_t s, const Visit& visit) const {
    const std::uint16_t left = hops(address, s);
    for (const Link link : links_.of(s)) {
      const std::uint32_t other = links_.to[link];
      if (hops(address, other) != left + 1) continue;
      if (next(address, other) == links_.reverse[link]) visit(links_.reverse[link]);
    }
  }
  // The same links as a list.
  std::vector<Link> arrivals(std::uint32_t address, std::uint32_t s) const;
  // Lanes of all packets to the address that pass s, including its own.
  std::uint64_t lanes_through(std::uint32_t address, std::uint32_t s) const;

  Routing take() && { return std::move(routing_); }

 private:
  // The old and the new path of an entry, from the switch where they separate to where they meet
  // again.
  struct Fork {
    std::vector<Link> old_links, new_links;
    std::uint32_t meeting;  // the switch where they meet
  };
  Fork fork(std::uint32_t address, std::uint32_t s, Link link) const;
  void count_hops_and_dependencies();
  void keep_rule(const LinkRanks& ranks);
  void order_links();
  void remove_dependencies(std::span<const Dependency> dependencies);
  bool move_dependencies(std::uint32_t address, std::uint32_t s, Link link, const Fork& fork);
  std::uint64_t lane_bit(std::uint32_t address, std::uint32_t s) const {
    return std::uint64_t{1} << routing_.lanes.at(Destination{address}, Switch{s});
  }
  std::uint32_t& count(std::size_t lane, Link a, Link b) {
    return counts_[lane][std::size_t{index(a)} * stride_ + links_.place(b)];
  }
  bool is_last(std::uint32_t address, std::uint32_t s) const { return hops(address, s) == 0; }

  const Fabric* fabric_;
  Routing routing_;
  LinkGraph links_;
  std::uint32_t addresses_ = 0;
  std::uint32_t stride_ = 1;  // the most links of a switch
  Table<Switch, std::uint32_t> terminals_on_;
  std::vector<std::uint16_t> hops_;  // [address][switch]
  std::vector<bool> ruled_out_;      // [address][link]; empty: there is no rule
  Table<Link, std::uint64_t> usage_;
  std::vector<std::vector<std::uint32_t>> counts_;  // [lane][a][b of its switch]
  std::uint32_t moves_ = 0;                         // since refusals were last forgotten
  std::vector<Layer> layers_;                       // by lane; empty: not guarded
};

}  // namespace fatwood
