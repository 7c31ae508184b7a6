// SPDX-License-Identifier: BSD-3-Clause
#include "traffic/jobs/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace fatwood {
namespace {

constexpr std::uint32_t kNoOp = 0xffffffffU;

std::string rank_text(std::uint32_t rank) {
  return rank == kAnyRank ? "any rank" : fmt::format("rank {}", rank);
}
std::string tag_text(std::uint32_t tag) {
  return tag == kAnyTag ? "any tag" : fmt::format("tag {}", tag);
}

// The send of each receive and the receive of each send.
class Matcher {
 public:
  explicit Matcher(const Trace& trace) : trace_(trace), partner_(trace.ops.size(), kNoOp) {}

  std::vector<std::uint32_t> run() {
    for (std::uint32_t i = 0; i < trace_.ops.size(); ++i) {
      const TraceOp& op = trace_.ops[i];
      if (op.kind == TraceKind::kSend) sends_.push_back(i);
      if (op.kind != TraceKind::kReceive) continue;
      (op.peer == kAnyRank || op.tag == kAnyTag ? loose_ : exact_).push_back(i);
    }
    match_exact();
    match_loose();
    for (const std::uint32_t i : sends_) {
      if (partner_[i] != kNoOp) continue;
      const TraceOp& op = trace_.ops[i];
      trace_.fail(op, fmt::format("rank {} sends {:.0f} bytes to rank {}, {}, and nobody receives "
                                  "them",
                                  op.rank, op.size, op.peer, tag_text(op.tag)));
    }
    return std::move(partner_);
  }

 private:
  // (receiver, sender, tag) of a send or a receive.
  std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> key(std::uint32_t i) const {
    const TraceOp& op = trace_.ops[i];
    if (op.kind == TraceKind::kSend) return {op.peer, op.rank, op.tag};
    return {op.rank, op.peer, op.tag};
  }

  void pair(std::uint32_t send, std::uint32_t receive) {
    const TraceOp& sent = trace_.ops[send];
    const TraceOp& taken = trace_.ops[receive];
    if (sent.size != taken.size) {
      trace_.fail(taken,
                  fmt::format("rank {} receives {:.0f} bytes, but {} of rank {} sends {:.0f} "
                              "of {}; expected the same size",
                              taken.rank, taken.size,
                              trace_.places_are_lines ? fmt::format("line {}", sent.place)
                                                      : fmt::format("node {}", sent.place),
                              sent.rank, sent.size, tag_text(sent.tag)));
    }
    partner_[send] = receive;
    partner_[receive] = send;
  }

  [[noreturn]] void lost(std::uint32_t receive) const {
    const TraceOp& op = trace_.ops[receive];
    trace_.fail(op, fmt::format("rank {} waits forever: {} sends it no message with {} that "
                                "another receive has not taken",
                                op.rank, rank_text(op.peer), tag_text(op.tag)));
  }

  void match_exact() {
    const auto by_key = [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); };
    sorted_ = sends_;
    std::stable_sort(sorted_.begin(), sorted_.end(), by_key);
    std::stable_sort(exact_.begin(), exact_.end(), by_key);
    std::size_t at = 0;
    for (const std::uint32_t receive : exact_) {
      while (at < sorted_.size() && key(sorted_[at]) < key(receive)) ++at;
      if (at == sorted_.size() || key(sorted_[at]) != key(receive)) lost(receive);
      pair(sorted_[at++], receive);
    }
  }

  // In order of the trace; the first send in order that fits, of the same size.
  void match_loose() {
    if (loose_.empty()) return;
    std::map<std::uint32_t, std::vector<std::uint32_t>> left;  // by receiver
    for (const std::uint32_t send : sends_) {
      if (partner_[send] == kNoOp) left[trace_.ops[send].peer].push_back(send);
    }
    std::map<std::uint32_t, std::size_t> first;  // that may be free
    for (const std::uint32_t receive : loose_) {
      const TraceOp& op = trace_.ops[receive];
      const std::vector<std::uint32_t>& sends = left[op.rank];
      std::size_t& from = first[op.rank];
      while (from < sends.size() && partner_[sends[from]] != kNoOp) ++from;
      const auto find = [&](bool of_size) {
        return std::find_if(sends.begin() + static_cast<std::ptrdiff_t>(from), sends.end(),
                            [&](std::uint32_t send) {
                              const TraceOp& other = trace_.ops[send];
                              return partner_[send] == kNoOp &&
                                     (op.peer == kAnyRank || op.peer == other.rank) &&
                                     (op.tag == kAnyTag || op.tag == other.tag) &&
                                     (!of_size || op.size == other.size);
                            });
      };
      auto fits = find(true);
      if (fits == sends.end()) fits = find(false);  // an error that names both
      if (fits == sends.end()) lost(receive);
      pair(*fits, receive);
    }
  }

  const Trace& trace_;
  std::vector<std::uint32_t> partner_;
  std::vector<std::uint32_t> sends_, exact_, loose_, sorted_;
};

class Maker {
 public:
  Maker(const Trace& trace, const JobShape& shape, const NcclOptions& options)
      : trace_(trace),
        shape_(shape),
        options_(options),
        program_(empty_program(shape, "trace")),
        begin_(trace.ops.size(), kNoOp),
        end_(begin_) {}

  Program run() {
    const std::vector<std::uint32_t> partner = Matcher(trace_).run();
    for (std::uint32_t i = 0; i < trace_.ops.size(); ++i) {
      const TraceOp& op = trace_.ops[i];
      if (op.kind == TraceKind::kDelay) {
        begin_[i] = end_[i] = made(i, program_.add_delay(op.size, op.rank * 256 + op.cpu));
      } else if (op.kind == TraceKind::kSend) {
        begin_[i] = end_[i] = made(i, message(op, trace_.ops[partner[i]]));
      } else if (op.kind == TraceKind::kReceive) {
        begin_[i] = end_[i] = made(i, program_.add_delay(0, kNoWorker));
      }
    }
    for (std::uint32_t i = 0; i < trace_.ops.size(); ++i) {
      if (trace_.ops[i].kind == TraceKind::kReceive) program_.add_wait(end_[i], end_[partner[i]]);
    }
    collectives();
    for (const TraceWait& wait : trace_.waits) {
      if (wait.for_start) {
        program_.add_wait_start(begin_[wait.op], begin_[wait.other]);
      } else {
        program_.add_wait(begin_[wait.op], end_[wait.other]);
      }
    }
    refuse_circles();
    return std::move(program_);
  }

 private:
  Op made(std::uint32_t i, Op op) {
    source_.resize(op + 1, i);
    source_[op] = i;
    return op;
  }

  ProgramEndpoint endpoint(std::uint32_t rank, std::uint8_t nic) const {
    if (trace_.nics == 1) return shape_.endpoint(rank);
    return shape_.endpoint(shape_.node(rank), nic % shape_.nics);
  }

  Op message(const TraceOp& send, const TraceOp& receive) {
    const ProgramEndpoint from = endpoint(send.rank, send.nic);
    const bool inside = shape_.node(send.rank) == shape_.node(receive.rank);
    return program_.add_message(from, inside ? from : endpoint(receive.rank, receive.nic),
                                send.size);
  }

  void collectives() {
    // The calls of each group: by rank, in order.
    std::map<std::string_view, std::map<std::uint32_t, std::vector<std::uint32_t>>> calls;
    for (std::uint32_t i = 0; i < trace_.ops.size(); ++i) {
      const TraceOp& op = trace_.ops[i];
      if (op.kind != TraceKind::kCollective) continue;
      calls[trace_.collectives[op.collective].group][op.rank].push_back(i);
    }
    for (const auto& [group, by_rank] : calls) {
      const std::vector<std::uint32_t>& first = by_rank.begin()->second;
      if (group.empty() && by_rank.size() < trace_.ranks) {
        trace_.fail(trace_.ops[first.front()],
                    fmt::format("a collective of all {} ranks that {} take part in: it waits "
                                "forever",
                                trace_.ranks, by_rank.size()));
      }
      for (const auto& [rank, list] : by_rank) {
        if (list.size() == first.size()) continue;
        trace_.fail(trace_.ops[list.back()],
                    fmt::format("rank {} calls {} collectives of group '{}', rank {} {}: they wait "
                                "forever",
                                rank, list.size(), group, by_rank.begin()->first, first.size()));
      }
      for (std::size_t k = 0; k < first.size(); ++k) collective(by_rank, k);
    }
  }

  void collective(const std::map<std::uint32_t, std::vector<std::uint32_t>>& by_rank,
                  std::size_t k) {
    const std::uint32_t first = by_rank.begin()->second[k];
    const TraceCollective& what = trace_.collectives[trace_.ops[first].collective];
    RankList ranks;
    std::vector<Op> begins;
    for (const auto& [rank, list] : by_rank) {
      const std::uint32_t i = list[k];
      const TraceCollective& other = trace_.collectives[trace_.ops[i].collective];
      if (other.kind != what.kind || other.bytes != what.bytes) {
        trace_.fail(trace_.ops[i],
                    fmt::format("rank {} calls another collective than rank {} as number {} of "
                                "group '{}'",
                                rank, by_rank.begin()->first, k + 1, what.group));
      }
      ranks.push_back(rank);
      begin_[i] = made(i, program_.add_delay(0, kNoWorker));
      begins.push_back(begin_[i]);
    }
    const Op gather = made(first, program_.add_delay(0, kNoWorker, begins));
    std::vector<Op> ends{gather};
    const Program part = steps(ranks, what);
    for (Op op = 0; op < part.size(); ++op) {
      std::vector<Op> after{gather};
      for (const Op other : part.after(op)) after.push_back(gather + 1 + other);
      ends.push_back(made(first, program_.add_transfer(part.size_of(op), part.edges(op), after)));
    }
    const Op all = made(first, program_.add_delay(0, kNoWorker, ends));
    for (const auto& [rank, list] : by_rank) end_[list[k]] = all;
  }

  Program steps(const RankList& ranks, const TraceCollective& what) const {
    if (what.kind == CollectiveKind::kBarrier) return {};
    if (what.kind == CollectiveKind::kAllToAll) {
      return nccl_all_to_all(shape_, ranks, what.bytes, options_);
    }
    return nccl_ring(shape_, ranks, static_cast<RingWork>(what.kind), what.bytes, options_);
  }

  void refuse_circles() const {
    const std::vector<Op> cycle = program_.cycle();
    if (cycle.empty()) return;
    std::vector<std::string> places;
    for (const Op op : cycle) {
      const TraceOp& at = trace_.ops[source_[op]];
      std::string place = fmt::format("{} {}", trace_.places_are_lines ? "line" : "node", at.place);
      if (!trace_.places_are_lines) place = fmt::format("rank {} {}", at.rank, place);
      if (places.empty() || places.back() != place) places.push_back(std::move(place));
      if (places.size() == 6) break;
    }
    trace_.fail(trace_.ops[source_[cycle.front()]],
                fmt::format("waits in a circle: {}{}", fmt::join(places, ", "),
                            places.size() == 6 ? ", ..." : ""));
  }

  const Trace& trace_;
  const JobShape& shape_;
  const NcclOptions& options_;
  Program program_;
  std::vector<Op> begin_, end_;        // of each operation of the trace
  std::vector<std::uint32_t> source_;  // of each operation of the program
};

}  // namespace

void Trace::fail(const TraceOp& op, const std::string& message) const {
  const std::string& file = files.size() == 1 ? files[0] : files[op.rank];
  if (places_are_lines) throw InputError({file, op.place, 0}, message);
  throw InputError({file, 0, 0}, fmt::format("rank {}, node {}: {}", op.rank, op.place, message));
}

Program trace_program(const Trace& trace, const JobShape& shape, const NcclOptions& options) {
  return Maker(trace, shape, options).run();
}

}  // namespace fatwood
