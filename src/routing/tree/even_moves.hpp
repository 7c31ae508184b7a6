// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Moves single entries of routed tables off channels that carry more than their goal.
//
// A move changes the entry of one switch for one target, and with it the way of all that passes
// there. It is made where some channel on the way is above its goal and another way exists that is
// as long and legal and lowers the sum over channels of (what is above the goal)^2: so moves end,
// and where everything is nearly full one pushes the next aside. Of these ways the cheapest is
// taken: one without new excess before others; then the price is what it adds to the sum over
// (shift, channel) of count^4, a hundredth of that, and to the sum over channels of
// (load / goal)^12. So what is displaced comes down by
// several chains without meeting in a shift: a channel with its own destination takes the flows of
// one displaced destination from a few leaves, not crumbs of many. Where no shifts are looked at
// (given demands, quick tables) loads alone have a price. Ties: the port that comes first in the
// order of columns.
//
// Legal: a climb may become another climb or a descent to the end, a descent only a descent to the
// end, in the order of switches by which the tables are legal. No pair gets a longer way.
// Entries of switches where nothing for the target arrives are free to change with a move: a climb
// to another climb, a descent to a parallel cable.
// Cost: O(sources * hops) a target that is on such a channel; a move O(ports * hops) more.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "routing/routing.hpp"
#include "routing/tree/even_net.hpp"
#include "routing/tree/shift_crowd.hpp"

namespace fatwood {

// How hard to look for another way.
enum class Effort : std::uint8_t {
  kEntries,      // another port of a source, the rest as it is
  kFreeEntries,  // also other ports of switches where nothing arrives
  kSwitches,     // also the entries of switches on the way
};

class EvenMoves {
 public:
  // `rank`: of switches in the order by which the tables are legal, 0 the highest; `descending`:
  // the switches by rank.
  EvenMoves(EvenNet& net, ShiftCrowd& crowd, std::span<const std::uint32_t> rank,
            std::span<const std::uint32_t> descending);

  // To be called when goals changed.
  void take_goals();
  // The entries changed. `row` is that of the target `to` at switch `at`. A move costs at most
  // `most_price` for each shift and channel: 15 where it meets one flow, 65 where it meets two.
  std::size_t relieve(std::uint32_t at, const EvenDestination& to, std::span<std::uint8_t> row,
                      Effort effort, double most_price, std::uint32_t turn);
  // To be called before a pass of spread_shifts(): finds the channels where so many flows meet.
  void find_crowded(std::uint32_t least);
  // Moves entries of sources out of shifts where so many flows or more meet on a channel, while the
  // sum of count^4 falls and nothing gets above its goal.
  std::size_t spread_shifts(std::uint32_t at, const EvenDestination& to,
                            std::span<std::uint8_t> row, std::uint32_t least);

 private:
  static constexpr std::size_t kMostHops = 16;  // longer ways are left as they are
  struct Step {
    std::uint32_t at;
    std::uint8_t port;
  };
  struct Way {
    std::array<Step, kMostHops> steps;
    std::size_t size = 0;
    double price = 0;  // of shifts and loads
    double over = 0;   // what it adds to the sum of squares
    double cost = 0;   // both
  };

  bool is_over(std::uint32_t slot) const {
    return net_.channel[slot].load > net_.channel[slot].goal;
  }
  std::uint32_t next(std::uint32_t s, std::uint8_t port) const {
    return net_.channel[net_.slot(s, port)].next;
  }
  bool climbs(std::uint32_t s, std::uint8_t port) const { return rank_[next(s, port)] < rank_[s]; }
  bool sends(std::uint32_t s) const { return own_weight_[s] != 0; }

  bool walk(std::uint32_t s);  // sets old_; whether a channel is over its goal
  bool try_move(std::uint32_t s, double most_price);  // of its entry, with all behind it
  void find_behind(std::uint32_t s);                  // sets weight_ and windows_
  void extend(std::uint32_t s, std::size_t hops_left, bool descended);
  void step(std::uint32_t s, std::uint8_t port, std::size_t hops_left, bool descended);
  bool try_spread(std::uint32_t s, std::uint32_t least);
  void begin(std::uint32_t at, const EvenDestination& to, std::span<std::uint8_t> row);
  void find_best(std::uint32_t s, double most_price);
  void apply(std::uint32_t s);
  double added_load_cost(std::uint32_t slot) const;
  double added_crowd_cost(std::uint32_t slot) const;
  double square_over(std::uint32_t slot, std::uint64_t load) const;

  EvenNet& net_;
  ShiftCrowd& crowd_;
  std::span<const std::uint32_t> rank_;
  RowTraffic traffic_;
  std::vector<std::uint8_t> crowded_;  // by slot
  std::vector<float> grid_;            // by slot: grid cells a flow
  std::vector<float> scale_;           // by slot: the fastest speed over its own
  std::vector<float> power_;           // by grid cell
  double crowd_price_;                 // of what a way adds to the sum over shifts looked at
  // Of the target in hand.
  std::uint32_t at_ = 0;
  const EvenDestination* to_ = nullptr;
  std::span<std::uint8_t> row_;
  bool free_entries_ = false;
  bool plateau_ = false;                   // moves that only hand the excess on are taken
  std::vector<std::uint64_t> own_weight_;  // by switch: what its terminals send
  // Of the move in hand.
  std::vector<std::uint32_t> old_;   // switches on the way, the destination's included
  std::vector<std::uint32_t> hops_;  // by switch: from there, where on the way; else kNobody
  std::uint64_t weight_ = 0;
  double most_price_ = 0;
  // By place on the old way: what leaving it up to there takes off the sum of squares.
  std::vector<double> relief_of_;
  std::vector<ShiftCrowd::Window> windows_;
  Way way_, best_;
};

}  // namespace fatwood
