// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Virtual lanes kept free of cycles of dependencies while routes are added: for each lane the graph
// of which link waits for which, and an order of the links that all waits ascend.
//
// Problem: given a path, is there a lane that can take it without a cycle? (dfsssp, lash)
// Method: a wait (a, b), "a packet on link a wants link b", is a bit. A new one that agrees with
// the order is just set. One that doesn't sends a search from b and one back from a through what
// lies between them in the order. Either it meets a: a cycle, refused, and remembered as one, since
// kept waits stay. Or the links found trade places [Pearce06].
// Most waits are old: a bit test. Waits of a route that fits only in part are taken back, which
// leaves the order good.
// Lanes begin with the links in the order "away from hosts, then back" of a tree's routes, each
// rotated another way: routes that begin half-way up or down agree with one of these. On a tree a
// quick search leaves the first of them, a lane for each rotation, in that order: they take what
// agrees with it. The few routes left over (down to a leaf and up again) are searched for room in
// lanes of their own, where little waits for anything: faster, and on large trees fewer lanes,
// than a thorough search in lanes that nearly all routes share.
// A search that looks at more links than it may ends as if there were a cycle: the route goes to
// another lane, which costs nothing but, at times, a lane.
// Encoding: bit [a][b - first link of b's switch], and the same backwards, two sets a lane.
// Cost: O(1) per old wait; a new one O(links between the two in the order, or `effort`).
//
// Links that leave or reach a terminal begin and end every path: no cycle has one, so they are
// left out.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "routing/engine.hpp"
#include "routing/graph/link_graph.hpp"

namespace fatwood {

class Layer {
 public:
  // position: the order to begin with, a different one for each link. The better it agrees with
  // the waits to come the faster. effort: links a search may look at; with 0 the order stays.
  Layer(const LinkGraph& links, Table<Link, std::uint32_t> position, std::size_t effort);

  // Whether link a may wait for link b (of the switch that a leads to) in this lane. If so, it
  // does until undo(), or for good after keep().
  bool add(Link a, Link b) {
    const std::uint32_t bit = links_->place(b);
    if (test(dependencies_, a, bit)) return true;
    if (test(refused_, a, bit)) return false;
    return add_new(a, b);
  }
  void keep();
  void undo();
  // From now on a search looks at so many links at most.
  void limit_effort(std::size_t effort) { effort_ = effort; }
  // The place of each link in the order that all dependencies ascend.
  const Table<Link, std::uint32_t>& positions() const { return position_; }
  // Takes a kept wait back. What was refused stays so until forget_refusals().
  void remove(Link a, Link b) {
    flip_dependency({a, b});
    ++removed_;
  }
  // All waits of a link: what it waits for, and what waits for it.
  std::vector<std::pair<Link, Link>> dependencies_of(Link link) const;
  // Links from one to the other, each waiting for the next, as few as possible; empty: none.
  std::vector<Link> shortest_path(Link from, Link to) const;
  void forget_refusals() { std::fill(refused_.begin(), refused_.end(), 0); }

 private:
  struct Dependency {
    Link a;
    Link b;
  };
  using Bits = std::vector<std::uint64_t>;  // [link][word]
  bool test(const Bits& bits, Link link, std::uint32_t bit) const {
    return (bits[index(link) * words_ + bit / 64] >> (bit % 64) & 1U) != 0;
  }
  void flip(Bits& bits, Link link, std::uint32_t bit) const {
    bits[index(link) * words_ + bit / 64] ^= std::uint64_t{1} << (bit % 64);
  }
  void flip_dependency(Dependency dependency);
  bool add_new(Link a, Link b);
  bool search_ahead(Link from, Link to);
  bool search_back(Link from, Link to);
  void trade_places();
  bool is_futile(Link from, std::uint32_t limit) const;

  // A search ahead that found too much, so that it need not be made again.
  struct Futile {
    std::size_t effort = 0;   // that it may take; 0: there was none
    std::uint32_t limit = 0;  // position up to which it went
    std::uint32_t most = 0;   // highest position that it found
    bool with_new = false;    // a wait that may be taken back may have had a part in it
    std::uint64_t undone = 0, removed = 0, trades = 0;  // how many came before it
  };
  struct Moved {  // positions between which links traded places
    std::uint32_t from, to;
  };

  const LinkGraph* links_;
  std::size_t words_;  // of the links of a switch, a bit each
  std::size_t effort_;
  Bits dependencies_;  // a: which links it waits for
  Bits awaited_;       // b: the reverses of the links that wait for it
  Bits refused_;       // as dependencies_
  Table<Link, std::uint32_t> position_;
  Table<Link, std::uint32_t> seen_;  // the number of the search that came here last
  std::uint32_t search_ = 0;
  std::vector<Link> ahead_, behind_;
  std::vector<std::uint32_t> places_;
  std::vector<Dependency> new_dependencies_;  // since keep() or undo()
  Table<Link, char> has_new_;                 // links that wait by one of them
  Table<Link, Futile> futile_;
  std::array<Moved, 32> moved_{};  // the last trades
  std::uint64_t trades_ = 0;
  std::uint64_t undone_ = 0;   // times that new waits were taken back
  std::uint64_t removed_ = 0;  // kept waits taken back
};

// Whether the route from a switch to some destination fits a lane, as far as is known.
enum class Fit : std::uint8_t { kUnknown, kYes, kNo };

enum class LaneSearch : std::uint8_t { kQuick, kThorough };

// The distance of each switch from the hosts, and whether that makes a tree.
struct Heights {
  std::vector<std::uint32_t> of_switch;
  bool is_tree = false;
};
// The level of each switch where the fabric is like a tree; else its distance to the nearest with
// terminals, 0 for all when there are none.
Heights height_above_hosts(const Model& model, const LinkGraph& links);

// The step of each link in "away from hosts, then back": 0, 1, ... without gaps.
Table<Link, std::uint32_t> link_steps(const LinkGraph& links, const Heights& heights);
// Positions of the links with those of one step first and of the others in their turn behind it.
Table<Link, std::uint32_t> positions_from_step(const Table<Link, std::uint32_t>& steps,
                                               std::uint32_t first);

// Lanes that appear as they are needed.
class Layers {
 public:
  // Links towards greater heights come first in the order that a lane begins with.
  Layers(const LinkGraph& links, const Heights& heights, LaneSearch search);

  // Lanes that keep the order they begin with. They may have no route at all.
  unsigned fixed() const { return fixed_; }

  // Puts the route from a switch into a lane if it fits, until undo(lane), or for good after
  // keep(lane). next[s]: the link by which s forwards to the destination, kNone<Link> at the
  // destination itself. known[s]: what earlier calls for the same lane and destination have found;
  // it is kept up. When it does not fit the lane is as after undo(lane). REQUIRES a route.
  bool add_route(unsigned lane, std::uint32_t source, std::span<const Link> next,
                 std::span<Fit> known);
  void keep(unsigned lane);
  void undo(unsigned lane);

 private:
  Layer& layer(unsigned lane);

  const LinkGraph* links_;
  std::size_t effort_;
  Table<Link, std::uint32_t> steps_;
  std::uint32_t num_steps_ = 1;
  unsigned fixed_ = 0;
  std::vector<Layer> layers_;
  std::vector<std::uint32_t> path_;
  std::vector<Fit*> new_fits_;  // since keep() or undo()
};

// More than there are in any hardware.
inline constexpr unsigned kMostLanes = 254;
// PromiseError when `count` is more than the options allow.
void require_lanes(std::string_view engine, unsigned count, const RouteOptions& options);

// Renumbers lanes so that none is without a route; how many that leaves.
unsigned drop_empty_lanes(std::vector<std::uint8_t>& lanes);

// Lanes with equal rows stored once. rows: [destination][switch]; row_of: which of them a
// destination has.
Lanes pack_lanes(unsigned count, std::size_t switches, const std::vector<std::uint8_t>& rows,
                 const std::vector<std::uint32_t>& row_of);

// Whether it is worth another try to lay routes in less than `count` lanes: when that is more than
// allowed, or on a small fabric, where a try takes milliseconds.
bool are_many(unsigned count, const LinkGraph& links, const RouteOptions& options);
// The lanes that such a try may use. A quick one may still need more than allowed, to find how many
// it takes.
unsigned limit_of_try(LaneSearch search, unsigned count, const RouteOptions& options);

}  // namespace fatwood
