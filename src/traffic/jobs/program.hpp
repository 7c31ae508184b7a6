// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A program: what a job sends, as operations that wait for each other. Collectives and traces
// become programs. analysis/rates/flow_run.hpp runs them with fair rates, sim/ flit by flit.
//
// An operation is a transfer or a delay. A transfer moves `size` bytes over each of its edges, all
// at the same rate. A message has one edge. A channel of a pipelined ring has many, and is as fast
// as its slowest. An edge with amount a carries a * size. A delay takes `size` seconds; delays of
// one worker run one after the other, in the order in which they can start.
//
// Endpoints are numbered by the creator of the program; a placement maps them to adapters. Edges
// from an endpoint to itself are not stored: traffic inside a host is free.
//
// Encoding: operation i has the edges first_edge[i] .. first_edge[i+1]. It may wait for the end of
// operations, after[first_after[i] .. first_after[i+1]], and for the start of others (start waits).
// The waits of large exchanges are a formula (rounds.hpp).
// Invariant: waits name operations of the program and have no cycle (see cycle()).
// Memory: 12 bytes per edge and 4 per wait. A field with the same value for all operations is
// stored once.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/compact_column.hpp"
#include "traffic/jobs/rounds.hpp"

namespace fatwood {

using ProgramEndpoint = std::uint32_t;
inline constexpr std::uint32_t kNoWorker = 0xffffffffU;

enum class OpKind : std::uint8_t { kTransfer, kDelay };

struct Edge {
  ProgramEndpoint from;
  ProgramEndpoint to;
  float amount = 1;

  friend bool operator==(const Edge&, const Edge&) = default;
};

class Program {
 public:
  std::string name;
  std::size_t endpoints = 0;
  std::vector<std::string> stage_names;  // by stage; may be empty

  // Adds an operation and returns its number. Operations may be added in any order; cycle() checks
  // the waits.
  Op add_transfer(double bytes, std::span<const Edge> edges, std::span<const Op> after = {},
                  std::uint32_t stage = 0);
  Op add_message(ProgramEndpoint from, ProgramEndpoint to, double bytes,
                 std::span<const Op> after = {}, std::uint32_t stage = 0);
  Op add_delay(double seconds, std::uint32_t worker, std::span<const Op> after = {},
               std::uint32_t stage = 0);
  // Adds a wait for the end, or for the start, of `other`, after both operations were added.
  void add_wait(Op op, Op other) { added_waits_.push_back({op, other}); }
  void add_wait_start(Op op, Op other) { start_waits_.push_back({op, other}); }

  std::size_t size() const { return kind_.size(); }
  OpKind kind(Op op) const { return kind_[op]; }
  double size_of(Op op) const { return size_[op]; }  // seconds of a delay
  std::uint32_t worker(Op op) const { return worker_[op]; }
  std::uint32_t stage(Op op) const { return rounds_.ranks > 0 ? op / rounds_.ranks : stage_[op]; }
  std::span<const Edge> edges(Op op) const {
    const std::size_t first = first_edge_.first(op);
    return {edges_.data() + first, first_edge_.first(op + std::size_t{1}) - first};
  }
  OpList after(Op op) const {
    if (rounds_.ranks > 0) return rounds_.after(op);
    const std::size_t first = first_after_.first(op);
    return OpList({after_.data() + first, first_after_.first(op + std::size_t{1}) - first});
  }
  // Operations wait as Rounds says; stages are rounds. REQUIRES that all were added, without waits.
  void set_rounds(Rounds rounds) {
    rounds_ = rounds;
    stages_ = rounds.count();
  }
  const Rounds& rounds() const { return rounds_; }  // of 0 ranks: it has none
  struct Wait {
    Op op;
    Op other;
  };
  std::span<const Wait> added_waits() const { return added_waits_; }
  std::span<const Wait> start_waits() const { return start_waits_; }

  // Whether all operations are transfers of equal size that wait for nothing, so they start at
  // once.
  bool one_wave() const {
    return kind_.same() && size_.same() && size() > 0 && kind(0) == OpKind::kTransfer &&
           after_.empty() && rounds_.count() <= 1 && added_waits_.empty() && start_waits_.empty();
  }
  // Reserves memory for this many operations with one edge each.
  void reserve(std::size_t messages) {
    edges_.reserve(messages);
    first_edge_.reserve(messages);
  }

  // The operations of a cycle of waits, in order; empty if every operation can start eventually.
  std::vector<Op> cycle() const;
  // Bytes over all edges.
  double total_bytes() const;
  std::uint32_t num_stages() const { return stages_; }

 private:
  Op add(OpKind kind, double size, std::uint32_t worker, std::span<const Op> after,
         std::uint32_t stage, std::size_t edges);

  CompactColumn<OpKind> kind_;
  CompactColumn<double> size_;
  CompactColumn<std::uint32_t> worker_;
  CompactColumn<std::uint32_t> stage_;
  std::uint32_t stages_ = 0;
  CompactOffsets first_edge_;
  std::vector<Edge> edges_;
  CompactOffsets first_after_;
  std::vector<Op> after_;
  Rounds rounds_;
  std::vector<Wait> added_waits_;
  std::vector<Wait> start_waits_;
};

// The waits of a program reversed: which operations may start when an operation starts or ends.
// Cost: O(operations + waits).
class ProgramWaits {
 public:
  explicit ProgramWaits(const Program& program);

  // By operation: how many others it waits for.
  const std::vector<std::uint32_t>& counts() const { return counts_; }
  // Operations that wait for the end, or for the start, of `op`.
  std::span<const Op> after_end(Op op) const { return ends_.of(op); }
  std::span<const Op> after_start(Op op) const { return starts_.of(op); }

 private:
  struct Lists {
    std::vector<std::size_t> first;  // empty: no operation has any
    std::vector<Op> ops;
    std::span<const Op> of(Op op) const {
      if (first.empty()) return {};
      return {ops.data() + first[op], first[op + 1] - first[op]};
    }
  };

  std::vector<std::uint32_t> counts_;
  Lists ends_, starts_;
};

// Runs `second` after all of `first`, over the same endpoints.
Program then(const Program& first, const Program& second);
// Runs several at once, over the same endpoints; stages with the same number are merged.
Program in_parallel(std::span<const Program> programs);

}  // namespace fatwood
