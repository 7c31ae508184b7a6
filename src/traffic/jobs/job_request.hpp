// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What to run and where: one job with its hosts, and the jobs that run at the same time. Lists and
// files are already read (io/lists/job_words.hpp).

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "topology/hosts/hosts.hpp"
#include "traffic/collectives/nccl.hpp"
#include "traffic/jobs/job_ranks.hpp"
#include "traffic/jobs/recorded_run.hpp"

namespace fatwood {

inline constexpr double kDefaultMessage = 1U << 30U;  // bytes

// A job of a list.
struct NamedJob {
  std::string name;
  std::vector<Host> hosts;  // in rank order
  std::string collective;   // "": the default of the request
  double bytes = 0;         // 0: the default of the request
  std::uint32_t weight = 1;
  Location where;
  bool of_slurm = false;
};

// A kind of groups that works at the same time as the job's own, on the same ranks.
struct GroupsRequest {
  RankGroups groups = RankGroups::kAll;
  std::string collective;  // "": what such groups usually do
  double bytes = 0;        // 0: the size of the job
};

// Whether to add the start-up latency of NCCL's tuning model.
enum class Startup : std::uint8_t { kNccl, kNone };
// What to search for: another order of the same hosts, other hosts, or both.
enum class Improve : std::uint8_t { kNothing, kOrder, kPlacement, kBoth };

struct JobRequest {
  std::vector<Host> hosts;               // in rank order; empty: those of the recording
  Location rank_file;                    // the source of `ranks`; no file: the user
  std::string collective;                // "": allreduce
  double bytes = 0;                      // 0: kDefaultMessage
  std::optional<RecordedRun> recording;  // instead of a collective
  std::uint32_t ranks = 0;               // per host; 0: one per adapter
  std::uint32_t nics = 0;                // per host; 0: all
  NcclOptions nccl;
  RankGroups rank_groups = RankGroups::kAll;
  ParallelSizes sizes{.data = 0};      // data 0: whatever is left
  std::vector<GroupsRequest> further;  // kinds of groups that work at the same time
  double rate = 0;                     // bytes per second of every cable; 0: from the fabric
  Startup startup = Startup::kNccl;
  std::uint32_t weight = 1;
  std::vector<NamedJob> others;  // that run at the same time
  std::uint32_t pick = 0;        // choose this many hosts of `free`, instead of `hosts`
  Improve improve = Improve::kNothing;
  std::vector<Host> free;            // further hosts that a better placement may use
  std::vector<NamedJob> candidates;  // other placements of the job, to be timed
  std::vector<std::string> notes;    // from reading: hosts that are not in the fabric
};

// The bytes that the adapters of a job send to each other in its whole collective. Throws
// InputError like make_collective, with the location of the job.
struct SentBytes {
  std::string collective;  // "allreduce:ring"
  std::map<std::pair<Adapter, Adapter>, double> between;
};
SentBytes bytes_sent(const Model& model, const NamedJob& job, const std::string& collective);

}  // namespace fatwood
