// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The list of all collectives that a job can run, by name. A family's name alone ("allreduce")
// means its first algorithm ("allreduce:ring").

#include <span>
#include <string_view>
#include <vector>

#include "traffic/collectives/nccl.hpp"
#include "traffic/jobs/job_ranks.hpp"

namespace fatwood {

// The factor between algbw and busbw in nccl-tests.
enum class BusFactor : std::uint8_t { kTwice, kOnce, kOne };  // 2(n-1)/n, (n-1)/n, 1
double bus_factor(BusFactor factor, std::size_t ranks);

struct CollectiveRow {
  std::string_view name;     // "allreduce:ring"
  std::string_view library;  // "NCCL" or "MPI"
  std::string_view summary;
  BusFactor factor;
  bool power_of_two;  // the number of ranks must be one
  // The number of messages if it grows with the square of ranks or nodes; 0: always few.
  std::uint64_t (*messages)(const JobShape&, const RankList&);
  Program (*make)(const JobShape&, const RankList&, double bytes, const NcclOptions&);
  double (*latency)(const JobShape&, const RankList&);  // as tuned in NCCL; nullptr: none
};

std::span<const CollectiveRow> collectives();

// InputError, with all names, if there is no such collective.
const CollectiveRow& find_collective(std::string_view name);

// Runs the collective in all groups at once. InputError if a group does not allow it, or if there
// are more than 16 million messages.
Program make_collective(const CollectiveRow& row, const JobShape& shape,
                        const std::vector<RankList>& groups, double bytes,
                        const NcclOptions& options);

}  // namespace fatwood
