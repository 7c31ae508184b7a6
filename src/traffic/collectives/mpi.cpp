// SPDX-License-Identifier: BSD-3-Clause
#include "traffic/collectives/mpi.hpp"

#include <algorithm>
#include <bit>

namespace fatwood {
namespace {

// Adds messages step by step; positions are those of the communicator.
class Steps {
 public:
  Steps(const JobShape& shape, const RankList& ranks, std::string name)
      : shape_(shape),
        ranks_(ranks),
        program_(empty_program(shape, std::move(name))),
        before_(ranks.size()),
        now_(ranks.size()) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(ranks_.size()); }

  void send(std::uint32_t from, std::uint32_t to, double bytes) {
    after_ = before_[from];
    for (const Op op : before_[to]) {
      if (std::find(after_.begin(), after_.end(), op) == after_.end()) after_.push_back(op);
    }
    const Op op =
        program_.add_message(shape_.endpoint(ranks_[from]), end_of(from, to), bytes, after_, step_);
    now_[from].push_back(op);
    now_[to].push_back(op);
  }
  // Ranks that took no part keep what they wait for.
  void end_step(const std::string& name) {
    for (std::size_t i = 0; i < now_.size(); ++i) {
      if (now_[i].empty()) continue;
      std::swap(before_[i], now_[i]);
      now_[i].clear();
    }
    program_.stage_names.push_back(name);
    ++step_;
  }
  Program take() { return std::move(program_); }

 private:
  // Ranks of one node exchange without the fabric: an edge to itself is dropped.
  ProgramEndpoint end_of(std::uint32_t from, std::uint32_t to) const {
    const bool inside = shape_.node(ranks_[from]) == shape_.node(ranks_[to]);
    return shape_.endpoint(inside ? ranks_[from] : ranks_[to]);
  }

  const JobShape& shape_;
  const RankList& ranks_;
  Program program_;
  std::vector<std::vector<Op>> before_, now_;
  std::vector<Op> after_;
  std::uint32_t step_ = 0;
};

std::string step_name(const char* what, std::uint32_t k) {
  return std::string(what) + " " + std::to_string(k);
}

// The largest power of two that fits, and who takes part after folding: of the first 2r the odd
// ones, then all others.
struct Folded {
  explicit Folded(std::uint32_t n) : power(std::bit_floor(n)), rest(n - power) {
    for (std::uint32_t i = 0; i < rest; ++i) ranks.push_back(2 * i + 1);
    for (std::uint32_t i = 2 * rest; i < n; ++i) ranks.push_back(i);
  }
  std::uint32_t power;
  std::uint32_t rest;
  std::vector<std::uint32_t> ranks;
};

void fold(Steps& steps, const Folded& folded, double bytes) {
  if (folded.rest == 0) return;
  for (std::uint32_t i = 0; i < folded.rest; ++i) steps.send(2 * i, 2 * i + 1, bytes);
  steps.end_step("fold");
}
void unfold(Steps& steps, const Folded& folded, double bytes) {
  if (folded.rest == 0) return;
  for (std::uint32_t i = 0; i < folded.rest; ++i) steps.send(2 * i + 1, 2 * i, bytes);
  steps.end_step("unfold");
}

void exchange(Steps& steps, const std::vector<std::uint32_t>& ranks, std::uint32_t distance,
              double bytes, const std::string& name) {
  for (std::uint32_t i = 0; i < ranks.size(); ++i) {
    steps.send(ranks[i], ranks[i ^ distance], bytes);
  }
  steps.end_step(name);
}

void halve(Steps& steps, const Folded& folded, double bytes) {
  double part = bytes / 2;
  for (std::uint32_t k = folded.power / 2; k > 0; k /= 2, part /= 2) {
    exchange(steps, folded.ranks, k, part, step_name("reduce-scatter, distance", k));
  }
}
void doubling(Steps& steps, const Folded& folded, double bytes) {
  double part = bytes / folded.power;
  for (std::uint32_t k = 1; k < folded.power; k *= 2, part *= 2) {
    exchange(steps, folded.ranks, k, part, step_name("all-gather, distance", k));
  }
}

Program ring(const JobShape& shape, const RankList& ranks, double bytes) {
  Program program = empty_program(shape, "ring");
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const std::uint32_t next = ranks[(i + 1) % ranks.size()];
    if (shape.node(ranks[i]) == shape.node(next)) continue;
    edges.push_back({shape.endpoint(ranks[i]), shape.endpoint(next)});
  }
  program.stage_names.emplace_back("ring");
  program.add_transfer(bytes, edges);
  return program;
}

double blocks(const RankList& ranks, double bytes) {
  return bytes / static_cast<double>(ranks.size());
}

}  // namespace

Program all_reduce_recursive_doubling(const JobShape& shape, const RankList& ranks, double bytes) {
  Steps steps(shape, ranks, "recursive doubling");
  const Folded folded(steps.size());
  fold(steps, folded, bytes);
  for (std::uint32_t k = 1; k < folded.power; k *= 2) {
    exchange(steps, folded.ranks, k, bytes, step_name("distance", k));
  }
  unfold(steps, folded, bytes);
  return steps.take();
}

Program all_reduce_rabenseifner(const JobShape& shape, const RankList& ranks, double bytes) {
  Steps steps(shape, ranks, "Rabenseifner");
  const Folded folded(steps.size());
  fold(steps, folded, bytes);
  halve(steps, folded, bytes);
  doubling(steps, folded, bytes);
  unfold(steps, folded, bytes);
  return steps.take();
}

Program all_reduce_ring(const JobShape& shape, const RankList& ranks, double bytes) {
  return ring(shape, ranks, 2 * (bytes - blocks(ranks, bytes)));
}

Program all_gather_recursive_doubling(const JobShape& shape, const RankList& ranks, double bytes) {
  Steps steps(shape, ranks, "recursive doubling");
  doubling(steps, Folded(steps.size()), bytes);
  return steps.take();
}

Program all_gather_bruck(const JobShape& shape, const RankList& ranks, double bytes) {
  Steps steps(shape, ranks, "Bruck");
  const std::uint32_t n = steps.size();
  for (std::uint32_t k = 1; k < n; k *= 2) {
    for (std::uint32_t i = 0; i < n; ++i) {
      steps.send(i, (i + n - k) % n, std::min(k, n - k) * blocks(ranks, bytes));
    }
    steps.end_step(step_name("distance", k));
  }
  return steps.take();
}

Program all_gather_ring(const JobShape& shape, const RankList& ranks, double bytes) {
  return ring(shape, ranks, bytes - blocks(ranks, bytes));
}

Program reduce_scatter_halving(const JobShape& shape, const RankList& ranks, double bytes) {
  Steps steps(shape, ranks, "halving");
  halve(steps, Folded(steps.size()), bytes);
  return steps.take();
}

Program all_to_all_pairwise(const JobShape& shape, const RankList& ranks, double bytes) {
  Program program = empty_program(shape, "pairwise");
  const Rounds rounds{static_cast<std::uint32_t>(ranks.size())};
  program.reserve(std::size_t{rounds.ranks} * rounds.count());
  std::vector<std::pair<std::uint32_t, ProgramEndpoint>> at;  // node, endpoint
  for (const std::uint32_t rank : ranks) at.emplace_back(shape.node(rank), shape.endpoint(rank));
  const double block = blocks(ranks, bytes);
  for (std::uint32_t k = 0; k < rounds.count(); ++k) {
    for (std::uint32_t i = 0; i < rounds.ranks; ++i) {
      const auto& [node, endpoint] = at[rounds.receiver(k, i)];
      const bool inside = node == at[i].first;  // without the fabric: from an endpoint to itself
      program.add_message(at[i].second, inside ? at[i].second : endpoint, block);
    }
    program.stage_names.push_back(step_name("step", k + 1));
  }
  program.set_rounds(rounds);
  return program;
}

Program all_to_all_bruck(const JobShape& shape, const RankList& ranks, double bytes) {
  Steps steps(shape, ranks, "Bruck");
  const std::uint32_t n = steps.size();
  for (std::uint32_t k = 1; k < n; k *= 2) {
    std::uint32_t with_bit = 0;
    for (std::uint32_t block = 1; block < n; ++block) with_bit += (block & k) != 0 ? 1 : 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      steps.send(i, (i + k) % n, with_bit * blocks(ranks, bytes));
    }
    steps.end_step(step_name("distance", k));
  }
  return steps.take();
}

Program all_to_all_linear(const JobShape& shape, const RankList& ranks, double bytes) {
  Steps steps(shape, ranks, "linear");
  const std::uint32_t n = steps.size();
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t k = 1; k < n; ++k) steps.send(i, (i + k) % n, blocks(ranks, bytes));
  }
  steps.end_step("all pairs");
  return steps.take();
}

Program broadcast_binomial(const JobShape& shape, const RankList& ranks, double bytes) {
  Steps steps(shape, ranks, "binomial");
  const std::uint32_t n = steps.size();
  for (std::uint32_t k = std::bit_ceil(n) / 2; k > 0; k /= 2) {
    for (std::uint32_t i = 0; i + k < n; i += 2 * k) steps.send(i, i + k, bytes);
    steps.end_step(step_name("distance", k));
  }
  return steps.take();
}

Program reduce_binomial(const JobShape& shape, const RankList& ranks, double bytes) {
  Steps steps(shape, ranks, "binomial");
  const std::uint32_t n = steps.size();
  for (std::uint32_t k = 1; k < n; k *= 2) {
    for (std::uint32_t i = 0; i + k < n; i += 2 * k) steps.send(i + k, i, bytes);
    steps.end_step(step_name("distance", k));
  }
  return steps.take();
}

}  // namespace fatwood
