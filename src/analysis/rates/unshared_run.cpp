// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rates/unshared_run.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

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
    const auto links = std::views::iota(LinkNumber{0}, static_cast<LinkNumber>(unshared.size()));
    return std::ranges::any_of(links, [&](LinkNumber l) { return limits(l) && unshared[l] == 0; });
  }

  UnsharedRun run(std::span<const Op> asked) {
    UnsharedRun result{0, std::vector<RunOp>(asked.size())};
    std::vector<std::pair<Op, std::size_t>> wanted;  // ascending, and the place in `asked`
    for (std::size_t i = 0; i < asked.size(); ++i) wanted.emplace_back(asked[i], i);
    std::ranges::sort(wanted);
    auto wants = wanted.begin();
    std::vector<double> ready(rounds_.ranks, 0);  // when each rank's next round begins
    std::vector<double> next(rounds_.ranks, 0);
    for (std::uint32_t k = 0, op = 0; k < rounds_.count(); ++k) {
      for (std::uint32_t i = 0; i < rounds_.ranks; ++i, ++op) {
        const std::uint32_t j = rounds_.receiver(k, i);
        const RunOp ran = time(op, std::max(ready[i], ready[j]));
        next[i] = std::max(next[i], ran.end);
        next[j] = std::max(next[j], ran.end);
        result.seconds = std::max(result.seconds, ran.end);
        if (wants != wanted.end() && wants->first == op) result.ops[wants++->second] = ran;
      }
      std::swap(ready, next);
      std::fill(next.begin(), next.end(), 0);
    }
    return result;
  }

  // Whether two of the times were different, but one event.
  bool merges_times() {
    std::ranges::sort(times_);
    return std::ranges::adjacent_find(times_, [](double a, double b) {
             return a < b && b <= a * (1 + kSameTime);
           }) != times_.end();
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
  UnsharedRun result = unshared.run(asked);
  if (unshared.merges_times()) return std::nullopt;
  return result;
}

}  // namespace fatwood
