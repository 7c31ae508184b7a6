// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A job and where it runs, as values: lists and files are read (io/lists/job_words.hpp).

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
  std::string collective;   // "": as the user says
  double bytes = 0;         // 0: as the user says
  std::uint32_t weight = 1;
  Location where;
  bool of_slurm = false;
};

// Groups of ranks that run the collective at the same time.
enum class Grouping : std::uint8_t { kAll, kData, kTensor, kPipeline, kExpert };
// Whether the start-up that NCCL's tuning expects is added.
enum class Startup : std::uint8_t { kNccl, kNone };
// The search: another order of the same hosts, other hosts, or both.
enum class Improve : std::uint8_t { kNothing, kOrder, kPlacement, kBoth };

struct JobRequest {
  std::vector<Host> hosts;               // in rank order; empty: those of the recording
  Location rank_file;                    // where `ranks` is from; no file: from the user
  std::string collective;                // "": allreduce
  double bytes = 0;                      // 0: kDefaultMessage
  std::optional<RecordedRun> recording;  // instead of a collective
  std::uint32_t ranks = 0;               // on a host; 0: one for each adapter
  std::uint32_t nics = 0;                // of a host; 0: all
  NcclOptions nccl;
  Grouping grouping = Grouping::kAll;
  ParallelSizes sizes{.data = 0};  // data 0: what is left
  double rate = 0;                 // bytes a second of every cable; 0: as the fabric says
  Startup startup = Startup::kNccl;
  std::uint32_t weight = 1;
  std::vector<NamedJob> others;  // that run at the same time
  std::uint32_t pick = 0;        // choose so many hosts of `free`, instead of `hosts`
  Improve improve = Improve::kNothing;
  std::vector<Host> free;            // hosts that a better placement may take as well
  std::vector<NamedJob> candidates;  // other hosts for the job, to be timed
  std::vector<std::string> notes;    // of reading: hosts that are not in the fabric
};

// The bytes that adapters of a job send each other, over its whole collective. InputError as
// make_collective, with the place of the job.
struct SentBytes {
  std::string collective;  // "allreduce:ring"
  std::map<std::pair<Adapter, Adapter>, double> between;
};
SentBytes bytes_sent(const Model& model, const NamedJob& job, const std::string& collective);

}  // namespace fatwood
