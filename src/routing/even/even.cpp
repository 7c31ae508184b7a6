// SPDX-License-Identifier: BSD-3-Clause
// even: brings every link of a damaged tree near its target load, for all-to-all traffic or given
// demands.
//
// Objective: the mean evenness of all cuts at most 1.02, no cut above 1.05, and no more flows of
// one shift on a link than is usual in this fabric (two, mostly). The evenness of a cut is the load
// of its most loaded link over its target load (topology/levels/tree_cuts.hpp).
//
// Problem: ftree and sftree bring a destination down by one chain. A leaf that lost 2 of 18 cables
// has 18 destinations for 16 cables, so two cables carry twice what they need to. Tables have an
// entry per switch and destination, so leaves may go up to different columns for one destination.
//
// Method:
// 1. Start with sftree's tables. If the fabric is near to a complete tree, the chains are those of
//    that tree wherever they are left (Chains::kHome).
// 2. In passes, move entries off links that exceed their fair shares by more than 12.8, 6.4, 3.2
//    and 1.6% (and the table bound, if that is higher), to paths that are cheaper. The price of a
//    link rises steeply with its load (even_moves.hpp).
// 3. After the second pass, if three or more flows of a shift share a link, and that is not usual
//    in this fabric, move some of their entries. Later moves make no new cases.
// 4. Repeat the last pass until the mean is reached or a pass hardly helps. Then relieve only links
//    above 1.05.
// 5. On small fabrics, exchange entries in pairs (even_swaps.hpp), and do all of this from a second
//    start; the better result is taken.
// 6. With Aim::kJobs, move entries for jobs on neighbouring hosts (even_jobs.hpp). On fabrics near
//    to a complete tree, neither small nor large, it takes the place of steps 2 to 5 (not if
//    quick).
// The counted terminals send to all others. For given demands, the steps are repeated from the
// result: loads are those of the demands, shifts are ignored, and entries without demand stay.
//
// Result: tables on one lane, with a route for every pair, legal in sftree's order. Paths are
// longer than sftree's only where a link would be overloaded otherwise (RouteOptions::longer). A
// complete tree on which d-mod-k is even keeps sftree's tables, byte for byte.
// Cost: at most 30 passes over the tables, in which at most 256 ports are looked at for each entry
// (16 if quick; trees take 10 and 3). One thread moves entries, so the result is the same at
// any number of threads.

#include <algorithm>
#include <optional>

#include "core/time_limit.hpp"
#include "routing/engine_list.hpp"
#include "routing/even/even_cuts.hpp"
#include "routing/even/even_jobs.hpp"
#include "routing/even/even_moves.hpp"
#include "routing/even/even_swaps.hpp"
#include "routing/even/even_windows.hpp"
#include "routing/tree/by_component.hpp"
#include "routing/tree/sftree.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20U;
constexpr std::size_t kMostContentionBytes = 64 * kMegabyte;

struct Tuning {
  double overload;               // of links that moves aim at, as a part of their target loads
  int first;                     // in the first pass so many times that; a power of two
  int last_passes;               // with that overload, at most
  double enough;                 // mean over cuts, at which no more is moved
  std::size_t contention_bytes;  // to count shifts with; 0: they are not looked at
  std::uint64_t work;            // ports looked at for each entry, at most (even_moves.hpp)
  std::uint32_t longer = 0;      // hops that paths may have more than the fewest
  bool within = true;            // the first pass puts no link above its limit: no moves back later
  int job_passes = 3;            // later ones move less than one entry in 1,000
  std::uint32_t job_offsets = EvenWindows::kOffsets;
  std::uint32_t large_job_offsets = EvenWindows::kOffsets / 2;  // on large fabrics
  std::uint64_t job_work = 1024;  // as work, in prices of windows (even_jobs.hpp), on large fabrics
};
// The aim is a mean of 1.02. Some cuts cannot be below that, so the others must be. Counts of 32
// MB: with 16 MB shifts of ft(24,3) are 1.1 times as bad; with more, counting takes longer.
// Work: trees look at up to 10 ports for each entry, 3 with kQuick; directors cabled by hand and
// irregular fabrics at up to 100. Prices of windows: trees look at up to 170, small directors at
// 270, both at 50 with kQuick. The limits leave room, and bound the time (docs/route.md).
constexpr Tuning kDefault{0.016, 8, 4, 0.0195, 32 * kMegabyte, 256};
// A higher overload in all-to-all leaves more paths to choose from for shifts.
constexpr Tuning kShifts{0.10, 2, 4, 0.10, kMostContentionBytes, 256};
constexpr Tuning kQuick{0.05, 2, 2, 0.05, 0, 16};
constexpr Tuning kDemands{0.018, 8, 4, 0.018, 0, 256};

Tuning tuning_of(const RouteOptions& options) {
  Tuning tuning = options.quick ? kQuick : options.aim == Aim::kShifts ? kShifts : kDefault;
  tuning.longer = options.longer;
  if (options.quick) {
    tuning.job_passes = 1;
    tuning.job_offsets = tuning.large_job_offsets = EvenWindows::kOffsets / 4;
    tuning.job_work = 48;
  }
  return tuning;
}

// The price of a link with the overload that a pass aims at is e to the power of this.
constexpr double kPriceExponent = 3;
// A link with so many times the overload that a pass aims at, and above kMostOverload, is relieved
// regardless of shifts.
constexpr double kUrgent = 4;
// A pass hardly helps if it leaves more than this part of the overload.
constexpr double kHelps = 0.98;
// The pass after which congested shifts are spread; after later passes links have no room for it.
constexpr std::uint32_t kSpreadAfter = 1;
// For small fabrics: one bundle is 2% of a link there, and a lower aim makes shifts worse.
constexpr double kSmallOverload = 0.0195;
// Sources times terminals squared below which entries are exchanged and two starts compared, and
// passes of exchanges: more gain little.
constexpr std::size_t kSmall = std::size_t{1} << 20U;
constexpr int kExchanges = 2;
// The same product. Below it a pass takes a millisecond: a failed search may be repeated.
constexpr std::size_t kShortPass = std::size_t{1} << 24U;
// The same product. Above it fewer windows are looked at, and no links just above their bounds.
constexpr std::size_t kLarge = std::size_t{1} << 33U;
// Flows of a shift on one link that are too many: this number, or the number that occurs on fewer
// than one in kFewParts of all links and shifts, if that is higher.
constexpr std::uint32_t kCongested = 3;
constexpr std::size_t kFewParts = 200;
constexpr float kNearBound = 0.05F;        // of a window: what is less above it, on large fabrics
constexpr std::uint64_t kNearWork = 5;     // so many times the work where nothing is left
constexpr std::size_t kMinCongested = 16;  // in one of so many shifts: not worth a pass

class Rebalancer {
 public:
  Rebalancer(const Model& model, SubTreeRouting& laid, const Tuning& tuning,
             std::span<const PairDemand> demands = {})
      : laid_(laid),
        tuning_(tuning),
        net_(model, laid.tree.up_down, laid.tree.tables, demands),
        contention_(net_) {
    for (const Switch s : laid.sub.descending) descending_.push_back(index(s));
    count_loads(net_, descending_, laid_.tree.tables);
    cuts_ = EvenCuts(model, laid.tree.up_down, net_);
    if (is_small()) tuning_.overload = std::max(tuning_.overload, kSmallOverload);
    set_limits(tuning_.overload);
  }

  // Whether some link is above its limit.
  bool is_uneven() const { return excess() > 0; }

  // Whether there is time for exchanges, and for a second start.
  bool is_small() const { return tuning_.contention_bytes > 0 && size() < kSmall; }

  void run() {
    if (tuning_.contention_bytes > 0) count_shifts();
    EvenMoves moves(net_, contention_, laid_.sub.rank, descending_, tuning_.work);
    rebalance(moves);
    if (tuning_.longer > 0) use_longer_paths(moves);
    if (is_small()) exchange(moves);
    left_ = excess();
  }
  bool is_large() const { return size() > kLarge; }
  // Moves entries so that jobs get more (even_jobs.hpp). Returns whether the fabric allows it.
  bool run_for_jobs(const Model& model, const RouteOptions& options) {
    const EvenWindows windows(model, net_, options.host_order,
                              is_large() ? tuning_.large_job_offsets : tuning_.job_offsets);
    if (tuning_.contention_bytes > 0) count_shifts();
    EvenJobs jobs(model, net_, windows, contention_, usual_ - 1, laid_.sub.rank, descending_,
                  laid_.tree.tables, (is_large() ? 1 : kNearWork) * tuning_.job_work,
                  is_large() ? kNearBound : 0);
    for (int i = 0; i < tuning_.job_passes; ++i) {
      if (jobs.pass() == 0) break;
    }
    return jobs.fits();
  }
  // Whether links carry less above their limits, or as much, and fewer flows of a shift share one.
  // REQUIRES run() of both, and shifts that are looked at.
  bool is_better(const Rebalancer& other) const {
    return std::pair(left_, contention_.sum_of_largest()) <
           std::pair(other.left_, other.contention_.sum_of_largest());
  }

 private:
  void count_shifts() {
    contention_ = ShiftContention(net_, tuning_.contention_bytes, kMostContentionBytes);
    count_contention(contention_, net_, descending_, laid_.tree.tables, kCongested);
    usual_ = contention_.rare_count(kCongested, kFewParts);
  }

  void set_limits(double overload) {
    cuts_.set_limits(overload, std::max(kMostOverload, kUrgent * overload), net_);
  }

  std::size_t size() const {
    return net_.sources().size() * net_.num_terminals() * net_.num_terminals();
  }

  std::uint64_t excess() const {
    std::uint64_t sum = 0;
    for (const EvenChannel& channel : net_.channel) {
      if (channel.load > channel.limit) sum += channel.load - channel.limit;
    }
    return sum;
  }

  // Whether a link has far more than its target load: less than two bundles is a matter of bundles,
  // which longer paths do not help.
  bool needs_longer_paths() const {
    std::uint64_t bundle = 0;
    for (std::uint32_t i = 0; net_.all_to_all() && i < net_.sources().size(); ++i) {
      bundle = std::max(bundle, net_.sent(i, 0));
    }
    return std::ranges::any_of(net_.channel, [&](const EvenChannel& channel) {
      return static_cast<double>(channel.load) >
             (1 + 2 * kMostOverload) * channel.least + 2 * static_cast<double>(bundle);
    });
  }

  // Longer paths for what is above kMostOverload and has no other: two leaves may share one switch
  // above with one cable each, which carries all between them.
  void use_longer_paths(EvenMoves& moves) {
    if (!needs_longer_paths()) return;
    moves.note_lengths(laid_.tree.tables);
    longer_ = most_longer_ = tuning_.longer;
    for (double overload = kMostOverload * tuning_.first; overload > kMostOverload; overload /= 2) {
      pass(moves, overload);
    }
    repeat(moves, kMostOverload);
    repeat(moves, tuning_.overload);
  }

  // Exchanges, and moves that they make room for. What is above limits now, but no more than any
  // cut may have, is accepted: shifts matter more.
  void exchange(EvenMoves& moves) {
    for (int i = 0; i < kExchanges; ++i) {
      if (i > 0) pass(moves, tuning_.overload);
      for (EvenChannel& channel : net_.channel) {
        const auto most = static_cast<std::uint64_t>((1 + kMostOverload) * channel.least);
        channel.limit = std::max(channel.limit, std::min(channel.load, most));
      }
      EvenSwaps(net_, contention_, laid_.sub.rank, laid_.tree.tables).run();
    }
  }

  // Passes with half the overload each, down to that of the tuning.
  void rebalance(EvenMoves& moves) {
    for (int times = tuning_.first; times > 1; times /= 2) {
      pass(moves, times * tuning_.overload);
    }
    repeat(moves, tuning_.overload);
  }
  // Passes with the same overload, until it is enough or they hardly help; then passes for links
  // above kMostOverload only, which are few.
  void repeat(EvenMoves& moves, double overload) {
    const double most = std::max(kMostOverload, tuning_.enough);
    const auto is_enough = [&](const EvenCuts::Overload& now) {
      return now.mean <= tuning_.enough && now.worst <= most;
    };
    EvenCuts::Overload now = cuts_.overload(net_);
    const auto helps = [&] {
      const EvenCuts::Overload before = now;
      now = cuts_.overload(net_);
      return now.mean <= kHelps * before.mean || now.worst <= kHelps * before.worst;
    };
    for (int i = 0; i < tuning_.last_passes; ++i) {
      pass(moves, overload);
      if (!helps() || is_enough(now)) break;
    }
    longer_ = most_longer_;
    for (int i = 0; i < tuning_.last_passes && now.worst > most; ++i) {
      cuts_.set_limits(most, most, net_);
      move_off(moves, overload);
      if (!helps()) break;
    }
    longer_ = 0;
    set_limits(tuning_.overload);
  }

  // Moves entries off links with more than this overload.
  void pass(EvenMoves& moves, double overload) {
    set_limits(overload);
    move_off(moves, overload);
    if (passes_ == kSpreadAfter + 1 && tuning_.contention_bytes > 0 && !moves.is_spent()) {
      spread(moves);
    }
  }

  // Moves entries off links above their limits; a link with this overload has the price
  // e^kPriceExponent.
  void move_off(EvenMoves& moves, double overload) {
    moves.begin_pass({.number = passes_,
                      .steepness = static_cast<float>(kPriceExponent / overload),
                      .shared = usual_ - 1,
                      .longer = longer_,
                      .patient = is_small(),
                      .exact = size() < kShortPass,
                      .within = passes_ == 0 && tuning_.within,
                      .urgent = passes_ > kSpreadAfter});
    ++passes_;
    const std::vector<Hot> hot = hot_links();
    if (hot.empty() || moves.is_spent()) return;
    for (const EvenSource& source : net_.sources()) {
      for (const EvenDestination& to : source.destinations) {
        const std::span<Port> row = laid_.tree.tables.row(to.destination);
        if (std::ranges::none_of(hot, [&](const Hot& h) { return row[h.at] == h.port; })) continue;
        check_time();
        moves.rebalance(source.at, to, row);
      }
    }
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

  // Moves entries out of shifts of which many flows share a link: twice, as the first makes room.
  void spread(EvenMoves& moves) {
    for (int i = 0; i < 2; ++i) {
      if (contention_.num_reaching(usual_) * kMinCongested <= contention_.shifts()) return;
      for (const CongestedRow& row : congested_rows(contention_, net_, laid_.tree.tables, usual_)) {
        moves.spread_shifts(row, laid_.tree.tables.row(row.to.destination), usual_);
      }
    }
  }

  SubTreeRouting& laid_;
  std::vector<std::uint32_t> descending_;  // the switches by rank
  Tuning tuning_;
  EvenNet net_;
  ShiftContention contention_;  // none until run()
  EvenCuts cuts_;
  std::uint32_t passes_ = 0;
  std::uint32_t longer_ = 0;          // hops that a path may have more, in this pass
  std::uint32_t most_longer_ = 0;     // in any pass: 0 until they are needed
  std::uint32_t usual_ = kCongested;  // fewer flows of a shift than that may share a link: run()
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

// The tables of a small fabric: from the chains of the tree that it is near to, or from sftree's
// with a first pass that may fill links, where this ends better.
void even_small(const Model& model, const RouteOptions& options, Rebalancer& first,
                SubTreeRouting& laid) {
  first.run();
  SubTreeRouting other = lay_sftree(model, options);
  Tuning tuning = tuning_of(options);
  tuning.within = false;
  Rebalancer second(model, other, tuning);
  second.run();
  if (second.is_better(first)) laid = std::move(other);
}

// The chains of a tree separate neighbouring hosts. Passes for all to all alone would undo that, so
// those for jobs come first; they relieve links above their target loads, too.
bool jobs_first(const Model& model, const RouteOptions& options, bool homes, SubTreeRouting& laid) {
  if (!homes || options.aim != Aim::kJobs || options.quick) return false;
  Rebalancer rebalancer(model, laid, tuning_of(options));
  return !rebalancer.is_small() && !rebalancer.is_large() &&
         rebalancer.run_for_jobs(model, options);
}

void even_out(const Model& model, const RouteOptions& options, SubTreeRouting& laid) {
  Rebalancer rebalancer(model, laid, tuning_of(options));
  if (rebalancer.is_small()) {
    even_small(model, options, rebalancer, laid);
  } else if (rebalancer.is_uneven()) {
    rebalancer.run();
  }
  if (options.aim == Aim::kJobs) {
    Rebalancer(model, laid, tuning_of(options)).run_for_jobs(model, options);
  }
}

}  // namespace

Routing route_even(const Model& model, const RouteOptions& options) {
  if (!is_joined(model)) return route_components(model, options, route_even);
  const std::optional<CompleteTree>& whole = model.complete_tree();
  const bool keep = whole && is_even(whole->shape) && model.speeds().uniform();
  const std::optional<TreeMap>& near = model.recognition().map;  // a complete tree
  const bool homes = !keep && near && near->trees == 1;
  SubTreeRouting laid = lay_sftree(model, options, homes ? Chains::kHome : Chains::kLeastUsed);
  RouteOptions how = options;
  if (whole && model.speeds().uniform() && how.aim == Aim::kJobs) how.aim = Aim::kAllToAll;
  if (!keep && !jobs_first(model, how, homes, laid)) even_out(model, how, laid);
  if (!options.demands.empty()) {
    Rebalancer rebalancer(model, laid, kDemands, options.demands);
    if (rebalancer.is_uneven()) rebalancer.run();
  }
  return {.tables = std::move(laid.tree.tables)};
}

}  // namespace fatwood
