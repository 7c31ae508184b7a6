// SPDX-License-Identifier: BSD-3-Clause
// even: every link of a damaged tree near its target load, for all to all or given demands.
//
// Objective: no link above 1.0195 times its target load, the largest fair share of the cuts it
// belongs to (topology/levels/tree_cuts.hpp); but no move lets more flows of a shift share a link
// than is usual (two, mostly).
//
// Problem: ftree and sftree bring a destination down by one chain. A leaf that lost 2 of 18 cables
// has 18 destinations for 16 cables, and two of them carry twice what they need to. Tables are by
// switch and destination, so leaves may climb to different columns for one destination.
// Method: sftree's tables, with the chains of the whole tree that the fabric is near to, if it is,
// wherever they are left (Chains::kHome). Then rounds: in each, entries are moved off links that
// exceed their target loads by more than 16, 8, 4 and 2% (even_moves.hpp). Large overloads are
// spread widely while there is room for that; at 2% at once, what is displaced would fill the links
// around it, and the rest would find none. After the round of 8% entries are moved out of shifts of
// which three or more flows share a link; later moves make no new ones. The last round is repeated
// while it helps. On small fabrics there is time to start from sftree's own tables, too, and to
// exchange entries of the better ones (even_swaps.hpp).
// Who sends: the terminals that count, to all others; with 2^lmc addresses to all of them. For
// given demands the same is done once more, from those tables: loads are the demands' then, shifts
// are not looked at, and entries that carry none of them stay.
// Result: tables on one lane, every pair, legal in sftree's order, no path longer than before.
// Whole trees on which d-mod-k is even keep sftree's tables, byte for byte. Cost: some passes over
// the tables. One thread moves entries, so the result is the same at any number of them.

#include <algorithm>
#include <optional>

#include "core/parallel.hpp"
#include "core/time_limit.hpp"
#include "routing/engine_list.hpp"
#include "routing/tree/by_parts.hpp"
#include "routing/tree/even_bound.hpp"
#include "routing/tree/even_moves.hpp"
#include "routing/tree/even_swaps.hpp"
#include "routing/tree/sftree.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/levels/tree_cuts.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20U;
constexpr std::size_t kMostCrowdBytes = 64 * kMegabyte;

struct Tuning {
  std::int64_t overload;    // that links may have, in 1/10000 of their target loads
  std::int64_t first;       // that of the first round is at least that
  std::size_t crowd_bytes;  // to count shifts with; 0: they are not looked at
  int spreads;              // passes that move entries out of congested shifts
};
// 1.0195: the mean over cuts is at most 1.02, and a leaf with 18 hosts and 17 links has room for
// two more addresses on a port (1.018 for one). Counts of more than 16 MB do not fit a cache.
constexpr Tuning kDefault{195, 1500, 16 * kMegabyte, 2};
// Room for all to all is room for shifts.
constexpr Tuning kShifts{1000, 1500, kMostCrowdBytes, 3};
constexpr Tuning kQuick{400, 400, 0, 0};
constexpr Tuning kDemands{180, 1400, 0, 0};

Tuning tuning_of(const RouteOptions& options) {
  if (options.quick) return kQuick;
  return options.aim == Aim::kShifts ? kShifts : kDefault;
}

constexpr std::int64_t kWhole = 10000;  // the unit of overloads
// Congested shifts need room to be spread: after the last round that leaves that much.
constexpr std::int64_t kRoomForShifts = 700;
// Descents through all rounds: with three Selene has twice the cuts above 1.02.
constexpr std::uint32_t kDescents = 4;
// Sources times terminals squared below which entries are exchanged and two starts compared, and
// passes of exchanges: more gain little.
constexpr std::size_t kSmall = std::size_t{1} << 20U;
constexpr int kExchanges = 3;
// Flows of a shift on one link: this many are too many, or as many as share few of all links and
// shifts.
constexpr std::uint32_t kCongested = 3;
constexpr std::uint32_t kAnyNumber = 128;  // the most that counts can tell
constexpr std::size_t kFewParts = 200;
// Congestion in one of so many shifts is not worth a pass.
constexpr std::size_t kHardlyAny = 16;

// How many threads to use for so many sources times terminals: what takes one of them a few
// milliseconds hardly ends sooner on two.
int threads_of(std::size_t pairs, int asked) {
  constexpr std::size_t kPairsOfThread = std::size_t{1} << 18U;
  const auto most = static_cast<std::size_t>(thread_count(asked));
  return static_cast<int>(std::clamp<std::size_t>(pairs / kPairsOfThread, 1, most));
}

class Rebalancer {
 public:
  Rebalancer(const Model& model, SubTreeRouting& laid, const Tuning& tuning, int threads,
             std::span<const PairDemand> demands = {})
      : laid_(laid),
        tuning_(tuning),
        net_(model, laid.tree.climb, laid.tree.tables, demands),
        threads_(threads_of(num_pairs(), threads)),
        crowd_(net_) {
    for (const Switch s : laid.sub.descending) descending_.push_back(index(s));
    count_loads(net_, descending_, laid_.tree.tables, threads_);
    find_shares(model);
    set_limits(tuning_.overload);
  }

  // Whether some link is above its limit.
  bool is_uneven() const { return excess() > 0; }

  // Whether there is time for exchanges, and for a second start.
  bool is_small() const {
    return tuning_.spreads > 0 && num_pairs() * net_.num_terminals() < kSmall;
  }

  void run() {
    if (tuning_.crowd_bytes > 0) {
      crowd_ = ShiftCrowd(net_, tuning_.crowd_bytes, kMostCrowdBytes);
      count_crowd(crowd_, net_, descending_, laid_.tree.tables, kCongested, threads_);
    }
    if (is_small()) usual_ = crowd_.rare_count(kCongested, kFewParts);
    EvenMoves moves(net_, crowd_, laid_.sub.rank, descending_);
    relieve(moves);
    left_ = excess();
    // Accept the remaining overload.
    for (EvenChannel& channel : net_.channel) channel.limit = std::max(channel.limit, channel.load);
  }
  // Whether links carry less above their limits, or as much, and fewer flows of a shift share one.
  // REQUIRES run() of both, and shifts that are looked at.
  bool is_better(const Rebalancer& other) const {
    return std::pair(left_, crowd_.sum_of_largest()) <
           std::pair(other.left_, other.crowd_.sum_of_largest());
  }
  // REQUIRES is_small(), run().
  void exchange() { EvenSwaps(net_, crowd_, laid_.sub.rank, laid_.tree.tables).run(kExchanges); }

 private:
  // The share of a link: its target load without tolerance, and what tables can't be below.
  struct Share {
    double fair = 0, tables = 0;
  };

  // Of each link the largest over the cuts it belongs to; of links in no cut, which lie within a
  // level, the largest of all.
  void find_shares(const Model& model) {
    shares_.resize(net_.channel.size());
    Share most;
    if (net_.all_to_all()) {
      most = find_shares_of_cuts(model);
    } else {
      most = {tree_cut_bound(net_, laid_.tree.climb).value(), table_bound(net_).value()};
    }
    for (std::uint32_t slot = 0; slot < shares_.size(); ++slot) {
      if (net_.capacity(slot) == 0 || shares_[slot].fair > 0) continue;
      const auto capacity = static_cast<double>(net_.capacity(slot));
      shares_[slot] = {most.fair * capacity, most.tables * capacity};
    }
  }
  // The largest, for a capacity of 1.
  Share find_shares_of_cuts(const Model& model) {
    const Fabric& fabric = model.fabric();
    const std::vector<TreeCut> cuts = tree_cuts(fabric, model.levels());
    // A load is flows on a link of the usual speed; ours is units on a link of its own.
    const double unit = static_cast<double>(net_.units_in_one() * net_.addresses()) /
                        static_cast<double>(model.speeds().usual());
    Share most;
    for (const CutShare& share :
         all_to_all_shares(model, cuts, model.counted(), net_.addresses())) {
      const Share of_one{share.fair.value() * unit, share.tables.value() * unit};
      most = {std::max(most.fair, of_one.fair), std::max(most.tables, of_one.tables)};
      for (const Channel up : cuts[share.cut].links) {
        const Channel c = share.crossing == CutDirection::kOut ? up : fabric.peer(up);
        const std::uint32_t slot =
            net_.slot(index(fabric.as_switch(fabric.owner(c))), fabric.port(c));
        const auto capacity = static_cast<double>(net_.capacity(slot));
        Share& own = shares_[slot];
        own = {std::max(own.fair, of_one.fair * capacity),
               std::max(own.tables, of_one.tables * capacity)};
      }
    }
    return most;
  }

  void set_limits(std::int64_t overload) {
    constexpr double kRounding = 1e-6;
    const double times = 1 + static_cast<double>(overload) / static_cast<double>(kWhole);
    for (std::uint32_t slot = 0; slot < shares_.size(); ++slot) {
      const Share& share = shares_[slot];
      net_.channel[slot].limit =
          static_cast<std::uint64_t>(std::max(share.fair * times, share.tables) + kRounding);
    }
  }

  std::uint64_t excess() const {
    std::uint64_t sum = 0;
    for (const EvenChannel& channel : net_.channel) {
      if (channel.load > channel.limit) sum += channel.load - channel.limit;
    }
    return sum;
  }

  std::size_t num_pairs() const { return net_.sources().size() * net_.num_terminals(); }

  // Rounds with half the overload of the round before; then again, now that there is room where the
  // first rounds found none.
  void relieve(EvenMoves& moves) {
    std::uint32_t pass = 0;
    for (std::uint32_t descent = 0; descent < kDescents; ++descent) {
      std::int64_t overload = tuning_.overload;
      while (overload < tuning_.first) overload *= 2;
      for (; overload >= tuning_.overload; overload /= 2) {
        set_limits(overload);
        const bool last = overload / 2 < tuning_.overload;
        const Pass rule{descent > 0 ? Overload::kHandedOn : Overload::kNone,
                        shared_in(descent, overload), pass++};
        move_off(moves, rule);
        const bool last_with_room =
            overload >= kRoomForShifts && (last || overload / 2 < kRoomForShifts);
        if (descent == 0 && last_with_room && tuning_.spreads > 0) spread(moves);
      }
      if (excess() == 0) return;
    }
  }

  // How many flows of a shift may share a link: as many as is usual on small fabrics, which real
  // ones with few links often exceed. Links above 1.08 matter more than shifts.
  std::uint32_t shared_in(std::uint32_t descent, std::int64_t overload) const {
    if (descent > 0 && overload >= kRoomForShifts) return kAnyNumber;
    return usual_ - 1;
  }

  struct Pass {
    Overload overload;
    std::uint32_t shared, number;
  };
  // One pass over all targets on links above their limits; returns the moves made.
  std::size_t move_off(EvenMoves& moves, const Pass& pass) {
    moves.take_limits();
    std::size_t moved = 0;
    const std::vector<Hot> hot = hot_links();
    if (hot.empty()) return 0;
    for (const EvenSource& source : net_.sources()) {
      for (const EvenDestination& to : net_.destinations(source.at)) {
        const std::span<Port> row = laid_.tree.tables.row(to.target);
        if (std::ranges::none_of(hot, [&](const Hot& h) { return row[h.at] == h.port; })) continue;
        check_time();
        moved += moves.relieve(source.at, to, row, pass.overload, pass.shared, pass.number);
      }
    }
    return moved;
  }

  struct Hot {
    std::uint32_t at;
    Port port;
  };
  std::vector<Hot> hot_links() const {
    std::vector<Hot> hot;
    for (std::uint32_t s = 0; s < net_.size(); ++s) {
      for (const Port port : net_.cabled_ports(s)) {
        const EvenChannel& channel = net_.channel[net_.slot(s, port)];
        if (channel.load > channel.limit) hot.push_back({s, port});
      }
    }
    return hot;
  }

  // Moves entries out of shifts of which many flows share a link.
  void spread(EvenMoves& moves) {
    const std::uint32_t congested = crowd_.rare_count(kCongested, kFewParts);
    for (int pass = 0; pass < tuning_.spreads; ++pass) {
      if (crowd_.num_reaching(congested) * kHardlyAny <= crowd_.shifts()) return;
      std::size_t moved = 0;
      for (const CrowdedRow& row :
           crowded_rows(crowd_, net_, laid_.tree.tables, congested, threads_)) {
        moved += moves.spread_shifts(row, laid_.tree.tables.row(row.to.target), congested);
      }
      if (moved == 0) return;
    }
  }

  SubTreeRouting& laid_;
  std::vector<std::uint32_t> descending_;  // the switches by rank
  Tuning tuning_;
  EvenNet net_;
  int threads_;
  ShiftCrowd crowd_;                  // none until run()
  std::vector<Share> shares_;         // by slot
  std::uint32_t usual_ = kCongested;  // fewer flows of a shift than that may share a link
  std::uint64_t left_ = 0;            // above limits, after run()
};

// Whether each sub-tree has a multiple of its chains in terminals: d-mod-k gives every channel of a
// level as many destinations.
bool is_even(const TreeShape& shape) {
  for (unsigned level = 1; level < shape.height(); ++level) {
    if (shape.M(level) % (shape.W(level) * shape.up_ports(level)) != 0) return false;
  }
  return true;
}

// Whether the fabric is near to a whole tree: d-mod-k counts hosts, so few may be missing.
bool has_homes(const Model& model) {
  constexpr std::uint64_t kFewHosts = 50;  // one in so many
  const std::optional<TreeMap>& near = model.recognition().map;
  return near && near->trees == 1 &&
         kFewHosts * near->missing_hosts <= model.fabric().num_terminals();
}

// The tables of a small fabric: from the chains of the tree that it is near to, or from sftree's,
// where these end with fewer flows of a shift on a channel.
void even_small(const Model& model, const RouteOptions& options, bool homes, Rebalancer& first,
                SubTreeRouting& laid) {
  first.run();
  if (homes) {
    SubTreeRouting other = lay_sftree(model, options);
    Rebalancer second(model, other, tuning_of(options), options.threads);
    second.run();
    if (second.is_better(first)) {
      second.exchange();
      laid = std::move(other);
      return;
    }
  }
  first.exchange();
}

}  // namespace

Routing route_even(const Model& model, const RouteOptions& options) {
  if (!is_joined(model)) return route_parts(model, options, "even", route_even);
  const std::optional<WholeTree>& whole = model.whole_tree();
  const bool keep = whole && is_even(whole->shape) && model.speeds().uniform();
  const bool homes = !keep && has_homes(model);
  SubTreeRouting laid = lay_sftree(model, options, homes ? Chains::kHome : Chains::kLeastUsed);
  if (!keep) {
    Rebalancer rebalancer(model, laid, tuning_of(options), options.threads);
    if (rebalancer.is_small()) {
      even_small(model, options, homes, rebalancer, laid);
    } else if (rebalancer.is_uneven()) {
      rebalancer.run();
    }
  }
  if (!options.demands.empty()) {
    Rebalancer rebalancer(model, laid, kDemands, options.threads, options.demands);
    if (rebalancer.is_uneven()) rebalancer.run();
  }
  Routing routing;
  routing.engine = "even";
  routing.tables = std::move(laid.tree.tables);
  return routing;
}

}  // namespace fatwood
