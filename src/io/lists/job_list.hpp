// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Jobs that run at the same time: a file of our own format, or output of Slurm.
//
//   ours             one job per line: NAME HOSTLIST [COLLECTIVE [SIZE [WEIGHT]]], '#' for comments
//   squeue           squeue -h -t R -o '%i|%D|%N|%j'
//   squeue, default  the table with its header line; jobs that do not run (ST) are left out
//   scontrol         scontrol [-o] show job: JobId=7 .. JobState=RUNNING .. NodeList=n[01-04]
//   squeue --json    jobs[] {job_id, name, job_state, nodes or job_resources.nodes.list}
// The format is detected. Slurm prints hosts sorted, so the order is not the rank order.

#include <cstdint>
#include <string>
#include <vector>

#include "io/base/input.hpp"

namespace fatwood {

struct ListedJob {
  std::string name;
  std::vector<std::string> hosts;
  std::string collective;  // "": the default of the request
  std::string size;        // "": the default of the request
  Location where;
  bool of_slurm = false;
  std::uint32_t weight = 1;  // of its flows relative to other jobs
};

// InputError with line and column.
std::vector<ListedJob> read_job_list(Input& input);

}  // namespace fatwood
