// SPDX-License-Identifier: BSD-3-Clause
// Runs an exchange in rounds (traffic/jobs/rounds.hpp) that is alone on a fabric of one speed, such
// as a pairwise all-to-all. For flow_run.hpp, which gives the same result for any programs.
//
// Method: event by event, as flow_run.hpp does, in the same order. Every rank sends one operation
// at a time, so the state of a run is that of its ranks (rank_shares.hpp), and an event has 16
// bytes. Links that operations never share (unshared_run.hpp) take no part in fair rates.
// Cost: see RankShares and EventQueue; memory 32 bytes per operation.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "analysis/rates/event_queue.hpp"
#include "analysis/rates/flow_run.hpp"
#include "analysis/rates/rank_shares.hpp"
#include "analysis/rates/ready_ops.hpp"

namespace fatwood {
namespace {

// The links of a program for RankShares. A path depends on the leaf of the sender and on the
// receiver, so paths of one leaf are a row; operations of neighbouring rounds are neighbours there.
class RoundPaths {
 public:
  using Link = RankShares::Link;

  // False if the program is not one for RankShares.
  bool find(const std::vector<double>& capacities, const RunProgram& run) {
    ranks_ = run.program->rounds().ranks;
    return number_links(capacities, run) && find_rows(capacities, run);
  }

  double capacity() const { return capacity_; }  // of every link
  std::size_t num_shared() const { return name_.size(); }
  LinkNumber name(Link shared) const { return name_[shared]; }
  LinkNumber own(std::uint32_t rank) const { return own_[rank]; }
  // Whether a message between two ranks has no links.
  bool inside(std::uint32_t from, std::uint32_t to) const { return host_[from] == host_[to]; }
  // The shared links, and kNone where it is shorter.
  std::span<const Link> path(std::uint32_t from, std::uint32_t to) const {
    return {paths_.data() + (std::size_t{row_[from]} * ranks_ + to) * width_, width_};
  }

 private:
  bool number_links(const std::vector<double>& capacities, const RunProgram& run) {
    constexpr double kExact = 1LL << 37;  // 65,535 times a whole number below it is exact
    number_.assign(run.unshared.size(), RankShares::kNone);
    for (OpUses::Bundle b = 0; b < run.uses->num_bundles(); ++b) {
      std::size_t shared = 0;
      const std::span<const LinkUse> uses = run.uses->beyond(b);
      for (auto use = uses.begin(); use != uses.end(); ++use) {
        const LinkNumber link = use->link;
        if (capacity_ == 0) capacity_ = capacities[link];
        if (capacities[link] != capacity_ || use->amount != 1) return false;
        if (run.unshared[link] != 0) continue;
        const bool twice = std::any_of(uses.begin(), use,
                                       [&](const LinkUse& other) { return other.link == link; });
        if (++shared > RankShares::kLinks || twice) return false;
        if (number_[link] != RankShares::kNone) continue;
        if (name_.size() == RankShares::kNone) return false;
        number_[link] = static_cast<Link>(name_.size());
        name_.push_back(link);
      }
      width_ = std::max(width_, shared);
    }
    return capacity_ > 0 && capacity_ < kExact && capacity_ == std::floor(capacity_);
  }

  // Calls take(op, from, to) for every operation while it returns true.
  template <class Take>
  static bool each_op(const Rounds& rounds, const Take& take) {
    Op op = 0;
    for (std::uint32_t k = 0; k < rounds.count(); ++k) {
      for (std::uint32_t i = 0; i < rounds.ranks; ++i, ++op) {
        if (!take(op, i, rounds.receiver(k, i))) return false;
      }
    }
    return true;
  }

  // Ranks that use a bundle together have one leaf. False if the operations do not agree with
  // hosts, leaves and rows.
  bool find_rows(const std::vector<double>& capacities, const RunProgram& run) {
    constexpr std::uint32_t kUnknown = 0xffffffffU;
    const Rounds& rounds = run.program->rounds();
    const OpUses& uses = *run.uses;
    own_.assign(ranks_, kNoLink);
    host_.resize(ranks_);
    std::iota(host_.begin(), host_.end(), std::uint16_t{0});
    std::vector<std::uint32_t> leaf(host_.begin(), host_.end());  // a rank, or itself
    std::vector<std::uint32_t> first(uses.num_bundles(), kUnknown);
    const auto leaf_of = [&](std::uint32_t rank) {
      while (leaf[rank] != rank) rank = leaf[rank] = leaf[leaf[rank]];
      return rank;
    };
    const bool one_cable = each_op(rounds, [&](Op op, std::uint32_t i, std::uint32_t to) {
      if (uses.own(op) == kNoLink) {
        host_[i] = std::min(host_[i], static_cast<std::uint16_t>(to));
        return true;
      }
      if (own_[i] == kNoLink) own_[i] = uses.own(op);
      std::uint32_t& with = first[uses.bundle(op)];
      if (with == kUnknown) with = i;
      if (leaf[i] != leaf[with]) leaf[leaf_of(i)] = leaf_of(with);
      return own_[i] == uses.own(op);
    });
    for (const LinkNumber own : own_) {
      if (own == kNoLink) continue;
      if (run.unshared[own] == 0 || capacities[own] != capacity_) return false;
    }
    std::vector<std::uint16_t> row_of(ranks_, RankShares::kNone);
    std::uint16_t rows = 0;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      if (row_of[leaf_of(rank)] == RankShares::kNone) row_of[leaf_of(rank)] = rows++;
      row_.push_back(row_of[leaf_of(rank)]);
    }
    std::vector<OpUses::Bundle> cells(std::size_t{rows} * ranks_, OpUses::kNoBundle);
    const bool agree = one_cable && each_op(rounds, [&](Op op, std::uint32_t i, std::uint32_t to) {
                         if ((uses.own(op) == kNoLink) != inside(i, to)) return false;
                         if (inside(i, to)) return true;
                         OpUses::Bundle& cell = cells[std::size_t{row_[i]} * ranks_ + to];
                         if (cell == OpUses::kNoBundle) cell = uses.bundle(op);
                         return cell == uses.bundle(op);
                       });
    if (agree) write_paths(run, cells);
    return agree;
  }

  void write_paths(const RunProgram& run, const std::vector<OpUses::Bundle>& cells) {
    paths_.assign(cells.size() * width_, RankShares::kNone);
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      if (cells[cell] == OpUses::kNoBundle) continue;
      Link* at = paths_.data() + cell * width_;
      for (const LinkUse& use : run.uses->beyond(cells[cell])) {
        if (run.unshared[use.link] == 0) *at++ = number_[use.link];
      }
    }
  }

  std::uint32_t ranks_ = 0;
  double capacity_ = 0;
  std::size_t width_ = 0;
  std::vector<LinkNumber> own_;      // by rank
  std::vector<std::uint16_t> host_;  // by rank: the first rank of its host
  std::vector<std::uint16_t> row_;   // by rank: its leaf
  std::vector<LinkNumber> name_;     // by shared link
  std::vector<Link> number_;         // by link
  std::vector<Link> paths_;          // by row and receiver
};

struct RoundEvent {
  static constexpr std::uint32_t kNoFlow = 0xffffffffU;

  double time;
  std::uint32_t op;     // round and rank, 16 bits each
  std::uint32_t stamp;  // of its rate; kNoFlow: all its bytes are through
  friend bool operator>(const RoundEvent& a, const RoundEvent& b) {
    return a.time > b.time || (a.time == b.time && a.op > b.op);
  }
};

class RoundRun {
 public:
  RoundRun(const RunProgram& run, const RoundPaths& paths)
      : program_(*run.program),
        rounds_(program_.rounds()),
        latency_(run.latency),
        paths_(paths),
        shares_(paths.capacity(), rounds_.ranks, paths.num_shared()),
        waiting_(rounds_),
        stamp_(rounds_.ranks, 0),
        ops_(program_.size()) {}

  FlowRun run() {
    std::size_t left = ops_.size();
    waiting_.begin();
    for (std::uint32_t rank = 0; rank < rounds_.ranks; ++rank) start(rank);
    settle();
    while (left > 0) {
      now_ = ends_.top().time;
      const double until = now_ * (1 + kSameTime);
      bool any = false;
      while (!ends_.empty() && ends_.top().time <= until) {
        const RoundEvent event = ends_.top();
        ends_.pop();
        const bool flow = event.stamp != RoundEvent::kNoFlow;
        if (flow && stamp_[event.op & kRank] != event.stamp) continue;  // stale
        any = true;
        fetch();
        const bool ends = !flow || latency_ == 0;
        if (ends) {
          finish(event.op);
          --left;
        }
        if (flow) stop_flow(event.op);
        if (!ends) finish_later(event.op);
      }
      if (!any) continue;
      ++result_.events;
      for (const std::uint32_t op : ready_) start(op);
      ready_.clear();
      settle();
    }
    result_.ops.emplace_back(std::move(ops_));
    result_.seconds.push_back(now_);
    return std::move(result_);
  }

 private:
  static constexpr std::uint32_t kRank = 0xffff;  // of an operation; its round is in the high bits
  static RankShares::Rank rank_of(std::uint32_t op) {
    return static_cast<RankShares::Rank>(op & kRank);
  }
  Op number(std::uint32_t op) const { return (op >> 16) * rounds_.ranks + (op & kRank); }

  // Fetches the state of the next events.
  void fetch() const {
    const std::span<const RoundEvent> soon = ends_.soon();
    if (!soon.empty()) shares_.fetch_links(rank_of(soon[0].op));
    for (std::size_t i = 1; i < 3 && i < soon.size(); ++i) {
      shares_.fetch(rank_of(soon[i].op));
      __builtin_prefetch(&ops_[number(soon[i].op)], 1);
    }
  }

  void settle() {
    for (const RankShares::Rank rank : shares_.settle(now_)) {
      const RankShares::Progress& progress = shares_.progress(rank);
      const std::uint32_t op = (std::uint32_t{progress.round} << 16) | rank;
      ends_.push({now_ + progress.left / shares_.rate(rank), op, ++stamp_[rank]});
    }
  }

  void start(std::uint32_t op) {
    const RankShares::Rank rank = rank_of(op);
    const std::uint32_t to = rounds_.receiver(op >> 16, rank);
    const double bytes = program_.size_of(number(op));
    RankShares::Progress& progress = shares_.progress(rank);
    progress.round = static_cast<std::uint16_t>(op >> 16);
    progress.started = now_;
    if (paths_.inside(rank, to) || bytes <= 0) return finish_later(op);
    shares_.add(rank, paths_.path(rank, to), bytes, now_);
  }

  void finish_later(std::uint32_t op) { ends_.push({now_ + latency_, op, RoundEvent::kNoFlow}); }

  // All bytes are through.
  void stop_flow(std::uint32_t op) {
    const RankShares::Rank rank = rank_of(op);
    const RankShares::Link held_by = shares_.held_by(rank);
    RunOp& ran = ops_[number(op)];
    ran.rate = shares_.rate(rank);
    ran.held_by = held_by == RankShares::kNone ? paths_.own(rank) : paths_.name(held_by);
    ++stamp_[rank];
    shares_.remove(rank);
  }

  void finish(std::uint32_t op) {
    RunOp& ran = ops_[number(op)];
    ran.start = shares_.progress(rank_of(op)).started;
    ran.end = now_;
    const std::uint32_t round = op >> 16;
    waiting_.ended(round, op & kRank, [&](std::uint32_t other) {
      ready_.push_back(((round + 1) << 16) | other);
      __builtin_prefetch(paths_.path(other, rounds_.receiver(round + 1, other)).data());
    });
  }

  const Program& program_;
  const Rounds rounds_;
  const double latency_;
  const RoundPaths& paths_;
  RankShares shares_;
  ReadyRounds waiting_;
  EventQueue<RoundEvent> ends_;
  double now_ = 0;
  std::vector<std::uint32_t> ready_;
  std::vector<std::uint32_t> stamp_;  // of each rank's rate
  std::vector<RunOp> ops_;
  FlowRun result_;
};

}  // namespace

std::optional<FlowRun> run_rounds(const std::vector<double>& capacity, const RunProgram& program) {
  const std::uint32_t ranks = program.program->rounds().ranks;
  const bool simple = ranks > 1 && ranks < RankShares::kNone && program.uses->bundled() &&
                      program.weight == 1 && !program.unshared.empty();
  RoundPaths paths;
  if (!simple || !paths.find(capacity, program)) return std::nullopt;
  return RoundRun(program, paths).run();
}

}  // namespace fatwood
