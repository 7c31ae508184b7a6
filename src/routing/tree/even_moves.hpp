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
// To look at all ways for each entry takes long. So two quick efforts come first. In both no more
// than two flows may meet in a shift. Levelling: the switch that sends over a full channel sends
// all that passes there to another; of its ports the one that adds least to the sum of squares.
// kFirst: a source takes the first way on which nothing gets above its goal, beginning with the
// column that the target's last entry was moved to.
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

#include "routing/tables/routing.hpp"
#include "routing/tree/even_net.hpp"
#include "routing/tree/shift_crowd.hpp"

namespace fatwood {

// A switch and one of its ports.
struct EvenStep {
  std::uint32_t at;
  Port port;
};

// How hard to look for another way.
enum class Effort : std::uint8_t {
  kFirst,     // the first other port of a source that is good enough
  kEntries,   // another port of a source, the rest as it is
  kOnTheWay,  // also the entries of switches on the way; excess may be handed on
  kSwitches,  // also other ports of switches where nothing arrives
};

class EvenMoves {
 public:
  struct Relieved {
    std::size_t moved = 0;  // entries
    bool hot = false;       // whether something was above its goal
  };
  // `rank`: of switches in the order by which the tables are legal, 0 the highest; `descending`:
  // the switches by rank.
  EvenMoves(EvenNet& net, ShiftCrowd& crowd, std::span<const std::uint32_t> rank,
            std::span<const std::uint32_t> descending);

  bool climbs(std::uint32_t s, Port port) const { return rank_[next(s, port)] < rank_[s]; }
  // To be called when goals changed.
  void take_goals();
  // Moves entries. `row` is that of the target `to` at switch `at`. A move costs at most
  // `most_price` for each shift and channel: 15 where it meets one flow, 65 where it meets two.
  Relieved relieve(std::uint32_t at, const EvenDestination& to, std::span<Port> row, Effort effort,
                   double most_price, std::uint32_t turn);
  // Of the switches at these channels, those that send over them to the target send all that passes
  // there by another port, if that lowers the sum of squares.
  void level(std::uint32_t at, const EvenDestination& to, std::span<Port> row,
             std::span<const EvenStep> full);
  // The entries changed. Moves entries of sources out of shifts where so many flows or more meet on
  // a channel, while the sum of count^4 falls and nothing gets above its goal.
  std::size_t spread_shifts(const CrowdedRow& crowded, std::span<Port> row, std::uint32_t least);

 private:
  static constexpr std::size_t kMostHops = 16;  // longer ways are left as they are
  struct Way {
    std::array<EvenStep, kMostHops> steps;
    std::size_t size = 0;
    double price = 0;  // of shifts and loads
    double over = 0;   // what it adds to the sum of squares
    double cost = 0;   // both
  };

  bool is_over(std::uint32_t slot) const { return (over_[slot / 64] >> slot % 64 & 1U) != 0; }
  std::uint32_t next(std::uint32_t s, Port port) const { return net_.next(net_.slot(s, port)); }
  void set_load(std::uint32_t slot, std::uint64_t load) {
    EvenChannel& channel = net_.channel[slot];
    channel.load = load;
    const std::uint64_t bit = std::uint64_t{1} << slot % 64;
    over_[slot / 64] = (over_[slot / 64] & ~bit) | (load > channel.goal ? bit : 0);
  }
  std::uint32_t end_of(const Way& way) const {
    return next(way.steps[way.size - 1].at, way.steps[way.size - 1].port);
  }
  std::uint64_t weight_of(std::uint32_t s) const { return own_weight_[s] + arrived(s); }
  std::uint64_t arrived(std::uint32_t s) const {
    if (follows_) return traffic_.arrived(s);
    return passable_[s] != 0 ? arrived_by_walking(s) : 0;
  }
  bool sends(std::uint32_t s) const { return own_weight_[s] != 0; }

  static std::vector<float> power_grid();
  std::uint64_t arrived_by_walking(std::uint32_t s) const;
  // Calls visit(u) for the switches that send and whose way leads over s, itself included.
  template <class Visit>
  void each_behind(std::uint32_t s, const Visit& visit) const;
  bool walk(std::uint32_t s);             // sets old_; whether a channel is over its goal
  bool is_clean(std::uint32_t s);         // no channel from there on is over its goal
  bool is_passed(std::uint32_t s) const;  // by flows of a neighbour, its own or others'
  void try_level(std::uint32_t u);
  bool try_first(std::uint32_t s);
  // Sets way_: from s by that port to the old way. False if there is none, or none legal, or one
  // that adds `most` or more to the sum of squares.
  bool lead(std::uint32_t s, Port port, double most);
  bool is_crowded() const;                            // way_, with what it would get
  bool try_move(std::uint32_t s, double most_price);  // of its entry, with all behind it
  void find_behind(std::uint32_t s);                  // sets windows_
  void find_relief();                                 // sets relief_of_
  void extend(std::uint32_t s, std::size_t hops_left, bool descended);
  void step(std::uint32_t s, Port port, std::size_t hops_left, bool descended);
  bool try_spread(std::uint32_t s, std::uint32_t least);
  void begin(std::uint32_t at, const EvenDestination& to, std::span<Port> row);
  void take_kind(std::uint32_t kind);  // sets own_weight_, all to all
  void end();
  void find_best(std::uint32_t s, double most_price);
  void fetch_ways(std::uint32_t s) const;
  void apply(std::uint32_t s);
  double added_load_cost(std::uint32_t slot) const;
  // Or a part of it which is `enough` or more.
  double added_crowd_cost(std::uint32_t slot, double enough) const;
  double square_over(std::uint32_t slot, std::uint64_t load) const;

  EvenNet& net_;
  ShiftCrowd& crowd_;
  std::span<const std::uint32_t> rank_;
  RowTraffic traffic_;
  std::vector<std::uint64_t> over_;  // by slot, as bits: above its goal
  std::vector<float> power_;         // by grid cell
  // By switch: whether flows of others can go over it, since it is above a neighbour.
  std::vector<std::uint8_t> passable_;
  bool few_passable_ = false;  // of the sources
  double crowd_price_;         // of what a way adds to the sum over shifts looked at
  // Of the target in hand.
  std::uint32_t at_ = 0;
  const EvenDestination* to_ = nullptr;
  std::span<Port> row_;
  bool follows_ = true;  // traffic_ is that of the row
  bool free_entries_ = false;
  bool plateau_ = false;                   // moves that only hand the excess on are taken
  std::vector<std::uint64_t> own_weight_;  // by switch: what its terminals send
  std::uint32_t kind_ = kNobody;           // own_weight_ is for, all to all
  std::uint32_t turn_ = 0;
  std::uint32_t rest_;  // turns
  // By slot: the turn up to which it gets no excess, since it handed on its own.
  std::vector<std::uint32_t> rests_until_;
  std::vector<std::uint32_t> clean_;    // by switch: when it was seen to be
  std::uint32_t now_ = 0;               // counts times at which ways may stop to be clean
  std::vector<std::uint64_t> in_vain_;  // by switch: changes_ when no move was found for it
  std::uint64_t changes_ = 0;           // moves made and targets taken in hand
  std::uint32_t column_ = 0;            // of a source's ports: where the last move led
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
