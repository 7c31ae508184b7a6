#pragma once
// Virtual lanes kept free of cyclic waits while routes are added: for each lane the graph of
// which link waits for which, and an order of the links that all waits ascend.
//
// Problem: given a path, is there a lane that can take it without a cycle? (dfsssp, lash)
// Method: a wait (a, b), "a packet on link a wants link b", is a bit. A new one that agrees with
// the order is just set. One that doesn't sends a search from b and one back from a through what
// lies between them in the order: it meets a (a cycle: refused, and remembered as such, since
// waits are never taken back), or the links found trade places (Pearce and Kelly, "A dynamic
// topological sort algorithm for directed acyclic graphs", 2006). Most waits are old: a bit test.
// Encoding: bit [a][b - first link of b's switch], two bit sets a lane.
// Cost: O(1) an old wait; a new one O(links between the two in the order) at worst.
//
// Links that leave or reach a terminal begin and end every path: no cycle has one, so they are
// left out.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "routing/engine.hpp"
#include "routing/link_graph.hpp"

namespace fatwood {

class Layer {
 public:
  // The order to begin with: position[link], all different. The better it agrees with the waits
  // to come the faster; the answers are the same.
  Layer(const LinkGraph& links, std::vector<std::uint32_t> position);

  // Whether link a may wait for link b (of the switch that a leads to) in this lane. If so, it
  // does from now on.
  bool add(std::uint32_t a, std::uint32_t b) {
    const std::uint64_t bit = bit_of(a, b);
    if (test(waits_, bit)) return true;
    if (test(refused_, bit)) return false;
    return add_new(a, b);
  }

 private:
  using Bits = std::vector<std::uint64_t>;
  static bool test(const Bits& bits, std::uint64_t at) {
    return (bits[at / 64] >> (at % 64) & 1U) != 0;
  }
  static void set(Bits& bits, std::uint64_t at) { bits[at / 64] |= std::uint64_t{1} << (at % 64); }
  std::uint64_t bit_of(std::uint32_t a, std::uint32_t b) const {
    return std::uint64_t{a} * stride_ + (b - links_->first[links_->from[b]]);
  }
  bool add_new(std::uint32_t a, std::uint32_t b);
  bool search_ahead(std::uint32_t from, std::uint32_t to);
  void search_back(std::uint32_t from, std::uint32_t to);
  void trade_places();

  const LinkGraph* links_;
  std::uint64_t stride_ = 0;  // the most links of a switch
  Bits waits_;
  Bits refused_;
  std::vector<std::uint32_t> position_;  // by link
  std::vector<char> seen_;               // by link
  std::vector<std::uint32_t> ahead_, behind_, stack_;
};

// Whether the route from a switch to some destination fits a lane, as far as is known.
enum class Fit : std::uint8_t { kUnknown, kYes, kNo };

// Lanes that appear as they are needed.
class Layers {
 public:
  static constexpr std::uint32_t kNoLink = 0xffffffffU;

  // height: how far each switch is from the hosts; links towards greater heights come first in
  // the order that a lane begins with.
  Layers(const LinkGraph& links, const std::vector<std::uint32_t>& height);

  unsigned count() const { return static_cast<unsigned>(layers_.size()); }

  // Puts the route from a switch into a lane if it fits. next[s]: the link by which s forwards to
  // the destination, kNoLink at the destination itself. known[s]: what earlier calls for the same
  // lane and destination have found; it is kept up. REQUIRES that a route is there.
  bool add_route(unsigned lane, std::uint32_t source, std::span<const std::uint32_t> next,
                 std::span<Fit> known);

 private:
  Layer& layer(unsigned lane);

  const LinkGraph* links_;
  std::vector<std::uint32_t> start_;  // positions to begin with
  std::vector<Layer> layers_;
  std::vector<std::uint32_t> path_;
};

// Distance of each switch to the nearest with terminals; 0 for all when there are none.
std::vector<std::uint32_t> height_above_hosts(const Fabric& fabric, const LinkGraph& links);

// Lanes with equal rows stored once. rows: [target][switch]; row_of: which of them a target has.
Lanes pack_lanes(unsigned count, std::size_t switches, const std::vector<std::uint8_t>& rows,
                 const std::vector<std::uint32_t>& row_of);

// PromiseError when there are more lanes than the options allow.
void require_lanes(std::string_view engine, unsigned count, const RouteOptions& options);

}  // namespace fatwood
