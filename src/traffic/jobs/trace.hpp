// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A trace: what each rank of a recorded run did, before ranks are placed on hosts. Readers in io/
// make traces; trace_program turns a trace into a program.
//
// Sends and receives are matched as in MPI: those with the same source and tag in order; receives
// from any source or tag after all exact ones. Messages are eager: a message leaves when its send
// may start. Its receive ends when the message has arrived and the receive may end. The k-th
// collective that each rank of a group calls is one collective of the group.

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "traffic/collectives/nccl.hpp"
#include "traffic/jobs/job_ranks.hpp"

namespace fatwood {

inline constexpr std::uint32_t kAnyRank = 0xffffffffU;
inline constexpr std::uint32_t kAnyTag = 0xffffffffU;
inline constexpr std::uint32_t kMostRanks = 1U << 20;  // limit for a file

enum class TraceKind : std::uint8_t { kSend, kReceive, kDelay, kCollective };
enum class CollectiveKind : std::uint8_t {  // those of RingWork first
  kAllReduce,
  kAllGather,
  kReduceScatter,
  kBroadcast,
  kReduce,
  kAllToAll,
  kBarrier,
};

struct TraceOp {
  TraceKind kind{};
  std::uint8_t cpu = 0;
  std::uint8_t nic = 0;
  std::uint32_t rank = 0;
  std::uint32_t peer = kAnyRank;  // of a message
  std::uint32_t tag = kAnyTag;    // of a message
  std::uint32_t collective = 0;   // index in Trace::collectives
  double size = 0;                // bytes, or seconds of a delay
  std::uint64_t place = 0;        // line, or number of the node in the file of its rank
};

struct TraceCollective {
  CollectiveKind kind{};
  double bytes = 0;   // as nccl-tests counts: the whole array
  std::string group;  // "": all ranks

  friend bool operator==(const TraceCollective&, const TraceCollective&) = default;
};

struct TraceWait {
  std::uint32_t op;
  std::uint32_t other;
  bool for_start = false;  // true: waits only for the start
};

struct Trace {
  std::vector<std::string> files;  // one for all ranks, or one per rank
  bool places_are_lines = true;    // false: numbers of nodes
  std::uint32_t ranks = 0;
  std::uint32_t nics = 1;  // adapters that ranks distinguish
  std::vector<TraceOp> ops;
  std::vector<TraceWait> waits;
  std::vector<TraceCollective> collectives;
  std::vector<std::string> notes;  // about parts that were left out or truncated

  // InputError with the place of the operation.
  [[noreturn]] void fail(const TraceOp& op, const std::string& message) const;
};

// InputError for a receive without a send or of another size, a send without a receive, ranks that
// call different collectives, and cyclic waits. If the trace distinguishes adapters, its adapter a
// is adapter a mod shape.nics of the rank's node; otherwise a rank uses its own adapter. REQUIRES
// shape.size() == trace.ranks.
Program trace_program(const Trace& trace, const JobShape& shape, const NcclOptions& options);

}  // namespace fatwood
