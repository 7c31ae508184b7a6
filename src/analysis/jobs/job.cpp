// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/jobs/job.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>

#include "analysis/rates/unshared_run.hpp"

namespace fatwood {
namespace {

constexpr double kNoLimit = 1e30;  // bytes per second

struct RoutedJob {
  OpUses uses;
  std::vector<std::pair<Adapter, Adapter>> unrouted;
};

// As bundles; no value if an operation has several edges, or if two adapters are cabled to each
// other. REQUIRES links.by_leaf().
std::optional<RoutedJob> bundled(FlowLinks& links, const PlacedJob& job) {
  constexpr OpUses::Bundle kUnknown = OpUses::kNoBundle;
  constexpr OpUses::Bundle kLost = kUnknown - 1;
  const Program& program = job.program;
  // Leaves and adapters of the job, numbered from 0.
  std::unordered_map<Switch, std::uint32_t> leaves;
  std::unordered_map<Adapter, std::uint32_t> adapters;
  struct Place {
    std::uint32_t leaf, adapter;
    LinkNumber cable;
  };
  std::vector<Place> place;  // by endpoint
  for (const Adapter at : job.at) {
    const Switch leaf = links.leaf(at);
    if (leaf == kNone<Switch>) return std::nullopt;
    place.push_back(
        {static_cast<std::uint32_t>(leaves.try_emplace(leaf, leaves.size()).first->second),
         static_cast<std::uint32_t>(adapters.try_emplace(at, adapters.size()).first->second),
         links.first_link(at)});
  }
  std::vector<OpUses::Bundle> known(leaves.size() * adapters.size(), kUnknown);
  RoutedJob routed;
  routed.uses.reserve_bundled(program.size());
  for (Op op = 0; op < program.size(); ++op) {
    const std::span<const Edge> edges = program.edges(op);
    if (edges.size() > 1 || (edges.size() == 1 && edges[0].amount != 1)) return std::nullopt;
    const Adapter from = edges.empty() ? Adapter{} : job.at[edges[0].from];
    const Adapter to = edges.empty() ? Adapter{} : job.at[edges[0].to];
    if (from == to) {
      routed.uses.add_op(kNoLink, OpUses::kNoBundle);
      continue;
    }
    OpUses::Bundle& found =
        known[place[edges[0].from].leaf * adapters.size() + place[edges[0].to].adapter];
    if (found == kUnknown) {
      const std::vector<LinkUse> list = links.links(from, to);
      found = list.empty() ? kLost : routed.uses.add_bundle(std::span(list).subspan(1));
    }
    if (found == kLost) routed.unrouted.emplace_back(from, to);
    routed.uses.add_op(place[edges[0].from].cable, found);
  }
  return routed;
}

RoutedJob route_job(FlowLinks& links, const PlacedJob& job) {
  if (links.by_leaf()) {
    if (std::optional<RoutedJob> routed = bundled(links, job)) return std::move(*routed);
  }
  RoutedJob routed;
  routed.uses = KnownLinks(links).route(
      job, job.at, [&](Adapter from, Adapter to) { routed.unrouted.emplace_back(from, to); });
  return routed;
}

// The operations that the end depended on, last first.
std::vector<Op> chain_of(const Program& program, const RunOps& ops) {
  std::vector<std::vector<Op>> late(program.added_waits().empty() ? 0 : program.size());
  for (const auto& [op, other] : program.added_waits()) late[op].push_back(other);
  std::vector<Op> chain;
  if (ops.empty()) return chain;
  Op at = 0;
  double last = ops[at].end;
  for (Op op = 0; op < ops.size(); ++op) {
    if (ops[op].end > last) at = op, last = ops[op].end;
  }
  while (chain.size() < ops.size()) {
    chain.push_back(at);
    Op before = at;
    double latest = -1;
    const auto look = [&](Op other) {
      if (ops[other].end > latest) before = other, latest = ops[other].end;
    };
    for (const Op other : program.after(at)) look(other);
    if (!late.empty()) {
      for (const Op other : late[at]) look(other);
    }
    if (latest < 0) break;
    at = before;
  }
  return chain;
}

class Explainer {
 public:
  Explainer(FlowLinks& links, const std::vector<double>& capacity,
            const std::vector<PlacedJob>& jobs, const std::vector<OpUses>& uses,
            const FlowRun& together)
      : links_(links), capacity_(capacity), jobs_(jobs), uses_(uses), run_(together) {}

  // `chain`: operations that the end depended on; `own`: these, with only the hosts' cables.
  JobHold explain(std::size_t job, const std::vector<Op>& chain,
                  const std::vector<RunOp>& own) const {
    const Program& program = jobs_[job].program;
    const RunOps& ops = run_.ops[job];
    JobHold hold;
    double most = -1;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const Op op = chain[i];
      if (program.kind(op) != OpKind::kTransfer || uses_[job].empty(op)) continue;
      const RunOp& free = own[i];
      const double lost = (ops[op].end - ops[op].start) - (free.end - free.start);
      if (lost <= most) continue;
      most = lost;
      hold.op = op;
      hold.stage = program.stage(op);
      hold.start = ops[op].start;
      hold.end = ops[op].end;
      hold.rate = ops[op].rate;
      hold.own_rate = free.rate;
      hold.channel = static_cast<Channel>(ops[op].held_by);
    }
    if (most >= 0 && hold.channel != kNone<Channel>) {
      hold.capacity = capacity_[index(hold.channel)];
      add_holders(job, hold);
      for (std::size_t other = 0; other < jobs_.size(); ++other) {
        if (other != job) add_holders(other, hold);
      }
    }
    return hold;
  }

 private:
  void add_holders(std::size_t job, JobHold& hold) const {
    const Program& program = jobs_[job].program;
    uses_[job].each_user(index(hold.channel), program.size(), [&](Op op) {
      const RunOp& ran = run_.ops[job][op];
      // The other jobs repeat until the first ends, so they run at any time.
      const bool at_the_time = job > 0 || (ran.start < hold.end && ran.end > hold.start);
      if (!at_the_time) return;
      for (const Edge& edge : program.edges(op)) {
        const Adapter from = jobs_[job].at[edge.from];
        const Adapter to = jobs_[job].at[edge.to];
        if (from == to) continue;
        double share = 0;
        for (const LinkUse& use : links_.links(from, to, jobs_[job].connection(links_, op))) {
          if (use.link == index(hold.channel)) share += use.amount;
        }
        if (share == 0) continue;
        hold.holders.push_back({job, op, from, to, ran.rate * edge.amount * share});
      }
    });
  }

  FlowLinks& links_;
  const std::vector<double>& capacity_;
  const std::vector<PlacedJob>& jobs_;
  const std::vector<OpUses>& uses_;
  const FlowRun& run_;
};

std::vector<double> own_cables_only(const Fabric& fabric, std::vector<double> capacity) {
  for (std::uint32_t c = 0; c < capacity.size(); ++c) {
    if (fabric.between_switches(static_cast<Channel>(c))) capacity[c] = kNoLimit;
  }
  return capacity;
}

// The run of a job that only the hosts' cables limit, and some operations of it.
UnsharedRun run_own_cables(const std::vector<double>& own_capacity, const PlacedJob& job,
                           const OpUses& uses, std::span<const std::uint8_t> unshared,
                           const std::vector<Op>& asked) {
  RunProgram program = job.alone(uses);
  program.unshared = unshared;
  if (auto run = run_unshared(own_capacity, kNoLimit, program, asked)) return *run;
  // Links without a limit hold nothing back.
  const OpUses own_uses =
      uses.without([&](LinkNumber link) { return own_capacity[link] == kNoLimit; });
  const std::vector<RunProgram> one{job.alone(own_uses)};
  const FlowRun run = run_flows(own_capacity, one);
  UnsharedRun result{run.seconds[0], {}};
  for (const Op op : asked) result.ops.push_back(run.ops[0][op]);
  return result;
}

}  // namespace

std::vector<double> channel_capacity(const Fabric& fabric) {
  std::map<double, std::size_t> seen;
  std::vector<double> capacity(fabric.num_channels(), 0);
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c)) continue;
    capacity[index(c)] = gigabits(fabric.rate(c)) * 1e9 / 8;
    if (capacity[index(c)] > 0) ++seen[capacity[index(c)]];
  }
  double usual = gigabits(kDefaultRate) * 1e9 / 8;
  std::size_t most = 0;
  for (const auto& [rate, times] : seen) {
    if (times >= most) usual = rate, most = times;
  }
  for (double& value : capacity) {
    if (value == 0) value = usual;
  }
  return capacity;
}

JobStudy study_jobs(const Fabric& fabric, FlowLinks& links, const std::vector<double>& capacity,
                    const std::vector<PlacedJob>& jobs) {
  JobStudy study;
  std::vector<OpUses> uses;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    RoutedJob routed = route_job(links, jobs[j]);
    uses.push_back(std::move(routed.uses));
    for (const auto& [from, to] : routed.unrouted) study.unrouted.push_back({j, from, to});
  }
  if (!study.unrouted.empty()) return study;
  std::vector<RunProgram> programs;
  std::vector<std::vector<std::uint8_t>> unshared(jobs.size());
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    unshared[j] = unshared_links(capacity.size(), jobs[j].program, uses[j]);
    programs.push_back(jobs[j].alone(uses[j]));
    programs.back().unshared = unshared[j];
    programs.back().repeated = jobs.size() > 1;
  }
  const FlowRun together = run_flows(capacity, programs);
  study.events = together.events;
  const std::vector<double> own_capacity = own_cables_only(fabric, capacity);
  const Explainer explainer(links, capacity, jobs, uses, together);
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const std::vector<RunProgram> one{jobs[j].alone(uses[j])};
    const std::vector<Op> chain = chain_of(jobs[j].program, together.ops[j]);
    const UnsharedRun own = run_own_cables(own_capacity, jobs[j], uses[j], unshared[j], chain);
    JobOutcome outcome;
    outcome.seconds = together.seconds[j] + jobs[j].added_seconds;
    outcome.alone_seconds =
        (jobs.size() == 1 ? together.seconds[j] : run_flows(capacity, one).seconds[0]) +
        jobs[j].added_seconds;
    outcome.own_seconds = own.seconds + jobs[j].added_seconds;
    outcome.bytes = jobs[j].program.total_bytes();
    outcome.hold = explainer.explain(j, chain, own.ops);
    outcome.stage_names = jobs[j].program.stage_names;
    study.jobs.push_back(std::move(outcome));
  }
  return study;
}

double job_seconds(FlowLinks& links, const std::vector<double>& capacity, const PlacedJob& job) {
  const RoutedJob routed = route_job(links, job);
  if (!routed.unrouted.empty()) return std::numeric_limits<double>::infinity();
  const std::vector<RunProgram> one{job.alone(routed.uses)};
  return run_flows(capacity, one).seconds[0] + job.added_seconds;
}

}  // namespace fatwood
