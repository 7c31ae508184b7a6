// SPDX-License-Identifier: BSD-3-Clause
#include "traffic/jobs/program.hpp"

#include <algorithm>
#include <numeric>

namespace fatwood {
namespace {

// Waits for the end, and for the start, of others.
template <class Take>
void each_end(const Program& program, const Take& take) {
  for (Op op = 0; op < program.size(); ++op) {
    for (const Op other : program.after(op)) take(op, other);
  }
  for (const auto& [op, other] : program.added_waits()) take(op, other);
}

template <class Take>
void each_start(const Program& program, const Take& take) {
  for (const auto& [op, other] : program.start_waits()) take(op, other);
}

// Copies everything of `part`, its operations counted on from `base`.
void append(Program& whole, const Program& part, std::span<const Op> after_all,
            std::uint32_t stages) {
  const auto base = static_cast<Op>(whole.size());
  std::vector<Op> after;
  for (Op op = 0; op < part.size(); ++op) {
    after.assign(after_all.begin(), after_all.end());
    if (!part.after(op).empty()) after.clear();  // waits for one that waits for all
    for (const Op other : part.after(op)) after.push_back(base + other);
    if (part.kind(op) == OpKind::kDelay) {
      whole.add_delay(part.size_of(op), part.worker(op), after, stages + part.stage(op));
    } else {
      whole.add_transfer(part.size_of(op), part.edges(op), after, stages + part.stage(op));
    }
  }
  for (const auto& [op, other] : part.added_waits()) whole.add_wait(base + op, base + other);
  for (const auto& [op, other] : part.start_waits()) whole.add_wait_start(base + op, base + other);
  whole.stage_names.resize(std::max<std::size_t>(
      whole.stage_names.size(),
      stages + std::max<std::size_t>(part.num_stages(), part.stage_names.size())));
  for (std::size_t i = 0; i < part.stage_names.size(); ++i) {
    whole.stage_names[stages + i] = part.stage_names[i];
  }
}

}  // namespace

Op Program::add(OpKind kind, double size, std::uint32_t worker, std::span<const Op> after,
                std::uint32_t stage, std::size_t edges) {
  kind_.push_back(kind);
  size_.push_back(size);
  worker_.push_back(worker);
  stage_.push_back(stage);
  stages_ = std::max(stages_, stage + 1);
  after_.insert(after_.end(), after.begin(), after.end());
  first_after_.push_back(after.size());
  first_edge_.push_back(edges);
  return static_cast<Op>(size_.size() - 1);
}

Op Program::add_transfer(double bytes, std::span<const Edge> edges, std::span<const Op> after,
                         std::uint32_t stage) {
  const std::size_t before = edges_.size();
  for (const Edge& edge : edges) {
    if (edge.from != edge.to) edges_.push_back(edge);
  }
  return add(OpKind::kTransfer, bytes, kNoWorker, after, stage, edges_.size() - before);
}

Op Program::add_message(ProgramEndpoint from, ProgramEndpoint to, double bytes,
                        std::span<const Op> after, std::uint32_t stage) {
  if (from != to) edges_.push_back({from, to, 1});
  return add(OpKind::kTransfer, bytes, kNoWorker, after, stage, from != to ? 1 : 0);
}

Op Program::add_delay(double seconds, std::uint32_t worker, std::span<const Op> after,
                      std::uint32_t stage) {
  return add(OpKind::kDelay, seconds, worker, after, stage, 0);
}

ProgramWaits::ProgramWaits(const Program& program) : counts_(program.size(), 0) {
  const auto list = [&](Lists& lists, const auto& each) {
    // first[i + 1] is where the list of i begins until the second pass has moved it to its end.
    lists.first.assign(program.size() + 2, 0);
    each([&](Op op, Op other) {
      ++counts_[op];
      ++lists.first[other + std::size_t{2}];
    });
    std::partial_sum(lists.first.begin(), lists.first.end(), lists.first.begin());
    lists.ops.resize(lists.first.back());
    each([&](Op op, Op other) { lists.ops[lists.first[other + std::size_t{1}]++] = op; });
  };
  list(ends_, [&](const auto& take) { each_end(program, take); });
  if (program.start_waits().empty()) return;
  list(starts_, [&](const auto& take) { each_start(program, take); });
}

std::vector<Op> Program::cycle() const {
  const ProgramWaits waits(*this);
  std::vector<std::uint32_t> open = waits.counts();
  std::vector<Op> ready;
  for (Op op = 0; op < size(); ++op) {
    if (open[op] == 0) ready.push_back(op);
  }
  for (std::size_t at = 0; at < ready.size(); ++at) {
    const Op done = ready[at];
    for (const auto& waiting : {waits.after_end(done), waits.after_start(done)}) {
      for (const Op op : waiting) {
        if (--open[op] == 0) ready.push_back(op);
      }
    }
  }
  if (ready.size() == size()) return {};
  // Back along waits that stay open, until an operation is met again.
  std::vector<Op> waits_for(size(), 0);
  const auto note = [&](Op op, Op other) {
    if (open[op] > 0 && open[other] > 0) waits_for[op] = other;
  };
  each_end(*this, note);
  each_start(*this, note);
  auto at = static_cast<Op>(std::find_if(open.begin(), open.end(), [](auto n) { return n > 0; }) -
                            open.begin());
  for (std::size_t i = 0; i < size(); ++i) at = waits_for[at];
  std::vector<Op> found;
  for (Op op = at; found.empty() || op != at; op = waits_for[op]) found.push_back(op);
  return found;
}

double Program::total_bytes() const {
  double sum = 0;
  for (Op op = 0; op < size(); ++op) {
    for (const Edge& edge : edges(op)) sum += edge.amount * size_[op];
  }
  return sum;
}

Program then(const Program& first, const Program& second) {
  Program both;
  both.name = first.name;
  both.endpoints = std::max(first.endpoints, second.endpoints);
  append(both, first, {}, 0);
  std::vector<Op> ends(first.size());
  std::iota(ends.begin(), ends.end(), 0U);
  // One operation that ends when all do, so that waits stay few.
  const Op all =
      both.add_delay(0, kNoWorker, ends, first.num_stages() == 0 ? 0 : first.num_stages() - 1);
  append(both, second, std::span(&all, 1), first.num_stages());
  return both;
}

Program in_parallel(std::span<const Program> programs) {
  Program all;
  for (const Program& part : programs) {
    if (all.name.empty()) all.name = part.name;
    all.endpoints = std::max(all.endpoints, part.endpoints);
    append(all, part, {}, 0);
  }
  return all;
}

}  // namespace fatwood
