// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rates/flow_run.hpp"

#include <algorithm>
#include <cassert>
#include <deque>
#include <unordered_map>

#include "analysis/rates/event_queue.hpp"
#include "analysis/rates/ready_ops.hpp"

namespace fatwood {
namespace {

struct Running {  // one program
  explicit Running(const RunProgram& run)
      : given(&run), waiting(*run.program), ops(run.program->size()) {}

  const RunProgram* given;
  ReadyOps waiting;
  std::vector<RunOp> ops;
  std::size_t left = 0;  // operations that have not ended
  std::size_t rounds = 0;
  double begun = 0;
  double first_end = 0;
  std::unordered_map<std::uint32_t, std::deque<Op>> queue;  // of busy workers
};

class Runner {
 public:
  Runner(std::vector<double> capacity, std::span<const RunProgram> programs)
      : shares_(capacity), capacity_(std::move(capacity)) {
    for (const RunProgram& given : programs) running_.emplace_back(given);
    if (programs.size() == 1 && programs[0].weight == 1) unshared_ = programs[0].unshared;
  }

  FlowRun run() {
    open_ = running_.size();
    for (std::uint32_t p = 0; p < running_.size(); ++p) begin(p);
    work_off();
    while (open_ > 0) {
      assert(!ends_.empty());
      now_ = ends_.top().time;
      const double until = now_ * (1 + kSameTime);
      bool any = false;
      while (!ends_.empty() && ends_.top().time <= until) {
        const RunEvent event = ends_.top();
        ends_.pop();
        if (event.slot != RunEvent::kNoSlot && stamp_[event.slot] != event.stamp)
          continue;  // stale
        any = true;
        if (event.slot != RunEvent::kNoSlot) {
          stop_flow(event);
        } else {
          finish(event.program, event.op);
        }
      }
      if (any) ++result_.events;
      work_off();
    }
    for (Running& running : running_) {
      result_.ops.emplace_back(std::move(running.ops));
      result_.seconds.push_back(running.first_end);
    }
    return std::move(result_);
  }

 private:
  struct Flow {
    std::uint32_t program = 0;
    Op op = 0;
    double left = 0;  // bytes
    double rate = 0;
    double since = 0;
    LinkNumber narrowest = kNoLink;  // if its unshared links are left out
  };

  void begin(std::uint32_t p) {
    Running& running = running_[p];
    running.left = running.ops.size();
    running.begun = now_;
    if (running.left == 0 && running.rounds == 0) {
      ++running.rounds;
      --open_;
      return;
    }
    running.waiting.begin([&](Op op) { ready_.emplace_back(p, op); });
  }

  // Starts what can start, and settles rates.
  void work_off() {
    for (std::size_t at = 0; at < ready_.size(); ++at) start(ready_[at].first, ready_[at].second);
    ready_.clear();
    for (const LiveShares::Slot slot : shares_.settle()) {
      Flow& flow = op_of_[slot];
      flow.left = std::max(0.0, flow.left - flow.rate * (now_ - flow.since));
      flow.rate = shares_.rate(slot);
      flow.since = now_;
      ends_.push({now_ + flow.left / flow.rate, flow.program, flow.op, slot, ++stamp_[slot]});
    }
  }

  void start(std::uint32_t p, Op op) {
    Running& running = running_[p];
    const Program& program = *running.given->program;
    if (running.rounds == 0) running.ops[op].start = now_;
    running.waiting.started(op, [&](Op other) { ready_.emplace_back(p, other); });
    if (program.kind(op) == OpKind::kDelay) return start_delay(p, op);
    const std::span<const LinkUse> uses = running.given->uses->of(op, room_);
    if (uses.empty() || program.size_of(op) <= 0) return finish_later(p, op);
    const auto [slot, narrowest] = add_flow(uses, running.given->weight);
    if (slot >= op_of_.size()) {
      op_of_.resize(slot + 1);
      stamp_.resize(slot + 1, 0);
    }
    op_of_[slot] = {p, op, program.size_of(op), 0, now_, narrowest};
  }

  // Links that are never shared limit a flow, but take no part in fair rates. With the slot, the
  // narrowest of all links if it is not known to shares_.
  std::pair<LiveShares::Slot, LinkNumber> add_flow(std::span<const LinkUse> uses, double weight) {
    if (unshared_.empty()) return {shares_.add(uses, weight), kNoLink};
    LinkNumber narrowest = uses[0].link;
    shared_.clear();
    for (const LinkUse& use : uses) {
      if (capacity_[use.link] < capacity_[narrowest]) narrowest = use.link;
      if (unshared_[use.link] == 0) shared_.push_back(use);
    }
    return {shares_.add(shared_, weight, capacity_[narrowest]), narrowest};
  }

  void start_delay(std::uint32_t p, Op op) {
    Running& running = running_[p];
    const std::uint32_t worker = running.given->program->worker(op);
    if (worker != kNoWorker) {
      const auto [at, free] = running.queue.try_emplace(worker);
      at->second.push_back(op);
      if (!free) return;  // starts when it is its turn
    }
    run_delay(p, op);
  }
  void run_delay(std::uint32_t p, Op op) {
    if (running_[p].rounds == 0) running_[p].ops[op].start = now_;
    ends_.push({now_ + running_[p].given->program->size_of(op), p, op, RunEvent::kNoSlot, 0});
  }

  // A transfer with nothing to carry.
  void finish_later(std::uint32_t p, Op op) {
    ends_.push({now_ + running_[p].given->latency, p, op, RunEvent::kNoSlot, 0});
  }

  // All bytes are through.
  void stop_flow(const RunEvent& event) {
    Running& running = running_[event.program];
    if (running.rounds == 0) {
      running.ops[event.op].rate = op_of_[event.slot].rate;
      const LinkNumber by = shares_.fixed_by(event.slot);
      running.ops[event.op].held_by = by == kNoLink ? op_of_[event.slot].narrowest : by;
    }
    ++stamp_[event.slot];
    shares_.remove(event.slot);
    if (running.given->latency > 0) {
      finish_later(event.program, event.op);
    } else {
      finish(event.program, event.op);
    }
  }

  void finish(std::uint32_t p, Op op) {
    Running& running = running_[p];
    if (running.rounds == 0) running.ops[op].end = now_;
    const std::uint32_t worker = running.given->program->worker(op);
    if (worker != kNoWorker) next_delay(p, worker);
    running.waiting.ended(op, [&](Op other) { ready_.emplace_back(p, other); });
    if (--running.left > 0) return;
    if (running.rounds++ == 0) {
      running.first_end = now_;
      --open_;
    }
    if (running.given->repeated && open_ > 0 && now_ > running.begun) begin(p);
  }

  void next_delay(std::uint32_t p, std::uint32_t worker) {
    const auto at = running_[p].queue.find(worker);
    at->second.pop_front();
    if (at->second.empty()) {
      running_[p].queue.erase(at);
    } else {
      run_delay(p, at->second.front());
    }
  }

  LiveShares shares_;
  std::vector<double> capacity_;  // apart from shares_: its links are cache lines
  std::vector<Running> running_;
  std::size_t open_ = 0;  // programs that have not ended once
  double now_ = 0;
  std::vector<std::pair<std::uint32_t, Op>> ready_;
  EventQueue<> ends_;
  std::vector<LinkUse> room_;
  std::span<const std::uint8_t> unshared_;
  std::vector<LinkUse> shared_;  // of the flow being added
  std::vector<Flow> op_of_;      // by slot
  std::vector<std::uint32_t> stamp_;
  FlowRun result_;
};

}  // namespace

FlowRun run_flows(std::vector<double> capacity, std::span<const RunProgram> programs) {
  const bool wave = programs.size() == 1 && programs[0].program->one_wave() &&
                    programs[0].program->size_of(0) > 0;
  if (wave) return run_wave(capacity, programs[0]);
  if (programs.size() == 1) {
    if (auto run = run_rounds(capacity, programs[0])) return std::move(*run);
  }
  return Runner(std::move(capacity), programs).run();
}

}  // namespace fatwood
