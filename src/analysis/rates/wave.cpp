// SPDX-License-Identifier: BSD-3-Clause
// Runs one wave: a program whose transfers all start at once with equal bytes, alone on the fabric
// (Program::one_wave), such as an all-to-all. For flow_run.hpp.
//
// Its fair rates never change, so one solution of max_min.hpp is the whole run. Proof: the first
// flows to end are those with the highest rate r. Take a flow with a lower rate, and the full link
// that limits it. No flow on that link has a higher rate, so none of the ending flows is on it.
// After they end, the link is still full, and no flow on it has more. Rates with this property are
// the max-min fair ones. By induction all flows keep their rates.
//
// Bundled uses (op_uses.hpp) are solved by bundle: if a link after the leaf is full, the flows of a
// bundle are fixed together; if an adapter's cable is full, its flows one by one. All amounts are
// 1, so a full link fixes all its flows at one rate, and only the limiting link of a flow is
// stored. Cost: O(flows + links of bundles * visits of a bundle); memory 12 bytes per flow.

#include <algorithm>
#include <bit>
#include <numeric>

#include "analysis/rates/flow_run.hpp"
#include "core/radix_heap.hpp"

namespace fatwood {
namespace {

// As in max_min.cpp: a link with a demand of at most this fraction of its capacity limits no flow.
constexpr double kCanFill = 1 + 1e-12;
constexpr std::size_t kAhead = 16;  // flows to fetch ahead

// Lists of numbers, by owner: members of owner o are list[first[o]] .. list[first[o + 1]].
struct Grouped {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> list;

  // each_owner(member, visit) calls visit(owner) for each owner of the member.
  template <class EachOwner>
  Grouped(std::size_t owners, std::size_t members, const EachOwner& each_owner)
      : first(owners + 1, 0) {
    for (std::uint32_t m = 0; m < members; ++m) {
      each_owner(m, [&](std::uint32_t owner) { ++first[owner + 1]; });
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    list.resize(first.back());
    std::vector<std::uint32_t> at(first.begin(), first.end() - 1);
    for (std::uint32_t m = 0; m < members; ++m) {
      each_owner(m, [&](std::uint32_t owner) { list[at[owner]++] = m; });
    }
  }
  std::span<const std::uint32_t> of(std::size_t owner) const {
    return {list.data() + first[owner], first[owner + 1] - first[owner]};
  }
};

// Progressive filling over bundles; see max_min.hpp for the method.
class BundleSolver {
 public:
  BundleSolver(const std::vector<double>& capacity, const OpUses& uses, std::size_t ops)
      : capacity_(capacity),
        uses_(uses),
        held_(ops, kNoLink),
        links_(capacity.size()),
        rate_(capacity.size(), 0),
        of_own_(capacity.size(), ops,
                [&](Op op, const auto& visit) {
                  if (uses.own(op) != kNoLink) visit(uses.own(op));
                }),
        of_bundle_(uses.num_bundles(), ops,
                   [&](Op op, const auto& visit) {
                     if (uses.own(op) != kNoLink) visit(uses.bundle(op));
                   }),
        bundles_(capacity.size(), uses.num_bundles(),
                 [&](OpUses::Bundle b, const auto& visit) {
                   for (const LinkUse& use : uses.beyond(b)) visit(use.link);
                 }),
        open_(uses.num_bundles()) {
    for (OpUses::Bundle b = 0; b < open_.size(); ++b) {
      open_[b] = static_cast<std::uint32_t>(of_bundle_.of(b).size());
      for (const LinkUse& use : uses.beyond(b)) links_[use.link].open += open_[b];
    }
    for (LinkNumber l = 0; l < links_.size(); ++l) {
      links_[l].left = capacity[l];
      links_[l].open += static_cast<double>(of_own_.of(l).size());
    }
  }

  void solve() {
    RadixHeap<LinkNumber> heap;
    for (const LinkNumber l : find_narrow()) heap.push(double_bits(links_[l].level()), l);
    while (!heap.empty()) {
      const auto [key, l] = heap.pop();
      if (links_[l].open == 0) continue;
      if (const std::uint64_t now = double_bits(links_[l].level()); now > key) {
        heap.push(now, l);
        continue;
      }
      rate_[l] = std::bit_cast<double>(key);
      fix_own(l);
      fix_bundles(l);
    }
  }

  std::vector<LinkNumber> take_held() { return std::move(held_); }
  std::vector<double> take_rates() { return std::move(rate_); }

 private:
  struct Link {
    double left = 0;  // of its capacity
    double open = 0;  // flows whose rate is not known yet

    double level() const { return std::max(left, 0.0) / open; }
    // Flow by flow, so that the level of a link does not depend on the order in which flows are
    // fixed.
    void take(double level, std::uint32_t flows) {
      for (std::uint32_t i = 0; i < flows; ++i) left -= level;
      open -= flows;
    }
  };

  // Links that can fill up, and links at which a flow has its own limit, in the order in which
  // flows reach them. A flow is fixed here, at its limit, if none of its links can fill up.
  std::vector<LinkNumber> find_narrow() {
    std::vector<double> demand(links_.size(), 0);  // of all flows at their limits
    std::vector<double> of_bundle(open_.size(), 0);
    std::vector<std::uint8_t> limiting(links_.size(), 0);
    std::vector<LinkNumber> slowest(open_.size(), kNoLink);  // beyond the leaf
    std::vector<LinkNumber> met;
    for (OpUses::Bundle b = 0; b < open_.size(); ++b) {
      for (const LinkUse& use : uses_.beyond(b)) {
        const bool slower = slowest[b] == kNoLink || capacity(use.link) < capacity(slowest[b]);
        if (slower) slowest[b] = use.link;
      }
    }
    const auto limit = [&](Op op) {
      const LinkNumber own = uses_.own(op);
      const LinkNumber beyond = slowest[uses_.bundle(op)];
      return beyond != kNoLink && capacity(beyond) < capacity(own) ? beyond : own;
    };
    std::vector<std::uint8_t> seen(links_.size(), 0);
    const auto meet = [&](LinkNumber l) {
      if (seen[l] == 0) met.push_back(l);
      seen[l] = 1;
    };
    for (Op op = 0; op < held_.size(); ++op) {
      const LinkNumber own = uses_.own(op);
      if (own == kNoLink) continue;
      const OpUses::Bundle b = uses_.bundle(op);
      meet(own);
      const double most = capacity(limit(op));
      if (of_bundle[b] == 0) {
        for (const LinkUse& use : uses_.beyond(b)) meet(use.link);
      }
      demand[own] += most;
      of_bundle[b] += most;
    }
    for (OpUses::Bundle b = 0; b < open_.size(); ++b) {
      for (const LinkUse& use : uses_.beyond(b)) demand[use.link] += of_bundle[b];
    }
    const auto narrow = [&](LinkNumber l) { return demand[l] > capacity(l) * kCanFill; };
    std::vector<std::uint8_t> can_fill(open_.size(), 0);  // a link beyond the leaf
    for (OpUses::Bundle b = 0; b < open_.size(); ++b) {
      for (const LinkUse& use : uses_.beyond(b)) {
        if (narrow(use.link)) can_fill[b] = 1;
      }
    }
    for (Op op = 0; op < held_.size(); ++op) {
      const LinkNumber own = uses_.own(op);
      if (own == kNoLink) continue;
      const LinkNumber by = limit(op);
      const bool any = narrow(own) || can_fill[uses_.bundle(op)] != 0;
      if (any) {
        limiting[by] = 1;
      } else {
        rate_[by] = capacity(by);
        fix(op, by);
      }
    }
    std::erase_if(met, [&](LinkNumber l) { return !narrow(l) && limiting[l] == 0; });
    return met;
  }

  // Fixes the flows whose own cable is full. They are far apart in memory.
  void fix_own(LinkNumber l) {
    const std::span<const Op> ops = of_own_.of(l);
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (i + kAhead < ops.size()) __builtin_prefetch(&held_[ops[i + kAhead]], 1);
      if (held_[ops[i]] == kNoLink) fix(ops[i], l);
    }
  }

  void fix(Op op, LinkNumber by) {
    const double level = rate_[by];
    held_[op] = by;
    links_[uses_.own(op)].take(level, 1);
    const OpUses::Bundle b = uses_.bundle(op);
    --open_[b];
    for (const LinkUse& use : uses_.beyond(b)) links_[use.link].take(level, 1);
  }

  // Fetches what fixing a bundle will want.
  void fetch(OpUses::Bundle b) const {
    if (open_[b] == 0) return;
    for (const Op op : of_bundle_.of(b)) {
      __builtin_prefetch(&held_[op], 1);
      uses_.fetch(op);
    }
  }

  // Fixes the bundles over a link that is full.
  void fix_bundles(LinkNumber l) {
    const double level = rate_[l];
    const std::span<const OpUses::Bundle> bundles = bundles_.of(l);
    for (std::size_t i = 0; i < bundles.size(); ++i) {
      const OpUses::Bundle b = bundles[i];
      if (open_[b] == 0) continue;
      if (i + 1 < bundles.size()) fetch(bundles[i + 1]);
      for (const Op op : of_bundle_.of(b)) {
        if (held_[op] != kNoLink) continue;
        held_[op] = l;
        links_[uses_.own(op)].take(level, 1);
      }
      for (const LinkUse& use : uses_.beyond(b)) links_[use.link].take(level, open_[b]);
      open_[b] = 0;
    }
  }

  double capacity(LinkNumber l) const { return capacity_[l]; }

  const std::vector<double>& capacity_;
  const OpUses& uses_;
  std::vector<LinkNumber> held_;
  std::vector<Link> links_;
  std::vector<double> rate_;         // by link, of the flows it holds back
  Grouped of_own_, of_bundle_;       // flows, by their own cable and by bundle
  Grouped bundles_;                  // by link beyond the leaf
  std::vector<std::uint32_t> open_;  // flows of each bundle
};

// Merges ends within the tolerance of flow_run.hpp: each gets the time of the first.
class EndTimes {
 public:
  explicit EndTimes(std::vector<double> times) : times_(std::move(times)) {
    std::ranges::sort(times_);
    const auto again = std::ranges::unique(times_);
    times_.erase(again.begin(), again.end());
    for (const double time : times_) {
      const bool same = !first_.empty() && time <= first_.back() * (1 + kSameTime);
      first_.push_back(same ? first_.back() : time);
      if (!same) ++events_;
    }
  }
  double at(double time) const {
    return first_[static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), time) -
                                           times_.begin())];
  }
  std::uint64_t events() const { return events_; }

 private:
  std::vector<double> times_;
  std::vector<double> first_;
  std::uint64_t events_ = 0;
};

// The result of a wave without its operations. `ends`: of flows, before latency.
FlowRun finish_wave(const RunProgram& program, const std::vector<double>& ends, bool any_empty) {
  FlowRun run;
  std::vector<double> events = ends;
  if (program.latency > 0) {
    for (const double end : ends) events.push_back(end + program.latency);
  }
  double last = ends.empty() ? 0 : *std::max_element(ends.begin(), ends.end()) + program.latency;
  if (any_empty) {
    events.push_back(program.latency);
    last = std::max(last, program.latency);
  }
  run.events = EndTimes(std::move(events)).events();
  run.seconds.push_back(last);
  return run;
}

FlowRun run_bundles(const std::vector<double>& capacity, const RunProgram& program) {
  const Program& what = *program.program;
  BundleSolver solver(capacity, *program.uses, what.size());
  solver.solve();
  const std::vector<double> rates = solver.take_rates();
  std::vector<LinkNumber> held = solver.take_held();
  std::vector<double> times;
  for (const double rate : rates) {
    if (rate > 0) times.push_back(what.size_of(0) / rate);
  }
  const EndTimes ends(times);
  std::vector<RunOp> by_link(rates.size());
  for (LinkNumber l = 0; l < rates.size(); ++l) {
    if (rates[l] == 0) continue;
    by_link[l] = {0, ends.at(what.size_of(0) / rates[l]) + program.latency, rates[l], l};
  }
  for (double& time : times) time = ends.at(time);
  const bool any_empty = std::find(held.begin(), held.end(), kNoLink) != held.end();
  FlowRun run = finish_wave(program, times, any_empty);
  run.ops.emplace_back(std::move(held), std::move(by_link), RunOp{0, program.latency, 0, kNoLink});
  return run;
}

FlowRun run_lists(const std::vector<double>& capacity, const RunProgram& program) {
  const Program& what = *program.program;
  ShareProblem problem;
  problem.capacity = capacity;
  problem.first.push_back(0);
  std::vector<Op> moving;
  std::vector<LinkUse> room;
  for (Op op = 0; op < what.size(); ++op) {
    const std::span<const LinkUse> uses = program.uses->of(op, room);
    if (uses.empty()) continue;
    moving.push_back(op);
    problem.uses.insert(problem.uses.end(), uses.begin(), uses.end());
    problem.first.push_back(static_cast<std::uint32_t>(problem.uses.size()));
  }
  const Shares shares = max_min_shares(problem);
  std::vector<double> times(moving.size());
  for (std::size_t i = 0; i < moving.size(); ++i) times[i] = what.size_of(0) / shares.rate[i];
  const EndTimes ends(times);
  std::vector<RunOp> ops(what.size(), {0, program.latency, 0, kNoLink});
  for (std::size_t i = 0; i < moving.size(); ++i) {
    times[i] = ends.at(times[i]);
    ops[moving[i]] = {0, times[i] + program.latency, shares.rate[i], shares.fixed_by[i]};
  }
  FlowRun run = finish_wave(program, times, moving.size() < what.size());
  run.ops.emplace_back(std::move(ops));
  return run;
}

}  // namespace

FlowRun run_wave(const std::vector<double>& capacity, const RunProgram& program) {
  return program.uses->bundled() ? run_bundles(capacity, program) : run_lists(capacity, program);
}

}  // namespace fatwood
