// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rebalances tables: moves single entries off links whose load exceeds their limit (even_cuts.hpp).
//
// A move changes the entry of one switch for one destination, and with it the path of all traffic
// to that destination that passes the switch. Switches with transit traffic are examined first,
// then sources. Which path is better is decided by prices: the price of a link grows exponentially
// with load / target load. If a path has a link above its limit, it is replaced by a legal path of
// the same length (or up to Pass::longer hops longer) if the new part
// - costs at most 0.4 of the old part (0.9 if Pass::patient). Prices are averaged over the change
//   of load. So every move reduces the total price (the integral of each link's price up to its
//   load), and overload moves step by step to where there is room;
// - has at most `shared` flows of one shift on each link (ShiftContention), unless the old link is
//   so overloaded that this matters more (EvenChannel::urgent).
//
// Ports are tried starting with the port of the destination's last move. So a link takes the flows
// of one displaced destination from a few leaves, instead of single flows of many destinations. A
// move may also change entries of switches that forward nothing to the destination yet: an up hop
// to another up hop, a down hop to a parallel cable.
//
// Three things keep searches short:
// - The cheapest path from each switch, if all switches could change their entries, is computed
//   once for all destinations of a switch. A source that searched all its ports without a result
//   keeps the least price it saw (unless Pass::exact). For most sources this already shows that
//   nothing is cheaper.
// - The price of the present path from each switch is computed once for all sources, until the next
//   move.
// - A search stops after a few paths that were refused because of shifts.
//
// Legality: in the order of switches by which the tables are legal, an up hop may become another up
// hop or a path that only goes down. A down hop may only become a path that only goes down.
// Cost of a pass: O(sources) per destination on a link above its limit, O(links) per switch with
// destinations. All passes together look at a limited number of ports (a count, not a time, so
// results do not depend on the machine); after that, entries stay.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "routing/even/even_net.hpp"
#include "routing/even/shift_contention.hpp"
#include "routing/even/steep_price.hpp"
#include "routing/tables/routing.hpp"

namespace fatwood {

class EvenMoves {
 public:
  // `rank`: position of each switch in the order by which the tables are legal, 0 is the highest;
  // `descending`: the switches by rank; `work_per_entry`: limit of the ports that all passes
  // together look at for each entry of the tables. What takes about a second is not limited.
  EvenMoves(EvenNet& net, ShiftContention& contention, std::span<const std::uint32_t> rank,
            std::span<const std::uint32_t> descending, std::uint64_t work_per_entry);

  struct Pass {
    std::uint32_t number;  // passes start with different sources
    float steepness;       // of prices
    std::uint32_t shared;  // most flows of a shift that may share a link on a new path
    std::uint32_t longer;  // extra hops allowed for sources; see note_lengths()
    bool patient;          // accept smaller gains (kSmallGain), and try every path
    bool exact;            // search again where the last search had no result
    bool within;           // new paths stay within limits
    bool urgent;           // ignore `shared` if the relieved link is urgent
  };
  // Records the present path lengths, with which those of longer paths are compared. Call it before
  // a pass with `longer`.
  void note_lengths(const ForwardingTables& tables);
  // Whether the limit of work is reached: further passes move nothing.
  bool is_spent() const { return work_ >= most_work_; }
  // Call it after limits changed, and before each pass.
  void begin_pass(const Pass& pass);
  // Moves entries of the destination `to` on switch `at` off links above their limits.
  void rebalance(std::uint32_t at, const EvenDestination& to, std::span<Port> row);
  // Moves entries of sources whose flows share a link with too many flows of their shift: `least`
  // or more, themselves included.
  void spread_shifts(const CongestedRow& congested, std::span<Port> row, std::uint32_t least);

 private:
  static constexpr std::size_t kMostHops = 16;  // longer paths are not changed
  // Ports that are looked at in about a second.
  static constexpr std::uint64_t kShortWork = std::uint64_t{1} << 27U;
  static constexpr std::uint32_t kAnyNumber = 128;  // flows of a shift: the largest count
  struct Step {
    std::uint32_t at;
    Port port;
  };
  struct Path {
    std::array<Step, kMostHops> steps;
    std::size_t size = 0;

    std::span<const Step> all() const { return {steps.data(), size}; }
  };
  // The cheapest path from a switch that goes up, if all switches on it could change their entries.
  // Computed once for all destinations of a switch, and again if moves have loaded it.
  struct Best {
    std::uint32_t home = 0;  // number of the destination switch that it was computed for
    Port port{};
    float price = 0;
  };

  static constexpr float kNoPath = std::numeric_limits<float>::infinity();

  bool is_over(std::uint32_t slot) const { return over_[slot]; }
  bool goes_up(std::uint32_t s, Port port) const { return rank_[next(s, port)] < rank_[s]; }
  std::uint32_t next(std::uint32_t s, Port port) const { return net_.next(net_.slot(s, port)); }
  std::uint32_t slot_of(std::uint32_t s) const { return net_.slot(s, row_[s]); }
  std::uint32_t slot_of(const Step& step) const { return net_.slot(step.at, step.port); }
  // The switch where path_ meets the old path.
  std::uint32_t meeting() const { return net_.next(slot_of(path_.all().back())); }
  bool sends(std::uint32_t s) const { return own_weight_[s] != 0; }
  bool is_free(std::uint32_t s) const { return traffic_.arrived(s) == 0 && !sends(s); }

  void begin(std::uint32_t at, const EvenDestination& to, std::span<Port> row);
  void end();
  // Moves the entry of s if its path has a link above its limit and a cheaper path exists.
  void relieve_at(std::uint32_t s);
  // Tries to move the entry to a parallel cable, the cheapest first. This removes most overload
  // without a search.
  bool try_parallel(std::uint32_t s);
  // The path from a switch along the row, valid for one version of the row and its prices.
  struct Onward {
    std::uint32_t version = 0, hops = 0;
    float price = 0;
    bool hot = false;  // has a link above its limit
  };
  const Onward& onwards(std::uint32_t s);
  void find_onward(std::uint32_t s);  // REQUIRES that the path of the next switch is known
  // Sets hot_: switches whose path has a link above its limit, and perhaps a cheaper alternative.
  void find_hot();
  // Starts a move of the entry of s to a path with `longer` more hops.
  void begin_move(std::uint32_t s, std::uint32_t longer);
  void walk(std::uint32_t s);         // sets old_ and hops_
  void find_behind(std::uint32_t s);  // sets windows_
  void look_at(std::uint32_t s);      // sets windows_ and most_; prefetches counts of the old path
  // Moves the entry of s, with all traffic behind it, to a cheaper path of `hops` hops. `old`:
  // onwards(s).
  bool try_move(std::uint32_t s, const Onward& old, std::uint32_t hops);
  std::uint32_t least_hops(std::uint32_t s, std::uint32_t at) const {
    return least_hops_[net_.source_at(s) * net_.sources().size() + net_.source_at(at)];
  }
  // The same, to a path within limits that avoids link number `leave` of the old path.
  void try_spread(std::uint32_t s, std::size_t leave);
  // Sets path_ to the path from s over this port until it meets the old path. False: it does not
  // meet it within the allowed hops.
  bool lay(std::uint32_t s, Port port);
  float gain() const { return pass_.patient ? kSmallGain : kGain; }
  bool is_cheaper() const;  // compares path_ with the part of the old path that it replaces
  bool is_within_limits() const;
  // The mean price of a link while the moved load is removed, and while it is added.
  float price_removed(std::uint32_t slot) const {
    const float x = part_[slot] * moving();
    return price_[slot] / (1 + x / 2 + x * x / 12);  // nearly (1 - exp(-x)) / x
  }
  float price_added(std::uint32_t slot) const {
    return price_removed(slot) * price_exp(part_[slot] * moving());
  }
  float moving() const { return static_cast<float>(static_cast<std::int64_t>(weight_)); }
  // The most that a new path may cost, before the move, to be examined, if the old path costs 1.
  // Exact if `part` is the same for all links.
  float most_of_price(float part) const {
    return pass_.patient ? gain() : gain() * price_exp(-part * moving());
  }
  // The cheapest path from s to the destination with this many hops.
  const Best& best(std::uint32_t s, std::uint32_t hops);
  Best& best_slot(std::uint32_t s, std::uint32_t hops) { return best_[hops * net_.size() + s]; }
  // Paths of other lengths make this one unknown, since prices have changed meanwhile, until they
  // have taken as much work as all lengths together. Without that limit the work is exponential in
  // the hops where switches have paths of many lengths.
  bool is_known(std::uint32_t s, std::uint32_t hops) const {
    return best_[hops * net_.size() + s].home == homes_ &&
           (latest_[s] == hops || work_ > home_work_ + kMostHops * net_.num_channels());
  }
  float best_price(std::uint32_t s, std::uint32_t hops) {
    return is_known(s, hops) ? best_slot(s, hops).price : best(s, hops).price;
  }
  // A lower bound on that price for a source: what its last search without a result found; before
  // that, and for paths that are not changed, 0.
  float least_price(std::uint32_t s, std::uint32_t hops) {
    if (hops >= kMostHops) return 0;
    return pass_.exact ? best_price(s, hops) : is_known(s, hops) ? best_slot(s, hops).price : 0;
  }
  // The price of the path from s with this many hops, as lay() would choose it.
  float ahead(std::uint32_t s, std::uint32_t hops);
  // The price of the path down from s to the destination with this many hops, or kNoPath. The path
  // follows the row, except that it may use parallel cables.
  float price_straight(std::uint32_t s, std::uint32_t hops) const;
  struct Descent {
    Port port;
    float price;
  };
  // The cheapest path down over any switch below.
  Descent any_descent(std::uint32_t s, std::uint32_t hops) const;
  // The down port of s: the cheapest if the entry of s can change, otherwise that of the row.
  Port down_port(std::uint32_t s, std::uint32_t hops) const {
    return is_free(s) ? best_descent(s, hops) : row_[s];
  }
  Port best_descent(std::uint32_t s, std::uint32_t hops) const {
    return pass_.longer > 0 ? any_descent(s, hops).port : least_parallel(s);
  }
  Port least_parallel(std::uint32_t s) const;
  // The places of ports that an entry of s may use: an up hop stays an up hop, except at switches
  // with hosts.
  std::uint32_t first_place(std::uint32_t s) const {
    return sends(s) || !goes_up(s, row_[s]) ? 0 : downs_[s];
  }
  std::uint32_t end_place(std::uint32_t s) const {
    return goes_up(s, row_[s]) ? first_[s + 1] - first_[s] : downs_[s];
  }
  const Port* ports_of(std::uint32_t s) const { return ports_.data() + first_[s]; }  // by place
  // Calls visit(place, port) for these, starting with column_, until it returns true.
  template <class Visit>
  void any_place(std::uint32_t s, const Visit& visit) const {
    const std::uint32_t first = first_place(s);
    const std::uint32_t end = end_place(s);
    if (first == end) return;
    const Port* const ports = ports_of(s);
    std::uint32_t i = first + column_ % (end - first);
    for (std::uint32_t left = end - first; left > 0; --left) {
      if (visit(i, ports[i])) return;
      if (++i == end) i = first;
    }
  }
  void forget_path();             // forgets the prices known for path_
  void fetch_contention() const;  // prefetches the counts of path_
  // Whether path_ has too many flows of a shift on a link, with the moved flows added.
  bool is_congested() const;
  void apply(std::uint32_t s);
  void set_load(std::uint32_t slot, std::uint64_t load) {
    EvenChannel& channel = net_.channel[slot];
    channel.load = load;
    over_[slot] = load > channel.limit;
    const float above = static_cast<float>(static_cast<std::int64_t>(channel.load)) - channel.least;
    price_[slot] = price_exp(part_[slot] * above);
  }

  // A new path costs at most this fraction of the part that it replaces, because smaller gains need
  // many moves for little effect. The first is for `patient` passes, the second for others.
  static constexpr float kSmallGain = 0.9F;
  static constexpr float kGain = 0.4F;
  // Limit of the exponent by which one bundle raises the price of a link of the usual speed.
  static constexpr float kMostSteep = 10;
  // A search ends after this many paths with too many flows of a shift on a link.
  static constexpr std::uint32_t kCongested = 2;

  EvenNet& net_;
  ShiftContention& contention_;
  std::span<const std::uint32_t> rank_;
  RowTraffic traffic_;
  std::vector<bool> over_;  // by slot: above its limit
  Pass pass_{};
  std::vector<Port> ports_;                   // of each switch: down, then up
  std::vector<std::uint32_t> first_, downs_;  // by switch: index of its first port; down ports
  struct Parallel {
    std::uint8_t first, count;  // places in ports_of
  };
  std::vector<Parallel> trunk_;           // by slot: parallel cables to the same switch
  std::vector<float> price_;              // by slot: of one more unit
  float bundle_ = 1;                      // what a source sends to an address, on average
  std::vector<float> part_;               // by slot: change of the price's exponent per unit
  std::vector<std::uint8_t> least_hops_;  // by source and source: see note_lengths()
  // Of the current destination:
  std::vector<std::uint32_t> hot_;  // switches to relieve
  std::uint32_t at_ = 0;
  const EvenDestination* to_ = nullptr;
  std::span<Port> row_;
  std::uint32_t version_ = 0;              // of the row and its prices: a move makes a new one
  std::vector<std::uint64_t> own_weight_;  // by switch: what its terminals send
  std::vector<float> most_part_;           // by switch: most_of_price() for these
  std::uint32_t kind_ = kNobody;  // kind of destination port that own_weight_ is for (all-to-all)
  std::vector<Onward> onward_;    // by switch
  struct Ahead {
    std::uint32_t version = 0, hops = 0;
    float price = 0;
  };
  std::vector<Ahead> ahead_;  // by switch
  std::uint32_t column_ = 0;  // index of the port that the last move led to
  std::uint32_t most_ = 0;    // flows of a shift that may share a link
  // Of the current move:
  std::vector<std::uint32_t> old_;   // switches on the old path, the destination's included
  std::vector<std::uint32_t> hops_;  // by switch on the old path: hops left; otherwise kNobody
  std::uint32_t longer_ = 0;         // extra hops compared with the old path
  std::uint64_t weight_ = 0;
  std::vector<ShiftContention::Window> windows_;  // of the moved flows
  std::vector<Best> best_;                        // by hops, then switch
  std::vector<std::uint8_t> latest_;              // by switch: hops of the path computed last
  std::uint32_t homes_ = 0;                       // number of the current destination switch
  Path path_;
  // Ports looked at, mutable as const searches count, too.
  std::uint64_t most_work_;         // nothing is moved after that
  mutable std::uint64_t work_ = 0;  // so far
  std::uint64_t home_work_ = 0;     // before the current destination switch
};

}  // namespace fatwood
