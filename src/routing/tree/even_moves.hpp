// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Moves single entries of routed tables off links that carry more than their limit.
//
// A move changes the entry of one switch for one destination, and with it the path of all that
// passes there: of switches that others' flows pass, then of sources. Every link has a price that
// grows exponentially with its load over its target load. What passes a link above its limit moves
// to a path as long, legal, which has
// - at most 0.4 of the price of the part of the old path that it replaces, each on average while
// the
//   load comes or goes: so one sum over links, of what prices add up to from nothing to the load,
//   falls with every move, and overload spreads to where there is room, over several links in turn;
// - at most `shared` flows of a shift on a link (ShiftContention), unless a link that is relieved
// is so
//   overloaded that it matters more (EvenChannel::urgent).
// Ports are tried from the one that the destination's last move led to, so that a link with its own
// destination takes flows of one displaced destination from a few leaves rather than single flows
// of many. Entries of switches that nothing for the destination arrives at are free to change with
// a move, an up hop to another up hop, a down hop to a parallel cable.
//
// Two things keep searches short. The cheapest path onwards from each switch, as if all switches
// were free to change, is found once for all destinations of a switch: most sources see at once
// that nothing is cheaper. And what is refused for its shifts is not tried often.
//
// Legal: an up hop may become another up hop or a down hop to the end, a down hop only a down hop
// to the end, in the order of switches by which the tables are legal. No pair gets a longer path.
// Cost of a pass: O(sources) for a destination on such a link, O(links) for a switch with
// destinations.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "routing/tables/routing.hpp"
#include "routing/tree/even_net.hpp"
#include "routing/tree/shift_contention.hpp"
#include "routing/tree/steep_price.hpp"

namespace fatwood {

class EvenMoves {
 public:
  // `rank`: of switches in the order by which the tables are legal, 0 the highest; `descending`:
  // the switches by rank.
  EvenMoves(EvenNet& net, ShiftContention& contention, std::span<const std::uint32_t> rank,
            std::span<const std::uint32_t> descending);

  struct Pass {
    std::uint32_t number;  // passes begin with different sources
    float steepness;       // of prices
    std::uint32_t shared;  // so many flows of a shift may share a link on a new path,
    std::uint32_t longer;  // sources may have so many hops more than before; see note_lengths()
    bool patient;          // small gains count, and every path is tried
    bool within;           // new paths stay within limits
    bool urgent;           // unless the link that is relieved is urgent
  };
  // Takes the lengths of paths now for those that longer ones are compared with. To be called
  // before a pass with longer ones.
  void note_lengths(const ForwardingTables& tables);
  // To be called when limits changed, and before each pass.
  void begin_pass(const Pass& pass);
  // Moves entries of the destination `to` at switch `at` off links above their limits; returns how
  // many.
  std::size_t rebalance(std::uint32_t at, const EvenDestination& to, std::span<Port> row);
  // Moves entries of sources whose flows share a link with so many others of their shift, itself
  // included, or more; returns how many.
  std::size_t spread_shifts(const CongestedRow& congested, std::span<Port> row,
                            std::uint32_t least);

 private:
  static constexpr std::size_t kMostHops = 16;      // longer paths are left as they are
  static constexpr std::uint32_t kAnyNumber = 128;  // of flows of a shift: all that counts tell
  struct Step {
    std::uint32_t at;
    Port port;
  };
  struct Path {
    std::array<Step, kMostHops> steps;
    std::size_t size = 0;
  };
  // The cheapest path onwards from a switch that climbs, if all switches on it were free to change.
  // Found once for all destinations of a switch, and again where moves are seen to have filled it.
  struct Best {
    std::uint32_t home = 0;  // counts switches whose destinations are in hand
    std::uint16_t hops = 0;
    Port port{};
    float price = 0;
  };

  static constexpr float kNoPath = std::numeric_limits<float>::infinity();

  bool is_over(std::uint32_t slot) const { return (over_[slot / 64] >> slot % 64 & 1U) != 0; }
  void set_over(std::uint32_t slot, bool over) {
    const std::uint64_t bit = std::uint64_t{1} << slot % 64;
    over_[slot / 64] = (over_[slot / 64] & ~bit) | (over ? bit : 0);
  }
  bool goes_up(std::uint32_t s, Port port) const { return rank_[next(s, port)] < rank_[s]; }
  std::uint32_t next(std::uint32_t s, Port port) const { return net_.next(net_.slot(s, port)); }
  std::uint32_t slot_of(std::uint32_t s) const { return net_.slot(s, row_[s]); }
  // The ports of a switch by place: those that lead down, then those that lead up.
  std::span<const Port> ports_of(std::uint32_t s) const {
    return {ports_.data() + first_[s], ports_.data() + first_[s + 1]};
  }
  // Calls visit(port) for ports with places in [first, end), from `start` on and round, until it
  // returns true.
  template <class Visit>
  bool any_port(std::uint32_t s, std::uint32_t first, std::uint32_t end, std::uint32_t start,
                const Visit& visit) const {
    const Port* const ports = ports_.data() + first_[s];
    for (std::uint32_t i = start; i < end; ++i) {
      if (visit(ports[i])) return true;
    }
    for (std::uint32_t i = first; i < start; ++i) {
      if (visit(ports[i])) return true;
    }
    return false;
  }
  bool sends(std::uint32_t s) const { return own_weight_[s] != 0; }
  bool is_free(std::uint32_t s) const { return traffic_.arrived(s) == 0 && !sends(s); }

  void begin(std::uint32_t at, const EvenDestination& to, std::span<Port> row);
  void end();
  // Moves the entry of s if its path has a link above its limit, and another is cheaper.
  bool relieve_at(std::uint32_t s);
  // To a parallel cable, the cheapest: most overload is little, and needs no search.
  bool try_parallel(std::uint32_t s);
  // The path from a switch, as the row has it.
  struct Onward {
    std::uint32_t row = 0, hops = 0;
    float price = 0;
    bool hot = false;  // a link above its limit
  };
  const Onward& onwards(std::uint32_t s);
  void walk(std::uint32_t s);         // sets old_ and hops_
  void find_behind(std::uint32_t s);  // sets windows_
  // Moves the entry of s, with all behind it, to a cheaper path.
  bool try_move(std::uint32_t s, bool up);
  // The same, to a longer path, if nothing else passes s. `hops`: of the path now.
  bool try_longer(std::uint32_t s, std::uint32_t hops);
  std::uint32_t least_hops(std::uint32_t s, std::uint32_t at) const {
    return least_hops_[net_.source_at(s) * net_.sources().size() + net_.source_at(at)];
  }
  // The same, to a path within limits that meets the old one after its link number `leave`.
  bool try_spread(std::uint32_t s, std::size_t leave);
  // Lays path_ from s by this port until it meets the old path; false if it does not in time.
  bool lay(std::uint32_t s, Port port);
  float gain() const { return pass_.patient ? kSmallGain : kGain; }
  bool is_cheaper() const;  // path_, than the part of the old path that it replaces
  bool is_within_limits() const;
  // Of a link, on average while what moves comes (1) or goes (-1).
  float price(std::uint32_t slot, float share) const {
    return price_[slot] * mean_price_exp(share * moving_ * part_[slot]);
  }
  // From s, where it climbs, to the destination in so many hops.
  const Best& best(std::uint32_t s, std::uint32_t hops);
  // Of the path onwards from s as it would be laid.
  float price_onwards(std::uint32_t s, std::uint32_t hops, bool went_up, float enough);
  // Of the descent from s to the destination in so many hops, or kNoPath: as the row has it, but
  // for parallel cables; with longer paths, by any switch below.
  float price_below(std::uint32_t s, std::uint32_t hops) const;
  float price_straight(std::uint32_t s, std::uint32_t hops) const;
  struct Descent {
    Port port;
    float price;
  };
  Descent any_descent(std::uint32_t s, std::uint32_t hops) const;
  // Where s descends: its port, or what is cheapest, if it is free to change.
  Port down_port(std::uint32_t s, std::uint32_t hops) const {
    if (!is_free(s)) return row_[s];
    return pass_.longer > 0 ? any_descent(s, hops).port : least_parallel(s);
  }
  Port least_parallel(std::uint32_t s) const;
  // The first place of ports that an entry of s may lead to: an up hop stays one, but where hosts
  // are.
  std::uint32_t first_place(std::uint32_t s) const {
    return sends(s) || !goes_up(s, row_[s]) ? 0 : downs_[s];
  }
  // How many flows of a shift may share a link on the new path of what is moved off a channel.
  std::uint32_t shared_off(const EvenChannel& channel) const {
    return pass_.urgent && static_cast<float>(channel.load) > channel.urgent ? kAnyNumber
                                                                             : pass_.shared;
  }
  void fetch_contention() const;  // has the counts of path_ brought from memory
  bool is_congested();            // path_, with what it would get
  void apply(std::uint32_t s);
  void set_load(std::uint32_t slot, std::uint64_t load) {
    EvenChannel& channel = net_.channel[slot];
    channel.load = load;
    set_over(slot, load > channel.limit);
    set_price(slot);
  }
  void set_price(std::uint32_t slot) {
    const EvenChannel& channel = net_.channel[slot];
    const float above = static_cast<float>(static_cast<std::int64_t>(channel.load)) - channel.least;
    price_[slot] = price_exp(part_[slot] * above);
  }

  // A new path has at most that part of the price of what it replaces: smaller gains are many moves
  // for little. With patience, and without.
  static constexpr float kSmallGain = 0.9F;
  static constexpr float kGain = 0.4F;
  // A bundle raises the price of a link of the usual speed by e to the power of this, at most.
  static constexpr float kMostSteep = 10;
  // Paths on which too many flows of a shift would share a link, until a search is given up.
  static constexpr std::uint32_t kCongested = 2;

  EvenNet& net_;
  ShiftContention& contention_;
  std::span<const std::uint32_t> rank_;
  RowTraffic traffic_;
  std::vector<std::uint64_t> over_;  // by slot, as bits: above its limit, and not given up
  Pass pass_{};
  std::vector<Port> ports_;                   // of each switch: down, then up
  std::vector<std::uint32_t> first_, downs_;  // by switch: its first port there; how many lead down
  std::vector<std::uint8_t> place_;           // by slot: of the port in ports_of
  struct Parallel {
    std::uint8_t first, count;  // places
  };
  std::vector<Parallel> group_;           // by slot: cables in a row to the same switch
  std::vector<float> price_;              // by slot: of a unit more on it
  float bundle_ = 1;                      // what a source sends to an address, on average
  std::vector<float> part_;               // by slot: of the exponent of its price, for a unit
  std::vector<std::uint8_t> least_hops_;  // by source and source: see note_lengths()
  // Of the destination in hand.
  std::vector<std::uint32_t> bundles_;  // switches that others' flows to it pass
  std::uint32_t at_ = 0;
  const EvenDestination* to_ = nullptr;
  std::span<Port> row_;
  std::uint32_t rows_ = 0;                 // counts destinations taken in hand
  std::vector<std::uint64_t> own_weight_;  // by switch: what its terminals send
  std::uint32_t kind_ = kNobody;           // own_weight_ is for, all to all
  std::vector<Onward> onward_;             // by switch
  std::uint32_t column_ = 0;               // of a switch's ports: where the last move led
  std::uint32_t most_ = 0;                 // flows of a shift that may share a link
  // Of the move in hand.
  std::vector<std::uint32_t> old_;   // switches on the path, the destination's included
  std::vector<std::uint32_t> hops_;  // by switch: from there, where on the path; else kNobody
  std::uint32_t longer_ = 0;         // hops more than the old path
  std::uint64_t weight_ = 0;
  float moving_ = 0;                              // the same
  std::uint32_t moved_ = 0;                       // the switch whose entry moves
  std::vector<ShiftContention::Window> windows_;  // of what moves, when first asked for
  bool windows_known_ = false;
  std::vector<Best> best_;   // by switch
  std::uint32_t homes_ = 0;  // counts switches whose destinations are in hand
  Path path_;
};

}  // namespace fatwood
