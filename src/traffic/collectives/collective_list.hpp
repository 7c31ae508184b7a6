// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The one list of collectives that a job can be asked to do, by name: "allreduce" is
// "allreduce:ring".

#include <span>
#include <string>
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
  bool power_of_two;  // of ranks
  // Messages, when they are the square of something; 0: not so many.
  std::uint64_t (*messages)(const JobShape&, const RankList&, const NcclOptions&);
  Program (*make)(const JobShape&, const RankList&, double bytes, const NcclOptions&);
  double (*latency)(const JobShape&, const RankList&);  // by NCCL's tuning; nullptr: none
};

std::span<const CollectiveRow> collectives();

// InputError naming those there are.
const CollectiveRow& find_collective(std::string_view name);

// The collective in all groups at once. InputError for groups that it can't be done in, or with
// more than 16 million messages.
Program make_collective(const CollectiveRow& row, const JobShape& shape,
                        const std::vector<RankList>& groups, double bytes,
                        const NcclOptions& options);

}  // namespace fatwood
