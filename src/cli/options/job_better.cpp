// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/job_better.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/lists/hostlist.hpp"
#include "io/lists/machine_list.hpp"

namespace fatwood::cli {

std::string host_list(const MachineModel& model, const std::vector<Machine>& machines) {
  std::vector<std::string> names;
  for (const Machine m : machines) names.emplace_back(model.machines().machines.name(m));
  return hostlist_in_order(names);
}

void check_free(const MachineModel& model, const std::vector<ReportedJob>& jobs,
                const std::vector<Machine>& machines, const Location& where) {
  for (std::size_t j = 1; j < jobs.size(); ++j) {
    for (const Machine m : jobs[j].hosts.machines) {
      if (std::find(machines.begin(), machines.end(), m) == machines.end()) continue;
      throw InputError(where, fmt::format("host {} is not free: job {} has it",
                                          model.machines().machines.name(m), jobs[j].name));
    }
  }
}

Improvement improve_job(const MachineModel& model, JobScorer& scorer,
                        const std::vector<ReportedJob>& jobs, const std::string& what,
                        const std::string& free, const ImproveOptions& options) {
  const std::vector<Machine>& given = jobs[0].hosts.machines;
  if (what == "order") {
    if (!free.empty()) throw InputError("--free needs --improve placement or both");
    return improve_order(model, scorer, given, options);
  }
  if (free.empty()) {
    throw InputError("--improve placement needs --free: the hosts that may be taken");
  }
  std::vector<Machine> candidates =
      read_machine_list(model.fabric(), model.machines().machines, free, {.file = "--free"});
  check_free(model, jobs, candidates, {.file = "--free"});
  for (const Machine m : given) {
    if (std::find(candidates.begin(), candidates.end(), m) == candidates.end()) {
      candidates.push_back(m);
    }
  }
  const OrderToo order = what == "both" ? OrderToo::kYes : OrderToo::kNo;
  return improve_placement(model, scorer, given.size(), candidates, given, order, options);
}

}  // namespace fatwood::cli
