// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rates/unshared_run.hpp"

#include <algorithm>
#include <numeric>

namespace fatwood {
namespace {

constexpr std::uint32_t kNobody = 0xffffffffU;
constexpr std::uint32_t kSeveral = kNobody - 1;

// Who sends over a link, and who receives.
struct Users {
  std::uint32_t sender = kNobody;
  std::uint32_t receiver = kNobody;

  void add(const Users& other) {
    join(sender, other.sender);
    join(receiver, other.receiver);
  }
  bool may_meet() const { return sender == kSeveral && receiver == kSeveral; }

 private:
  static void join(std::uint32_t& one, std::uint32_t other) {
    if (one == kNobody) one = other;
    if (other != kNobody && one != other) one = kSeveral;
  }
};

class Unshared {
 public:
  Unshared(const std::vector<double>& capacity, double no_limit, const RunProgram& run)
      : capacity_(capacity),
        no_limit_(no_limit),
        program_(*run.program),
        uses_(*run.uses),
        rounds_(program_.rounds()),
        latency_(run.latency),
        narrowest_(uses_.num_bundles(), kNoLink) {
    for (OpUses::Bundle b = 0; b < narrowest_.size(); ++b) {
      for (const LinkUse& use : uses_.beyond(b)) {
        const bool narrower = narrowest_[b] == kNoLink || capacity[use.link] < limit(b);
        if (limits(use.link) && narrower) narrowest_[b] = use.link;
      }
    }
  }

  bool may_share(std::span<const std::uint8_t> unshared) const {
    for (LinkNumber l = 0; l < unshared.size(); ++l) {
      if (limits(l) && unshared[l] == 0) return true;
    }
    return false;
  }

  // `asked`: ascending.
  UnsharedRun run(std::span<const Op> asked) {
    UnsharedRun result;
    std::vector<double> ready(rounds_.ranks, 0);  // when each rank's next round begins
    std::vector<double> next(rounds_.ranks, 0);
    for (std::uint32_t k = 0, op = 0; k < rounds_.count(); ++k) {
      for (std::uint32_t i = 0; i < rounds_.ranks; ++i, ++op) {
        const std::uint32_t j = rounds_.receiver(k, i);
        const RunOp ran = time(op, std::max(ready[i], ready[j]));
        next[i] = std::max(next[i], ran.end);
        next[j] = std::max(next[j], ran.end);
        result.seconds = std::max(result.seconds, ran.end);
        if (result.ops.size() < asked.size() && asked[result.ops.size()] == op) {
          result.ops.push_back(ran);
        }
      }
      std::swap(ready, next);
      std::fill(next.begin(), next.end(), 0);
    }
    return result;
  }

  // Whether two of the times were different, but one event.
  bool merges_times() {
    std::sort(times_.begin(), times_.end());
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
    for (std::size_t i = 1; i < times_.size(); ++i) {
      if (times_[i] <= times_[i - 1] * (1 + kSameTime)) return true;
    }
    return false;
  }

 private:
  bool limits(LinkNumber link) const { return capacity_[link] < no_limit_; }
  double limit(OpUses::Bundle b) const { return capacity_[narrowest_[b]]; }

  RunOp time(Op op, double start) {
    RunOp ran{start, start, 0, kNoLink};
    if (uses_.own(op) != kNoLink && program_.size_of(op) > 0) {
      const LinkNumber own = uses_.own(op);
      const LinkNumber beyond = narrowest_[uses_.bundle(op)];
      const bool by_own = beyond == kNoLink || (limits(own) && capacity_[own] <= capacity_[beyond]);
      ran.held_by = by_own ? own : beyond;
      ran.rate = capacity_[ran.held_by];
      ran.end = start + program_.size_of(op) / ran.rate;
      note(ran.end);
    }
    if (latency_ > 0) {
      ran.end += latency_;
      note(ran.end);
    }
    return ran;
  }
  void note(double time) {
    if (times_.empty() || times_.back() != time) times_.push_back(time);
  }

  const std::vector<double>& capacity_;
  double no_limit_;
  const Program& program_;
  const OpUses& uses_;
  Rounds rounds_;
  double latency_;
  std::vector<LinkNumber> narrowest_;  // by bundle
  std::vector<double> times_;          // of ends
};

}  // namespace

std::vector<std::uint8_t> unshared_links(std::size_t links, const Program& program,
                                         const OpUses& uses) {
  const Rounds rounds = program.rounds();
  if (rounds.ranks == 0 || !uses.bundled()) return {};
  std::vector<Users> users(links);
  std::vector<Users> bundles(uses.num_bundles());
  for (std::uint32_t k = 0, op = 0; k < rounds.count(); ++k) {
    for (std::uint32_t i = 0; i < rounds.ranks; ++i, ++op) {
      if (uses.own(op) == kNoLink) continue;
      const Users pair{i, rounds.receiver(k, i)};
      users[uses.own(op)].add(pair);
      bundles[uses.bundle(op)].add(pair);
    }
  }
  for (OpUses::Bundle b = 0; b < bundles.size(); ++b) {
    for (const LinkUse& use : uses.beyond(b)) users[use.link].add(bundles[b]);
  }
  std::vector<std::uint8_t> unshared;
  for (const Users& of_link : users) unshared.push_back(of_link.may_meet() ? 0 : 1);
  return unshared;
}

std::optional<UnsharedRun> run_unshared(const std::vector<double>& capacity, double no_limit,
                                        const RunProgram& program, std::span<const Op> asked) {
  if (program.unshared.empty() || program.weight != 1 || program.repeated) return std::nullopt;
  Unshared unshared(capacity, no_limit, program);
  if (unshared.may_share(program.unshared)) return std::nullopt;
  std::vector<std::size_t> order(asked.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return asked[a] < asked[b]; });
  std::vector<Op> ascending;
  for (const std::size_t i : order) ascending.push_back(asked[i]);
  UnsharedRun result = unshared.run(ascending);
  if (unshared.merges_times()) return std::nullopt;
  std::vector<RunOp> ops(asked.size());
  for (std::size_t i = 0; i < order.size(); ++i) ops[order[i]] = result.ops[i];
  result.ops = std::move(ops);
  return result;
}

}  // namespace fatwood
