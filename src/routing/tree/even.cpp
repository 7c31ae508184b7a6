// SPDX-License-Identifier: BSD-3-Clause
// even: tables as even as a damaged tree allows, for all to all or what else is asked for.
//
// Problem: ftree and sftree bring a destination down by one chain. A leaf that lost 2 of 18 cables
// has 18 destinations for 16 cables, and two of them carry twice what they need to. Tables are by
// switch and destination, so leaves may climb to different columns for one destination.
// Method: sftree's tables, with the chains of the whole tree that the fabric is near to, if it is,
// wherever they are left (Chains::kHome); the least that the fullest channel must carry
// (even_bound.hpp); single entries are moved off channels above 1.0195 times that, at a price on
// crowded shifts (even_moves.hpp): quick and cheap moves first, then dearer ones, until none is
// above or nothing helps. Loads are whole chunks (EvenNet::chunk), and so are goals. At last
// entries are moved out of shifts in which many flows meet (three, or as many as are rare). On
// small fabrics there is time to start from sftree's own tables, too, and to exchange entries of
// the better ones (even_swaps.hpp). Who sends: the terminals that count, to all others; with 2^lmc
// addresses to all of them. For given demands the same is done once more, from those tables: the
// channels' loads are the demands' then, shifts have no price, and entries that carry none of them
// stay. Result: tables on one lane, every pair, legal in sftree's order, no pair's way longer than
// before. Whole trees on which d-mod-k is even keep sftree's tables, byte for byte. Cost: some
// passes over the tables. One thread moves entries, so the result is the same at any number of
// them.

#include <algorithm>
#include <limits>
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

namespace fatwood {

namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20U;
constexpr std::size_t kMostCrowdBytes = 64 * kMegabyte;

// What is asked of the tables.
struct Wish {
  Fraction near;                // of the bound: what channels may carry
  std::size_t crowd_bytes;      // to look at shifts with; 0: they have no price
  int spreads;                  // passes that move entries out of crowded shifts
  std::size_t pairs_of_second;  // sources times terminals, above which one pass is enough
  bool find_again;              // who is in a crowd, before each of these passes
  bool first_good;              // large fabrics: take the first good way before looking at all
};
constexpr Wish kUsual{{10195, 10000}, 16 * kMegabyte, 2, std::size_t{1} << 19U, false, true};
// Room for all to all is room for shifts.
constexpr Wish kShifts{
    {110, 100}, kMostCrowdBytes, 3, std::numeric_limits<std::size_t>::max(), true, false};
constexpr Wish kQuick{{108, 100}, 0, 0, 0, false, true};
constexpr Wish kDemands{{1018, 1000}, 0, 0, 0, false, true};

Wish wish_of(const RouteOptions& options) {
  if (options.quick) return kQuick;
  return options.aim == Aim::kShifts ? kShifts : kUsual;
}

// Cheap moves first; each sweep is repeated while it helps.
struct Sweep {
  Effort effort;
  double most_price;
  std::uint32_t passes;
};
constexpr Sweep kSweeps[] = {{Effort::kFirst, 0, 1},      {Effort::kEntries, 18, 1},
                             {Effort::kOnTheWay, 18, 2},  {Effort::kSwitches, 40, 5},
                             {Effort::kSwitches, 100, 5}, {Effort::kSwitches, 1e9, 100}};
// Where channels carry more than this part of their goals in the mean, sources alone find no room
// for what is displaced.
constexpr double kFull = 0.9;
// Sources times terminals below which there is time to look at all ways at once, unless all is full
// and much has to move.
constexpr std::size_t kFewPairs = std::size_t{1} << 16U;
// Passes without gain: what is left may be handed on until it finds room, which takes no time where
// there are few pairs.
constexpr std::uint32_t kPatience = 8;
constexpr std::uint32_t kLongPatience = 40;
constexpr std::size_t kPairsOfPatience = std::size_t{1} << 18U;
// Sources times terminals squared below which entries are exchanged and two starts compared, and
// passes of exchanges: more gain little.
constexpr std::size_t kSmall = std::size_t{1} << 20U;
constexpr int kExchanges = 3;
// Flows that meet: this many are too many, or as many as meet in few of all shifts and channels.
constexpr std::uint32_t kCrowded = 3;
constexpr std::size_t kFewParts = 200;
// Crowds in one of so many shifts are not worth a pass.
constexpr std::size_t kHardlyAny = 16;

// How many threads to use for so many sources times terminals: what takes one of them a few
// milliseconds hardly ends sooner on two.
int threads_of(std::size_t pairs, int asked) {
  constexpr std::size_t kPairsOfThread = std::size_t{1} << 18U;
  const auto most = static_cast<std::size_t>(thread_count(asked));
  return static_cast<int>(std::clamp<std::size_t>(pairs / kPairsOfThread, 1, most));
}

class Evening {
 public:
  Evening(const Model& model, SubTreeRouting& laid, const Wish& wish, int threads,
          std::span<const PairDemand> demands = {})
      : laid_(laid),
        wish_(wish),
        net_(model, laid.tree.climb, laid.tree.tables, demands),
        threads_(threads_of(num_pairs(), threads)),
        crowd_(net_) {
    for (const Switch s : laid.sub.descending) descending_.push_back(index(s));
    count_loads(net_, descending_, laid_.tree.tables, threads_);
    set_goals();
  }

  // Whether some channel has more than it must.
  bool is_uneven() const { return excess() > 0; }

  // Whether there is time for exchanges, and for a second start.
  bool is_small() const { return wish_.spreads > 0 && num_pairs() * net_.num_terminals() < kSmall; }

  void run() {
    if (wish_.crowd_bytes > 0) {
      crowd_ = ShiftCrowd(net_, wish_.crowd_bytes, kMostCrowdBytes);
      count_crowd(crowd_, net_, descending_, laid_.tree.tables, kCrowded, threads_);
    }
    EvenMoves moves(net_, crowd_, laid_.sub.rank, descending_);
    relieve(moves);
    left_ = excess();
    // What could not be helped stays as it is.
    for (EvenChannel& channel : net_.channel) channel.goal = std::max(channel.goal, channel.load);
    moves.take_goals();
    if (wish_.spreads > 0) spread(moves);
  }
  // Whether channels carry less above their goals, or as much, and fewer flows of a shift meet.
  // REQUIRES run() of both, and shifts that are looked at.
  bool is_better(const Evening& other) const {
    return std::pair(left_, crowd_.sum_of_largest()) <
           std::pair(other.left_, other.crowd_.sum_of_largest());
  }
  // REQUIRES is_small(), run().
  void exchange() { EvenSwaps(net_, crowd_, laid_.sub.rank, laid_.tree.tables).run(kExchanges); }

 private:
  template <class Visit>
  void each_row(const Visit& visit) {
    for (const EvenSource& source : net_.sources()) {
      for (const EvenDestination& to : net_.destinations(source.at)) {
        visit(source.at, to, laid_.tree.tables.row(to.target));
      }
    }
  }

  void set_goals() {
    const Fraction bound = tree_cut_bound(net_, laid_.tree.climb);
    const Fraction goal = std::max(bound * wish_.near, table_bound(net_));
    const auto chunk = static_cast<std::int64_t>(net_.chunk());
    for (std::uint32_t s = 0; s < net_.size(); ++s) {
      for (const Port port : net_.cabled_ports(s)) {
        const std::uint32_t slot = net_.slot(s, port);
        const __int128 capacity = static_cast<std::int64_t>(net_.capacity(slot));
        // Loads are whole chunks: where none is as near as asked for, it is the next one. Slower
        // channels take what they can, and others the rest.
        const __int128 near = capacity * goal.num() / goal.den() / chunk;
        const __int128 step = static_cast<__int128>(bound.den()) * chunk;
        const __int128 next = (capacity * bound.num() + step - 1) / step;
        const bool fastest = net_.capacity(slot) == net_.fastest();
        net_.channel[slot].goal =
            static_cast<std::uint64_t>((fastest ? std::max(near, next) : near) * chunk);
      }
    }
    raise_goals_of_stubs();
  }
  // A switch under a single other one: all that goes to an address comes by the one port that it
  // has there, so that the cables between them carry whole addresses.
  void raise_goals_of_stubs() {
    for (const EvenSource& source : net_.sources()) {
      const std::span<const Port> ports = net_.cabled_ports(source.at);
      const auto above = [&](Port port) { return net_.channel[net_.slot(source.at, port)].next; };
      if (!net_.all_to_all() || ports.empty()) continue;
      const std::uint32_t only = above(ports.front());
      if (std::ranges::any_of(ports, [&](Port port) { return above(port) != only; })) {
        continue;
      }
      const std::uint64_t addresses = std::uint64_t{source.terminals} * net_.addresses();
      const std::uint64_t whole =
          (addresses + ports.size() - 1) / ports.size() * most_to_address(source);
      for (const Port port : net_.cabled_ports(only)) {
        EvenChannel& channel = net_.channel[net_.slot(only, port)];
        if (channel.next == source.at) channel.goal = std::max(channel.goal, whole);
      }
    }
  }
  // The most that an address of a source gets from the others, all to all.
  std::uint64_t most_to_address(const EvenSource& source) const {
    std::uint64_t most = 0;
    for (const EvenDestination& to : net_.destinations(source.at)) {
      most = std::max(most, net_.sent_to(to.kind) - net_.sent(net_.source_at(source.at), to.kind));
    }
    return most;
  }

  std::uint64_t excess() const {
    std::uint64_t sum = 0;
    for (const EvenChannel& channel : net_.channel) {
      if (channel.load > channel.goal) sum += channel.load - channel.goal;
    }
    return sum;
  }

  // The mean of load over goal.
  double fullness() const {
    double sum = 0;
    for (const EvenChannel& channel : net_.channel) {
      if (channel.goal != 0) {
        sum += static_cast<double>(channel.load) / static_cast<double>(channel.goal);
      }
    }
    return sum / static_cast<double>(net_.num_channels());
  }

  std::size_t num_pairs() const { return net_.sources().size() * net_.num_terminals(); }

  // Moves entries out of shifts in which many flows meet.
  void spread(EvenMoves& moves) {
    const std::uint32_t crowded = crowd_.rare_count(kCrowded, kFewParts);
    std::vector<CrowdedRow> rows;
    for (int pass = 0; pass < wish_.spreads; ++pass) {
      const std::size_t cells = crowd_.num_reaching(crowded);
      if (cells * kHardlyAny <= crowd_.shifts()) return;
      if (pass > 0 && num_pairs() > wish_.pairs_of_second) return;
      // Who is in a crowd later was in one before, or hardly ever not.
      if (pass == 0 || wish_.find_again) {
        rows = crowded_rows(crowd_, net_, laid_.tree.tables, crowded, threads_);
      }
      std::size_t moved = 0;
      for (const CrowdedRow& row : rows) {
        moved += moves.spread_shifts(row, laid_.tree.tables.row(row.to.target), crowded);
      }
      if (moved == 0) return;
    }
  }

  void relieve(EvenMoves& moves) {
    std::uint32_t turn = 0;
    const bool full = fullness() >= kFull;
    if (full) level(moves);
    std::uint64_t left = excess();
    if (left == 0) return;
    const std::uint32_t patience = num_pairs() < kPairsOfPatience ? kLongPatience : kPatience;
    std::vector<HotRow> rows = hot_rows();
    for (const Sweep& sweep : kSweeps) {
      const bool first_good = wish_.first_good && (full || num_pairs() >= kFewPairs);
      if (sweep.effort == Effort::kFirst && !first_good) continue;
      std::uint32_t in_vain = 0;
      for (std::uint32_t pass = 0; pass < sweep.passes && in_vain < patience; ++pass) {
        std::size_t moved = 0;
        std::vector<HotRow> again;  // if nothing moves: the same, without those that have no flows
        for (const HotRow& row : rows) {
          check_time();
          const auto relieved =
              moves.relieve(row.at, *row.to, laid_.tree.tables.row(row.to->target), sweep.effort,
                            sweep.most_price, turn);
          moved += relieved.moved;
          if (relieved.hot) again.push_back(row);
        }
        rows = moved == 0 ? std::move(again) : hot_rows();
        ++turn;
        const std::uint64_t now = excess();
        in_vain = now < left ? 0 : in_vain + 1;
        left = now;
        if (left == 0) return;
        if (moved == 0) break;
      }
    }
  }

  // Switches without terminals that climb over a full channel send by another.
  void level(EvenMoves& moves) {
    std::vector<EvenStep> full;
    for (const EvenStep& step : hot_channels()) {
      if (net_.terminals(step.at) == 0 && moves.climbs(step.at, step.port)) full.push_back(step);
    }
    if (full.empty()) return;
    each_row([&](std::uint32_t at, const EvenDestination& to, std::span<Port> row) {
      moves.level(at, to, row, full);
    });
  }

  struct HotRow {
    std::uint32_t at;
    const EvenDestination* to;
  };
  std::vector<EvenStep> hot_channels() const {
    std::vector<EvenStep> hot;
    for (std::uint32_t s = 0; s < net_.size(); ++s) {
      for (const Port port : net_.cabled_ports(s)) {
        const EvenChannel& channel = net_.channel[net_.slot(s, port)];
        if (channel.load > channel.goal) hot.push_back({s, port});
      }
    }
    return hot;
  }
  // Those that have an entry which is a channel above its goal.
  std::vector<HotRow> hot_rows() {
    const std::vector<EvenStep> hot = hot_channels();
    std::vector<HotRow> rows;
    each_row([&](std::uint32_t at, const EvenDestination& to, std::span<const Port> row) {
      if (std::ranges::any_of(hot,
                              [&](const EvenStep& step) { return row[step.at] == step.port; })) {
        rows.push_back({at, &to});
      }
    });
    return rows;
  }

  SubTreeRouting& laid_;
  std::vector<std::uint32_t> descending_;  // the switches by rank
  Wish wish_;
  EvenNet net_;
  int threads_;
  ShiftCrowd crowd_;        // none until run()
  std::uint64_t left_ = 0;  // above goals, after run()
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
void even_small(const Model& model, const RouteOptions& options, bool homes, Evening& evening,
                SubTreeRouting& laid) {
  evening.run();
  if (homes) {
    SubTreeRouting other = lay_sftree(model, options);
    Evening second(model, other, wish_of(options), options.threads);
    second.run();
    if (second.is_better(evening)) {
      second.exchange();
      laid = std::move(other);
      return;
    }
  }
  evening.exchange();
}

}  // namespace

Routing route_even(const Model& model, const RouteOptions& options) {
  if (!is_joined(model)) return route_parts(model, options, "even", route_even);
  const std::optional<WholeTree>& whole = model.whole_tree();
  const bool keep = whole && is_even(whole->shape) && ChannelSpeeds(model.fabric()).uniform();
  const bool homes = !keep && has_homes(model);
  SubTreeRouting laid = lay_sftree(model, options, homes ? Chains::kHome : Chains::kLeastUsed);
  if (!keep) {
    Evening evening(model, laid, wish_of(options), options.threads);
    if (evening.is_small()) {
      even_small(model, options, homes, evening, laid);
    } else if (evening.is_uneven()) {
      evening.run();
    }
  }
  if (!options.demands.empty()) {
    Evening evening(model, laid, kDemands, options.threads, options.demands);
    if (evening.is_uneven()) evening.run();
  }
  Routing routing;
  routing.engine = "even";
  routing.tables = std::move(laid.tree.tables);
  return routing;
}

}  // namespace fatwood
