// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Moves single entries of routed tables off links that carry more than their limit.
//
// A move changes the entry of one switch for one target, and with it the path of all that passes
// there: the source's leaf, or a switch on the way to the overloaded link. The switch nearest to
// that link is tried first: its bundle is the largest, and stays in its column. Of a switch's other
// ports the first one counts that has a path as long as the old one, legal, on which
// - every link stays within its limit, or, in later passes, has at most 0.9 of the overload that
// the
//   move relieves: overload is handed on to where there is room, and falls each time;
// - at most `shared` flows of a shift share a link (ShiftCrowd).
// Ports are tried from the one that the target's last move led to, so that a link with its own
// destination takes flows of one displaced destination from a few leaves rather than single flows
// of many. Entries of switches that nothing for the target arrives at are free to change with a
// move, a climb to another climb, a descent to a parallel cable; of these the path with the most
// room is taken.
//
// Searches are cut short twice. A switch from which no path was found is not entered again for
// the same target with as much to move. A link from which kFutile bundles in a row could not be
// moved is left for this pass: there is no room around it, and others are tried for nothing.
//
// Legal: a climb may become another climb or a descent to the end, a descent only a descent to the
// end, in the order of switches by which the tables are legal. No pair gets a longer path.
// Cost: O(sources * hops) for a target on such a link; a search O(ports * hops) for each switch.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "routing/tables/routing.hpp"
#include "routing/tree/even_net.hpp"
#include "routing/tree/shift_crowd.hpp"

namespace fatwood {

// Whether new paths may have overloaded links.
enum class Overload : std::uint8_t { kNone, kHandedOn };

class EvenMoves {
 public:
  // `rank`: of switches in the order by which the tables are legal, 0 the highest; `descending`:
  // the switches by rank.
  EvenMoves(EvenNet& net, ShiftCrowd& crowd, std::span<const std::uint32_t> rank,
            std::span<const std::uint32_t> descending);

  // To be called when limits changed, and before each pass.
  void take_limits();
  // Moves entries of the target `to` at switch `at` off overloaded links; returns how many.
  // `shared`: how many flows of a shift may share a link then. `pass`: its number, so that passes
  // begin with different sources.
  std::size_t relieve(std::uint32_t at, const EvenDestination& to, std::span<Port> row,
                      Overload overload, std::uint32_t shared, std::uint32_t pass);
  // Moves entries of sources whose flows share a link with so many others of their shift, itself
  // included, or more; returns how many.
  std::size_t spread_shifts(const CrowdedRow& crowded, std::span<Port> row, std::uint32_t least);

 private:
  static constexpr std::size_t kMostHops = 16;  // longer paths are left as they are
  struct Step {
    std::uint32_t at;
    Port port;
  };
  struct Path {
    std::array<Step, kMostHops> steps;
    std::size_t size = 0;
  };
  // No path from a switch, for this much to move: in which row, how near to the end the old path
  // had to be met, and how far below its limit a link might be overloaded.
  struct Failure {
    std::uint32_t row = 0, meets_below = 0;
    std::uint64_t weight = 0;
    float overload = 0;
  };

  bool is_over(std::uint32_t slot) const { return (over_[slot / 64] >> slot % 64 & 1U) != 0; }
  void set_over(std::uint32_t slot, bool over) {
    const std::uint64_t bit = std::uint64_t{1} << slot % 64;
    over_[slot / 64] = (over_[slot / 64] & ~bit) | (over ? bit : 0);
  }
  bool climbs(std::uint32_t s, Port port) const { return rank_[next(s, port)] < rank_[s]; }
  std::uint32_t next(std::uint32_t s, Port port) const { return net_.next(net_.slot(s, port)); }
  std::uint32_t slot_of(std::uint32_t s) const { return net_.slot(s, row_[s]); }
  std::span<const Port> down_ports(std::uint32_t s) const { return ports_between(2 * s); }
  std::span<const Port> up_ports(std::uint32_t s) const { return ports_between(2 * s + 1); }
  std::span<const Port> ports_between(std::size_t i) const {
    return {ports_.data() + first_up_[i], ports_.data() + first_up_[i + 1]};
  }
  bool sends(std::uint32_t s) const { return own_weight_[s] != 0; }
  bool is_free(std::uint32_t s) const { return traffic_.arrived(s) == 0 && !sends(s); }

  void begin(std::uint32_t at, const EvenDestination& to, std::span<Port> row);
  void end();
  bool is_clean(std::uint32_t s);  // no link from there on is overloaded
  std::size_t relieve_source(std::uint32_t s, bool hand_on);
  void walk(std::uint32_t s);         // sets old_ and hops_
  void find_behind(std::uint32_t s);  // sets windows_
  // Moves the entry of s, with all behind it, to a path that meets the old one after its link
  // number `leave`. `overload`: what links on it may have, as a part of their limits.
  bool try_move(std::uint32_t s, std::size_t leave, float overload);
  // Whether the path in hand can be finished, which is then done.
  bool search(std::uint32_t s, std::size_t hops_left, bool climbed);
  bool search_from(std::uint32_t s, std::size_t hops_left, bool climbed);
  bool search_by(std::uint32_t s, Port port, std::size_t hops_left);
  bool is_crowded();  // path_, with what it would get
  void apply(std::uint32_t s);
  void set_load(std::uint32_t slot, std::uint64_t load) {
    EvenChannel& channel = net_.channel[slot];
    channel.load = load;
    set_over(slot, load > channel.limit && futile_[slot] < most_futile_);
  }

  // Bundles in a row that could not be moved off a link, after which it is given up for the pass:
  // few while later passes come back to it.
  static constexpr std::uint8_t kFewFutile = 16;
  static constexpr std::uint8_t kFutile = 64;

  EvenNet& net_;
  ShiftCrowd& crowd_;
  std::span<const std::uint32_t> rank_;
  RowTraffic traffic_;
  std::vector<std::uint64_t> over_;   // by slot, as bits: above its limit, and not given up
  std::vector<std::uint8_t> futile_;  // by slot: bundles in a row that could not be moved
  std::uint8_t most_futile_ = kFutile;
  std::vector<Port> ports_;              // of each switch: down, then up
  std::vector<std::uint32_t> first_up_;  // by switch: where its ports up begin, and where they end
  // Of the target in hand.
  std::uint32_t at_ = 0;
  const EvenDestination* to_ = nullptr;
  std::span<Port> row_;
  std::uint32_t rows_ = 0;                 // counts targets taken in hand
  std::vector<std::uint64_t> own_weight_;  // by switch: what its terminals send
  std::uint32_t kind_ = kNobody;           // own_weight_ is for, all to all
  std::vector<std::uint32_t> clean_;       // by switch: the row in which it was seen to be
  std::vector<std::uint64_t> tried_;       // by switch: changes_ when no move was found for it
  std::uint64_t changes_ = 0;              // moves made and targets taken in hand
  std::uint32_t column_ = 0;               // of a switch's ports: where the last move led
  std::uint32_t most_ = 0;                 // flows of a shift that may share a link
  // Of the move in hand.
  std::vector<std::uint32_t> old_;    // switches on the path, the destination's included
  std::vector<std::uint32_t> hops_;   // by switch: from there, where on the path; else kNobody
  std::vector<std::uint32_t> route_;  // old_ of the source in hand
  std::uint64_t weight_ = 0;
  std::size_t meets_below_ = 0;
  float overload_ = 0;
  std::uint32_t moved_ = 0;                  // the switch whose entry moves
  std::vector<ShiftCrowd::Window> windows_;  // of what moves, when first asked for
  bool windows_known_ = false;
  std::vector<Failure> failed_;  // by switch
  std::uint64_t crowded_ = 0;    // paths refused since too many flows would share a link
  Path path_;
};

}  // namespace fatwood
