// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Assigns routes to virtual lanes (VLs) so that no lane has a cycle of dependencies, which could
// deadlock. Used by dfsssp, lash and nue; repair and improve use one lane of it (Layer) as a check.
//
// Problem: given a route, which lane can take it without closing a cycle?
//
// Idea: each lane maintains an order of the links that all its dependencies follow; a graph with
// such an order has no cycle. A dependency (a, b) means that a packet on link a waits for link b.
// - A dependency that the lane has already costs a bit test. Most are of this kind.
// - A new dependency that agrees with the order is just added.
// - Otherwise two searches, forward from b and backward from a, visit the links between them in the
//   order. If the searches meet, there is a cycle, and the dependency is refused. If not, the
//   visited links are reordered [Pearce06]. Refusals are remembered, because committed dependencies
//   stay.
// - If only a part of a route's dependencies can be added, these are removed again. The order stays
//   valid.
// - A search that exceeds its limit counts as a cycle. The route then takes another lane, which at
//   worst costs one more lane. After many visited links, each search of a lane has a small limit:
//   so the time is bounded.
//
// Initial order: "away from hosts, then back", as routes of a tree use links. Each lane starts with
// another rotation of this order, so that routes that begin half-way up or down agree with one of
// the lanes. On a tree, the quick search (LaneSearch) has one fixed lane per rotation: its order
// never changes, and it takes only routes that agree with it. The few other routes (down to a leaf
// and up again) get lanes of their own, with few dependencies. On large trees this is faster than a
// thorough search in lanes with nearly all routes, and needs fewer lanes.
//
// Links from and to terminals begin and end every path. They are in no cycle and are left out.
// Encoding: bit [a][b - first link of b's switch], and the same backwards; four sets per lane.
// Cost: O(1) per existing dependency; a new one O(links between the two in the order, or `effort`).

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "routing/engine.hpp"
#include "topology/graph/link_graph.hpp"

namespace fatwood {

class Layer {
 public:
  // `position`: the initial order, a different number for each link. The better it agrees with
  // later dependencies, the fewer searches. `effort`: how many links a search may visit; 0: the
  // order is fixed. After `most_visits` links in all searches, one may visit kLittleEffort.
  Layer(const LinkGraph& links, Table<Link, std::uint32_t> position, std::size_t effort,
        std::uint64_t most_visits = kMostVisits);
  static constexpr std::size_t kLittleEffort = 64;
  static constexpr std::uint64_t kMostVisits = std::uint64_t{1} << 27;  // about two seconds

  // Adds the dependency of link a on link b (of the switch that a leads to), until undo(), or
  // permanently after commit(). False: it would close a cycle.
  bool add(Link a, Link b) {
    const std::uint32_t bit = links_->place(b);
    if (test(dependencies_, a, bit)) return true;
    if (test(refused_, a, bit)) return false;
    return add_new(a, b);
  }
  void commit();
  void undo();
  // The new limit of links that a search may visit.
  void limit_effort(std::size_t effort) { effort_ = effort; }
  // The links that all searches visited.
  std::uint64_t visits() const { return visits_; }
  // The position of each link in the order that all dependencies follow.
  const Table<Link, std::uint32_t>& positions() const { return position_; }
  // Removes a committed dependency. Refused ones stay refused until forget_refusals().
  void remove(Link a, Link b) {
    flip_dependency({a, b});
    ++removed_;
  }
  // All dependencies of a link and on it.
  std::vector<std::pair<Link, Link>> dependencies_of(Link link) const;
  // A shortest chain of dependencies between two links; empty: there is none.
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
  // The words of a link's row.
  auto row_of(const Bits& bits, Link link) const {
    return [row = bits.data() + index(link) * words_](std::size_t w) { return row[w]; };
  }
  void flip(Bits& bits, Link link, std::uint32_t bit) const {
    bits[index(link) * words_ + bit / 64] ^= std::uint64_t{1} << (bit % 64);
  }
  void flip_dependency(Dependency dependency);
  bool add_new(Link a, Link b);
  bool search_ahead(Link from, Link to);
  bool search_back(Link from, Link to);
  void trade_places();
  bool is_futile(Link from, std::uint32_t limit);

  // A forward search that exceeded its limit, remembered so that it is not repeated.
  struct Futile {
    std::size_t effort = 0;  // its limit; 0: there was no such search
    std::size_t first = 0;   // of what it found, in found_
    std::uint32_t most = 0;  // highest position of that
    bool with_new = false;   // it may have used a dependency that can still be undone
    std::uint64_t undone = 0, removed = 0, trades = 0;  // counters at that time
  };

  const LinkGraph* links_;
  std::size_t words_;  // per link: one bit for each link of a switch
  std::size_t effort_;
  std::uint64_t most_visits_, visits_ = 0;
  Bits dependencies_;  // a: the links that it depends on
  Bits awaited_;       // b: the reverses of the links that depend on it
  Bits refused_;       // as dependencies_
  Bits new_;           // as dependencies_: those that can still be undone
  Table<Link, std::uint32_t> position_;
  Table<Link, std::uint32_t> seen_;  // the number of the last search that came here
  std::uint32_t search_ = 0;
  std::vector<Link> ahead_, behind_;
  std::vector<std::uint32_t> places_;
  std::vector<Dependency> new_dependencies_;  // since commit() or undo()
  Table<Link, Futile> futile_;
  std::vector<Link> found_;    // by futile searches, effort + 1 each
  std::uint64_t trades_ = 0;   // number of reorderings
  std::uint64_t undone_ = 0;   // number of undo() calls with an effect
  std::uint64_t removed_ = 0;  // number of committed dependencies removed
};

// Whether the route from a switch to the current destination fits a lane, as far as is known.
enum class Fit : std::uint8_t { kUnknown, kYes, kNo };

enum class LaneSearch : std::uint8_t { kQuick, kThorough };

// The distance of each switch from the hosts, and whether the fabric is a tree.
struct Heights {
  std::vector<std::uint32_t> of_switch;
  bool is_tree = false;
};
// The level of each switch if the fabric is like a tree. Otherwise its distance to the nearest
// switch with terminals; 0 for all if there are no terminals.
Heights height_above_hosts(const Model& model);

// The step of each link in the order "away from hosts, then back": 0, 1, ... without gaps.
Table<Link, std::uint32_t> link_steps(const LinkGraph& links, const Heights& heights);
// Positions of the links if the steps are rotated to begin with `first`.
Table<Link, std::uint32_t> positions_from_step(const Table<Link, std::uint32_t>& steps,
                                               std::uint32_t first);

// Lanes, created when they are needed.
class Layers {
 public:
  // In the initial order of a lane, links towards greater heights come first.
  Layers(const LinkGraph& links, const Heights& heights, LaneSearch search);

  // The number of lanes that keep their initial order. They may have no route.
  unsigned fixed() const { return fixed_; }

  // Adds the route from a switch to a lane if it fits, until undo(lane), or permanently after
  // commit(lane). If it does not fit, the lane is as after undo(lane). next[s]: the link by which s
  // forwards, kNone<Link> at the destination. known[s]: results of earlier calls for the same lane
  // and destination; updated. REQUIRES a route.
  bool add_route(unsigned lane, std::uint32_t source, std::span<const Link> next,
                 std::span<Fit> known);
  // The same for the routes from several switches: all fit, or none is added.
  bool add_routes(unsigned lane, std::span<const std::uint32_t> sources, std::span<const Link> next,
                  std::span<Fit> known);
  void commit(unsigned lane);
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
  std::vector<Fit*> new_fits_;  // since commit() or undo()
};

// More than any hardware has.
inline constexpr unsigned kMostLanes = 254;
// PromiseError if `count` exceeds the options' limit.
void require_lanes(std::string_view engine, unsigned count, const RouteOptions& options);

// Renumbers lanes so that none is empty. Returns how many are left.
unsigned drop_empty_lanes(std::vector<std::uint8_t>& lanes);

// Lanes with equal rows stored once. rows: [row][switch]; row_of: the row of each destination,
// empty if each has its own.
Lanes pack_lanes(unsigned count, std::size_t switches, const std::vector<std::uint8_t>& rows,
                 const std::vector<std::uint32_t>& row_of = {});

// Whether to try again with fewer than `count` lanes: `count` is more than allowed, or the fabric
// is so small that a try takes milliseconds.
bool are_many(unsigned count, const LinkGraph& links, const RouteOptions& options);
// The number of lanes that this try may use. A quick try may use more than allowed, to find how
// many are needed.
unsigned limit_of_try(LaneSearch search, unsigned count, const RouteOptions& options);

}  // namespace fatwood
